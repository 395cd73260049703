//! The newest delivery failure of a conversation.

use crate::domain::chat::delivery::Trouble;
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::keys;
use crate::domain::tables;
use crate::system::System;
use switchboard_engine::state::Recorded;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The maximum number of failed callbacks examined, newest first, to find a message among them.
const EXAMINED_MAX: usize = 16;

/// The maximum number of failures that one request dismisses.
const DISMISSED_MAX: usize = 1_000;

impl System {
    /// The numbers of the messages of a conversation that failed here and were not sent again, the newest ones.
    pub(in crate::system) fn failures(
        &self,
        state: &Conversation,
    ) -> Result<Vec<u64>, UnavailableError> {
        let Some(origin) = &state.origin else {
            return Ok(Vec::new());
        };
        let prefix = keys::unread_row(origin.scope.account(), state.id);
        let range = KeyRange::prefix(&prefix);
        let index = &self.kernel().index;
        let failed = index.scan(tables::FAILED, &range, ScanOrder::Descending, DISMISSED_MAX)?;
        let numbers = failed.iter().filter_map(|(key, _)| out_of(&prefix, key));
        Ok(numbers.collect())
    }

    /// The failure of the newest message that failed here and was not sent again.
    pub(in crate::system) fn trouble(
        &self,
        state: &Conversation,
    ) -> Result<Option<Trouble>, UnavailableError> {
        let Some(origin) = state.origin.as_ref().filter(|_| state.outgoing > 0) else {
            return Ok(None);
        };
        let kernel = self.kernel();
        let prefix = keys::unread_row(origin.scope.account(), state.id);
        let range = KeyRange::prefix(&prefix);
        let failed =
            kernel
                .index
                .scan(tables::FAILED, &range, ScanOrder::Descending, EXAMINED_MAX)?;
        for (key, value) in failed {
            let out = out_of(&prefix, &key);
            let trouble = value.first().copied().and_then(Trouble::from_code);
            let (Some(out), Some(trouble)) = (out, trouble) else {
                continue;
            };
            let outgoing = kernel.record(keys::outgoing(state.id, out))?;
            // A callback about a reaction is not a message.
            if let Some(Recorded {
                event: ConversationEvent::Replied(_),
                ..
            }) = outgoing
            {
                return Ok(Some(trouble));
            }
        }
        Ok(None)
    }
}

/// The number of an outgoing message in the key of a failure.
fn out_of(prefix: &[u8], key: &[u8]) -> Option<u64> {
    let number = key.get(prefix.len()..)?.first_chunk::<8>()?;
    Some(u64::from_be_bytes(*number))
}
