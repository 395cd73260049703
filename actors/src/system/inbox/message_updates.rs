//! The updates of messages after they were written.

use crate::domain::chat::fetch::FetchSubject;
use crate::domain::conversation::{ConversationEvent, Reported};
use crate::domain::id::{ClientMessageId, MessageId};
use crate::domain::keys;
use crate::error::UnavailableError;
use crate::system::System;
use crate::views::message::Afterwards;
use switchboard_engine::state::Recorded;

impl System {
    pub(super) fn afterwards(&self, message: MessageId) -> Result<Afterwards, UnavailableError> {
        let edit = match self.kernel().record(keys::edit(message))? {
            Some(Recorded {
                event: ConversationEvent::Edited(edited),
                blob,
            }) => Some((edited, blob)),
            _ => None,
        };
        let msgid = self.later_msgid(message)?;
        let reactions = match self.kernel().record(keys::reactions(message))? {
            Some(Recorded {
                event: ConversationEvent::Reacted(reacted),
                ..
            }) => reacted.reactions,
            _ => Vec::new(),
        };
        let status = match self.kernel().record(keys::report(message))? {
            Some(Recorded {
                event: ConversationEvent::Reported(Reported { status, .. }),
                ..
            }) => Some(status),
            _ => None,
        };
        Ok(Afterwards {
            edit,
            msgid,
            reactions,
            status,
            fetched: self.fetched(FetchSubject::Message(message))?,
        })
    }

    /// The `msgid` that the integration gave to a message later.
    pub(in crate::system) fn later_msgid(
        &self,
        message: MessageId,
    ) -> Result<Option<ClientMessageId>, UnavailableError> {
        Ok(match self.kernel().record(keys::named(message))? {
            Some(Recorded {
                event: ConversationEvent::Edited(edited),
                ..
            }) => edited.msgid,
            _ => None,
        })
    }
}
