//! A user decides that a message that waits for its callback is not sent.

use crate::domain::audit::By;
use crate::domain::dispatch::record::CancelReason;
use crate::domain::id::{ConversationId, MessageId};
use crate::system::deliveries::DiscardRejection;
use crate::system::user_access::{AnswerRejection, UserAccess};
use switchboard_runtime::error::CommandError;

/// The rejection of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawRejection {
    /// The user may not write in the conversation.
    #[error(transparent)]
    Conversation(AnswerRejection),
    /// The conversation has no such message of an account user.
    #[error("there is no such message of an account user in this conversation")]
    UnknownMessage,
    /// It was delivered, given up or withdrawn before.
    #[error("the message has been sent, or is not sent any more")]
    Final,
}

impl UserAccess {
    /// Takes a message out of the queue: it is not sent any more, unless an attempt that is in progress succeeds. What waits
    /// behind it in the conversation is sent next.
    ///
    /// # Errors
    /// When there is no such message, the user may not write in its conversation, it does not wait, or nothing can be stored
    /// now.
    pub async fn withdraw_message(
        &self,
        conversation: ConversationId,
        message: MessageId,
    ) -> Result<(), CommandError<WithdrawRejection>> {
        let may = self.may_answer(conversation).await;
        may.map_err(|refused| refused.map(WithdrawRejection::Conversation))?;
        let delivery = self.system.delivery(message).await?;
        let is_here = delivery.is_some_and(|delivery| delivery.conversation == conversation);
        if !is_here {
            return Err(CommandError::Rejected(WithdrawRejection::UnknownMessage));
        }
        let by = By::from(&self.caller);
        let why = CancelReason::Withdrawn;
        let withdrawn = self.system.cancel_delivery(by, message, why).await;
        withdrawn.map(drop).map_err(|refused| {
            refused.map(|rejection| match rejection {
                DiscardRejection::Unknown => WithdrawRejection::UnknownMessage,
                DiscardRejection::Final => WithdrawRejection::Final,
            })
        })
    }
}
