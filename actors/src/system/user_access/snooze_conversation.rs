//! A user snoozes a conversation: it is out of the way until a time, or until the customer writes.

use crate::domain::account::rights::EntityAction;
use crate::domain::conversation::snooze_conversation::{
    Replaces, SnoozeConversation, StoredSnooze,
};
use crate::domain::crm::Lead;
use crate::domain::id::ConversationId;
use crate::domain::several::SnoozeRequest;
use crate::system::inbox::ConversationView;
use crate::system::user_access::{ConversationLeadRejection, CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl UserAccess {
    /// Snoozes a conversation. The snooze takes the place of an earlier one.
    ///
    /// # Errors
    /// When there is no such conversation with a lead that the user may edit, its talk is closed, the time is not one that can be
    /// chosen, or nothing can be stored now.
    pub async fn snooze_conversation(
        &self,
        id: ConversationId,
        request: SnoozeRequest,
    ) -> Result<ConversationView, CommandError<ConversationLeadRejection>> {
        self.store_snooze(id, request, Replaces::Any).await?;
        let view = self.conversation(id).await?;
        let unknown = ConversationLeadRejection::UnknownConversation;
        view.ok_or(CommandError::Rejected(unknown))
    }

    /// Stores a snooze in the place of another one.
    pub(super) async fn store_snooze(
        &self,
        id: ConversationId,
        request: SnoozeRequest,
        replaces: Replaces,
    ) -> Result<StoredSnooze, CommandError<ConversationLeadRejection>> {
        let (lead, spoken) = self.editable_lead(id).await?;
        if !lead.talk_is_in_work(Some(spoken)) {
            return Err(talk_closed());
        }
        let command = SnoozeConversation {
            by: self.caller.user,
            client: self.caller.client.clone(),
            until: request.until,
            wakes_on_message: request.wakes_on_message,
            replaces,
        };
        let kernel = self.system.kernel();
        let result = execute(kernel, &id, command).await;
        let stored_snooze = result.map_err(|error| error.map(ConversationLeadRejection::Snooze))?;
        kernel.shared.snoozed.notify_one();
        // A colleague may have closed the talk between the look at it and the snooze. A talk that is closed from now on ends the
        // snooze itself.
        if self.is_talk_in_work(id).await? {
            return Ok(stored_snooze);
        }
        self.end_snooze(id, Some(Box::new(stored_snooze.snooze)))
            .await?;
        Err(talk_closed())
    }

    /// Returns whether the talk of a conversation is in work; the rights of the user were checked before.
    async fn is_talk_in_work(&self, id: ConversationId) -> Result<bool, UnavailableError> {
        let lead = self.system.lead_of(id).await?;
        let state = self
            .system
            .conversation_state(self.caller.account, id)
            .await?;
        let spoken_message = state.map(|state| state.spoken);
        Ok(lead.is_some_and(|lead| lead.talk_is_in_work(spoken_message)))
    }

    /// The newest lead of a conversation, if the user may edit it, and the number of the newest message that was spoken.
    pub(super) async fn editable_lead(
        &self,
        id: ConversationId,
    ) -> Result<(Lead, u64), CommandError<ConversationLeadRejection>> {
        let (lead, spoken) = self.lead_of_conversation(id).await?;
        let right = self.require_right(EntityAction::Edit, &lead);
        right.map_err(|denied| CommandError::Rejected(ConversationLeadRejection::Lead(denied)))?;
        Ok((lead, spoken))
    }

    /// The same, if the user may see the conversation.
    pub(super) async fn lead_of_conversation(
        &self,
        id: ConversationId,
    ) -> Result<(Lead, u64), CommandError<ConversationLeadRejection>> {
        let unknown = CommandError::Rejected(ConversationLeadRejection::UnknownConversation);
        let visible = self.seen(id).await?.ok_or(unknown)?;
        let no_lead = CommandError::Rejected(ConversationLeadRejection::NoLead);
        Ok((visible.lead.ok_or(no_lead)?, visible.state.spoken))
    }
}

fn talk_closed() -> CommandError<ConversationLeadRejection> {
    CommandError::Rejected(ConversationLeadRejection::Lead(CrmRejection::TalkClosed))
}
