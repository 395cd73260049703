//! A person is typing, as the integration reports. Nothing of it is stored.

use std::time::Duration;

use crate::domain::target::{ConversationRef, PersonRef};
use crate::system::System;
use crate::system::chat::ConnectedScope;
use crate::system::live::{Audience, LiveEvent, What};
use switchboard_runtime::error::CommandError;
use switchboard_runtime::typing::Typing;

/// The rejection of a typing notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypingRejection {
    /// The scope has no such conversation.
    #[error("there is no such conversation in this scope")]
    ConversationNotFound,
    /// Our id of a person names no person of this account.
    #[error("sender: user not found")]
    UnknownPerson,
}

impl System {
    /// Notes for a while that a person is writing in a conversation, and notifies the listeners. Nothing is stored.
    ///
    /// # Errors
    /// When the scope has no such conversation, or our id names a person who does not exist.
    pub async fn report_typing(
        &self,
        scope: ConnectedScope,
        conversation: &ConversationRef,
        person: &PersonRef,
        lasts: Duration,
    ) -> Result<(), CommandError<TypingRejection>> {
        let conversation =
            self.place(&scope, conversation)
                .await?
                .ok_or(CommandError::Rejected(
                    TypingRejection::ConversationNotFound,
                ))?;
        let person = self
            .person(&scope, person)
            .await?
            .ok_or(CommandError::Rejected(TypingRejection::UnknownPerson))?;
        let now = self.now();
        let until = now.plus(lasts);
        let typing = Typing { person, until };
        self.kernel()
            .shared
            .read_cache
            .typing
            .note(conversation, typing, now);
        self.kernel().shared.feed.publish(LiveEvent {
            number: None,
            audience: Audience::Account(scope.id().account()),
            what: What::CustomerTyping(conversation, typing),
        });
        Ok(())
    }
}
