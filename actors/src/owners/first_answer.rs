//! A reply that assigns the lead of its conversation: the conversation, the CRM and the drafts store it in one step.

use crate::domain::conversation::first_answer::FirstAnswer;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::conversation::reply_if_unanswered::ReplyOutcome;
use crate::domain::crm::Lead;
use crate::domain::crm::update_lead::{UpdateLead, UpdateLeadRejection};
use crate::domain::drafts::delete_sent::DeleteSentDraft;
use crate::domain::id::{AccountId, ConversationId};
use crate::owners::drafts::{SendDraft, SendOutcome};
use crate::shared::Shared;
use switchboard_engine::runtime::joint::{ExecuteJoint, Joint, RejectedBy};

/// A first answer, the change of the lead, and the draft that the answer was.
#[derive(Debug)]
pub(crate) struct AssignFirstAnswer {
    pub(crate) answer: FirstAnswer,
    pub(crate) assignment: Assignment,
}

/// The change of the lead, and the draft that the answer was.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) conversation: ConversationId,
    pub(crate) update: UpdateLead,
    pub(crate) draft: Option<DeleteSentDraft>,
}

/// The rejection of a first answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FirstAnswerRejection {
    #[error(transparent)]
    Reply(ReplyRejection),
    #[error(transparent)]
    Lead(UpdateLeadRejection),
}

impl Joint for AssignFirstAnswer {
    type Product = Shared;
    type First = FirstAnswer;
    type Second = ExecuteJoint<SendDraft<UpdateLead>>;
    type SecondInput = Assignment;
    type Reply = ReplyOutcome;
    type Rejection = FirstAnswerRejection;

    fn first(self) -> (FirstAnswer, Assignment) {
        (self.answer, self.assignment)
    }

    fn second(assignment: Assignment, outcome: &ReplyOutcome) -> Option<(AccountId, Self::Second)> {
        let account = assignment.update.account;
        let joint = SendDraft {
            conversation: assignment.conversation,
            command: assignment.update,
            draft: assignment.draft,
        };
        outcome.is_new().then(|| (account, joint.into()))
    }

    fn reply(outcome: Option<ReplyOutcome>, _lead: Option<Lead>) -> Option<ReplyOutcome> {
        outcome
    }

    fn rejection(by: RejectedBy<ReplyRejection, UpdateLeadRejection>) -> FirstAnswerRejection {
        match by {
            RejectedBy::First(why) => FirstAnswerRejection::Reply(why),
            RejectedBy::Second(why) => FirstAnswerRejection::Lead(why),
        }
    }
}
