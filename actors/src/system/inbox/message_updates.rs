//! The updates of messages after they were written.

use crate::domain::chat::fetch::FetchSubject;
use crate::domain::conversation::{ConversationEvent, Replied, Reported};
use crate::domain::id::{ClientMessageId, MessageId};
use crate::domain::keys;
use crate::system::System;
use switchboard_engine::state::Recorded;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::views::message::Afterwards;

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
            pressed: None,
            fetched: self.fetched(FetchSubject::Message(message))?,
        })
    }

    /// The updates of a message that left: with markup, it may have been pressed.
    pub(super) fn afterwards_of_reply(
        &self,
        replied: &Replied,
    ) -> Result<Afterwards, UnavailableError> {
        let afterwards = self.afterwards(replied.id)?;
        if !replied.has_markup() {
            return Ok(afterwards);
        }
        let pressed = match self.kernel().record(keys::pressed(replied.id))? {
            Some(Recorded {
                event: ConversationEvent::Received(received),
                ..
            }) => {
                let press = received.pressed.filter(|it| it.message == replied.id);
                press.map(|press| (received.id, press.text))
            }
            _ => None,
        };
        Ok(Afterwards {
            pressed,
            ..afterwards
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
