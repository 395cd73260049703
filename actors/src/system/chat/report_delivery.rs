//! An integration reports what became of an account user's message.

use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::conversation::report_delivery::{ReportDelivery, ReportEffect, ReportRejection};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::MessageId;
use crate::error::Refused;
use crate::system::System;
use crate::system::chat::ConnectedScope;
use switchboard_engine::runtime::ask::execute;

impl System {
    /// Stores what an integration reports on an account user's message. Reports that go back change nothing.
    ///
    /// # Errors
    /// When the scope has no such message, or nothing can be stored now.
    pub async fn report_delivery(
        &self,
        scope: ConnectedScope,
        message: MessageId,
        status: DeliveryStatus,
    ) -> Result<ReportEffect, Refused<ReportRejection>> {
        const NOT_FOUND: Refused<ReportRejection> =
            Refused::Rejected(ReportRejection::MessageNotFound);
        let Some((conversation, event)) = self.message_record(message).await? else {
            return Err(NOT_FOUND);
        };
        let mine = match event {
            ConversationEvent::Replied(replied) => replied.scope == *scope.id(),
            ConversationEvent::Received(received) => {
                let state = self.look::<Conversation>(&conversation).await?;
                received.is_imported() && state.is_some_and(|state| state.is_of(scope.id()))
            }
            ConversationEvent::Opened(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::DealOpened
            | ConversationEvent::DealChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_)
            | ConversationEvent::Condensed(_) => false,
        };
        if !mine {
            return Err(NOT_FOUND);
        }
        let command = ReportDelivery {
            scope: scope.id().clone(),
            message,
            status,
        };
        execute(self.kernel(), &conversation, command).await
    }
}
