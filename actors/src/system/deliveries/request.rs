//! The callback of a message as it would be sent now, also when the message is delivered or given up.

use crate::dispatcher::{ComposeError, compose};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{MessageId, ScopeId};
use crate::system::System;
use crate::system::deliveries::queue_of;
use switchboard_runtime::error::CommandError;
use switchboard_runtime::port::Attempt;

/// A callback with everything that is sent of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackRequest {
    /// The scope of the message.
    pub scope: ScopeId,
    /// The version of the callback.
    pub version: HookVersion,
    /// The next attempt, as it would be sent.
    pub attempt: Attempt,
}

/// The rejection of a look at a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestRejection {
    /// No account user wrote a message with this id.
    #[error("there is no such delivery")]
    Unknown,
    /// The channel of the message is not known any more.
    #[error("the channel of this message no longer exists")]
    NoChannel,
    /// The channel has no address for this version.
    #[error("the channel has no address for callbacks of version {0}: set webhook_{0}")]
    NoAddress(HookVersion),
    /// Version 1 has no room for it.
    #[error(
        "version 1 cannot carry a conversation that the integration has no id of, nor a reaction"
    )]
    NoRoom,
}

impl System {
    /// The callback of a message as it would be sent now in this version; `None`: what the account speaks, else the
    /// newest that the channel has an address for. Nothing is sent.
    ///
    /// # Errors
    /// Why there is no such callback, or that something cannot be read now.
    pub async fn callback_request(
        &self,
        id: MessageId,
        version: Option<HookVersion>,
    ) -> Result<CallbackRequest, CommandError<RequestRejection>> {
        let rejection = |why| CommandError::Rejected(why);
        self.kernel().caught_up().await;
        let message = self.written(id)?;
        let (conversation, outgoing) =
            message.ok_or_else(|| rejection(RequestRejection::Unknown))?;
        let record = self.delivery_record(conversation, outgoing.number())?;
        let queue = queue_of(conversation, &outgoing);
        let cache = &self.kernel().shared.read_cache;
        let channel = cache
            .channel(queue.scope.channel())
            .ok_or_else(|| rejection(RequestRejection::NoChannel))?;
        let version = match version {
            Some(version) => version,
            None => self.test_version(&channel.channel, &queue.scope).await?,
        };
        let number = record.tally.made.saturating_add(1);
        let attempt =
            compose(&channel, &queue, &outgoing, version, number, self.now()).map_err(|why| {
                rejection(match why {
                    ComposeError::NoAddress => RequestRejection::NoAddress(version),
                    ComposeError::NoRoom => RequestRejection::NoRoom,
                })
            })?;
        Ok(CallbackRequest {
            scope: queue.scope,
            version,
            attempt,
        })
    }
}
