//! An integration reports what became of an account user's message.

use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::conversation::report_delivery::{ReportDelivery, ReportEffect, ReportRejection};
use crate::domain::conversation::{Conversation, Received};
use crate::domain::id::MessageId;
use crate::system::System;
use crate::system::chat::ConnectedScope;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

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
    ) -> Result<ReportEffect, CommandError<ReportRejection>> {
        const NOT_FOUND: CommandError<ReportRejection> =
            CommandError::Rejected(ReportRejection::MessageNotFound);
        let Some((conversation, event)) = self.message_record(message).await? else {
            return Err(NOT_FOUND);
        };
        let is_sent = event.as_replied().is_some_and(|it| it.scope == *scope.id());
        let is_imported = event.as_received().is_some_and(Received::is_imported);
        let state = match is_imported {
            true => self.look::<Conversation>(&conversation).await?,
            false => None,
        };
        if !is_sent && !state.is_some_and(|state| state.is_of(scope.id())) {
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
