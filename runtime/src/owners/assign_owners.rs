//! A change of a conversation that changes its owners as well, in one step: the conversation, the CRM and the drafts store it.

use std::error::Error;

use crate::owners::drafts::{SendDraft, SendOutcome};
use crate::shared::Shared;
use switchboard_domain::conversation::Conversation;
use switchboard_domain::conversation::assign_by_rule::AssignedByRule;
use switchboard_domain::conversation::reply_if_unanswered::ReplyOutcome;
use switchboard_domain::crm::Lead;
use switchboard_domain::crm::update_lead::UpdateLeadRejection;
use switchboard_domain::crm::update_owners::{GroupChanged, UpdateOwners};
use switchboard_domain::drafts::delete_sent::DeleteSentDraft;
use switchboard_domain::id::{AccountId, ConversationId};
use switchboard_engine::runtime::joint::{ExecuteJoint, Joint, RejectedBy};
use switchboard_engine::state::Command;

/// The change of the conversation, and what goes along.
#[derive(Debug)]
pub struct AssignOwners<C> {
    /// The change of the conversation.
    pub command: C,
    /// The changes that are stored with it.
    pub along: AlongWithOwners,
}

/// What goes along with a change of the owners of a conversation.
#[derive(Debug)]
pub struct AlongWithOwners {
    /// The conversation.
    pub conversation: ConversationId,
    /// The owners, for the CRM of the account.
    pub owners: UpdateOwners,
    /// The draft that the change sends, which is deleted.
    pub draft: Option<DeleteSentDraft>,
}

/// The rejection of other owners.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnersRejection<E: Error + 'static> {
    /// The conversation rejects its part.
    #[error(transparent)]
    Conversation(E),
    /// The CRM rejects the lead's part.
    #[error(transparent)]
    Lead(UpdateLeadRejection),
}

/// The outcome of a change of a conversation that changes its owners.
pub trait OwnersOutcome {
    /// What the CRM stores of it; `None` when nothing changes.
    fn owners(&self, owners: UpdateOwners) -> Option<UpdateOwners>;
}

impl OwnersOutcome for Option<GroupChanged> {
    fn owners(&self, owners: UpdateOwners) -> Option<UpdateOwners> {
        let is_change = self.is_some() || owners.update.is_some();
        let group = *self;
        is_change.then_some(UpdateOwners { group, ..owners })
    }
}

impl OwnersOutcome for AssignedByRule {
    fn owners(&self, owners: UpdateOwners) -> Option<UpdateOwners> {
        Some(owners)
    }
}

/// A reply that is repeated or refused assigns nothing.
impl OwnersOutcome for ReplyOutcome {
    fn owners(&self, owners: UpdateOwners) -> Option<UpdateOwners> {
        self.is_new().then_some(owners)
    }
}

impl<C> Joint for AssignOwners<C>
where
    C: Command<Of = Conversation, Reply: OwnersOutcome, Rejection: Error>,
{
    type Product = Shared;
    type First = C;
    type Second = ExecuteJoint<SendDraft<UpdateOwners>>;
    type SecondInput = AlongWithOwners;
    type Reply = (Option<C::Reply>, Option<Lead>);
    type Rejection = OwnersRejection<C::Rejection>;

    fn first(self) -> (C, AlongWithOwners) {
        (self.command, self.along)
    }

    fn second(along: AlongWithOwners, outcome: &C::Reply) -> Option<(AccountId, Self::Second)> {
        let command = outcome.owners(along.owners)?;
        let account = command.account;
        let joint = SendDraft {
            conversation: along.conversation,
            command,
            draft: along.draft,
        };
        Some((account, joint.into()))
    }

    fn reply(outcome: Option<C::Reply>, lead: Option<Option<Lead>>) -> Option<Self::Reply> {
        Some((outcome, lead.flatten()))
    }

    fn rejection(by: RejectedBy<C::Rejection, UpdateLeadRejection>) -> Self::Rejection {
        match by {
            RejectedBy::First(why) => OwnersRejection::Conversation(why),
            RejectedBy::Second(why) => OwnersRejection::Lead(why),
        }
    }
}
