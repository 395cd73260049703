//! A reply assigns a lead without a responsible user to its author, where the channel has `assign_first_answer`.

use crate::domain::account::rights::EntityAction;
use crate::domain::conversation::first_answer::FirstAnswer;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::conversation::reply_if_unanswered::{ReplyIfUnanswered, ReplyOutcome};
use crate::domain::crm::assignment::AssignmentReason;
use crate::domain::crm::update_lead::UpdateLead;
use crate::domain::drafts::delete_sent::DeleteSentDraft;
use crate::domain::drafts::draft::DraftKind;
use crate::system::user_access::answerable::Answerable;
use crate::system::user_access::{TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::assign_owners::{AssignOwners, OwnersRejection};
use switchboard_runtime::owners::drafts::SendDraft;

impl UserAccess {
    /// The assignment that a reply of the user makes: that of the newest lead, when no user is responsible for it. A program that
    /// acts for the user is assigned none.
    pub(super) async fn first_assignment(
        &self,
        place: &Answerable,
    ) -> Result<Option<UpdateLead>, UnavailableError> {
        let channel = self.system.channel(place.scope.channel());
        let is_on = channel.is_some_and(|it| it.channel.settings.assign_first_answer);
        if !is_on || self.caller.client.is_some() {
            return Ok(None);
        }
        let lead = self.system.lead_of(place.conversation).await?;
        let free = lead.filter(|lead| {
            lead.responsible.is_none() && self.require_right(EntityAction::Edit, lead).is_ok()
        });
        let (user, reason) = (Some(self.caller.user), AssignmentReason::FirstAnswer);
        Ok(free.map(|lead| self.assignment(lead, user, reason)))
    }

    /// Stores an answer, with the assignment that it makes; the draft that it was is deleted.
    pub(super) async fn store_answer(
        &self,
        place: &Answerable,
        answer: ReplyIfUnanswered,
        draft: Option<u64>,
    ) -> Result<ReplyOutcome, CommandError<ReplyRejection>> {
        let (kernel, conversation) = (self.system.kernel(), place.conversation);
        let draft = draft.map(|number| DeleteSentDraft {
            user: self.caller.user,
            kind: DraftKind::Reply,
            number,
        });
        let _accepted = kernel.gate.enter()?;
        for _ in 0..TRIES {
            let Some(update) = self.first_assignment(place).await? else {
                break;
            };
            let command = FirstAnswer {
                answer: answer.clone(),
                open: update.seen.is_active(),
            };
            let along = self.along(conversation, Some(update), draft);
            match execute_joint(kernel, &conversation, AssignOwners { command, along }).await {
                Ok((outcome, _lead)) => return Ok(outcome.ok_or(UnavailableError::Interrupted)?),
                // Another user has the lead now, or changed it: the answer alone, or with the lead as it is.
                Err(CommandError::Rejected(OwnersRejection::Lead(_))) => {}
                Err(CommandError::Rejected(OwnersRejection::Conversation(why))) => {
                    return Err(CommandError::Rejected(why));
                }
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        // The lead is another user's by now, or changes all the time: the answer does not wait for it.
        if draft.is_none() {
            return execute(kernel, &conversation, answer).await;
        }
        let joint = SendDraft {
            conversation,
            command: answer,
            draft,
        };
        execute_joint(kernel, &conversation, joint).await
    }
}
