//! An account as one of its users sees it: shows and does only what the user's rights cover.
//!
//! Every read and every change of the account side goes through a [`UserAccess`], and every question whether something
//! may be done goes through [`Users::authorize`]. A lead is judged by its stage, its responsible user, and whether the user
//! follows its chat. A conversation is judged as its newest lead; one without a lead counts as an object without a
//! responsible user and without a stage. A user may answer in a conversation if they may change its lead. The answer
//! for an object that the user may not see is the same as for one that does not exist.
//!
//! Lists are filtered before they are cut into pages. A user whose rights reach only their own objects gets rows of
//! their own. Every other user gets the rows of the account, without those that they may not see. A page examines at
//! most [`EXAMINED_MAX`] entries, a page of a search as many as its [`SearchBudget`] says. If that is not enough, the page
//! is short, and its cursor continues behind the last entry examined.

mod answerable;
mod assign_group;
mod by_address;
mod canned_replies;
mod channels;
mod chats;
mod close_conversation;
mod close_talk;
mod contacts;
mod conversations;
mod counts;
mod create_complex_leads;
mod create_contacts;
mod create_leads;
mod create_unsorted;
mod custom_fields;
mod damaged;
mod dismiss_failures;
mod drafts;
mod entity_filter;
mod events;
mod explain;
mod first_answer;
mod leads;
mod link_unsorted;
mod links;
mod listen;
mod mark_read;
mod mark_unread;
mod mentionable_users;
mod mentioned;
mod messages;
mod notes;
mod paging;
mod pipelines;
mod presence;
mod pushes;
mod react;
mod reply;
mod salesbots;
mod saved_views;
mod scheduled_replies;
mod send_talk_message;
mod snooze_conversation;
mod sources;
mod start_conversation;
mod tags;
mod talk_messages;
mod tasks;
mod team_notes;
mod templates;
mod typing;
mod unsorted;
mod unsorted_summary;
mod update_conversations;
mod update_me;
mod update_my_password;
mod update_responsible;
mod users;
mod viewing;
mod wake_conversation;
mod webhooks;
mod window;
mod withdraw_message;

use std::sync::Arc;

pub use answerable::AnswerRejection;
pub use canned_replies::{
    CannedReplyEntry, CannedReplyPage, CannedReplyPosition, CannedReplySearch, FilledCannedReply,
};
pub use channels::AccountChannel;
pub use chats::{ChatFilter, LinkChatsRejection, LinkWanted, Unknown};
pub(crate) use conversations::SEARCHES_MAX;
pub use conversations::{
    ConversationFilter, ConversationPage, FoundConversation, SearchBudget, Searched,
};
pub use counts::{COUNTED_MAX, WaitingCount, WaitingCounts};
pub use drafts::UpdateDraftRejection;
pub use entity_filter::{EntityFilter, ListOrder, OrderKey, Span, ValueFilter};
pub use events::{AccountEvent, EventFilter};
pub use explain::AccessQuestion;
pub use link_unsorted::LinkUnsortedRejection;
pub use links::{Link, LinksRejection, UnknownEnd};
pub use mentionable_users::MentionableUser;
pub use notes::{NoteFilter, NotesOf, NotesRejection};
pub use paging::{EXAMINED_MAX, ListPosition, Listed, PageStart};
pub use react::UserReaction;
pub use reply::ReplyRequest;
pub use salesbots::{RunRejection, RunRequest, RunSubject, RunsRejection};
pub use saved_views::{FiltersRejection, ListFilters, SavedViewEntry};
pub use scheduled_replies::{NewScheduledReply, ScheduleRejection};
pub use start_conversation::{FirstMessage, FirstMessageRejection};
pub use tags::TagFilter;
pub use talk_messages::TalkMessages;
pub use tasks::{TaskFilter, TasksRejection};
pub use team_notes::{NoteContent, NoteRejection, TeamNotePage};
pub use templates::{FilledTemplate, ReviewDecision, TemplateUseRejection};
pub use unsorted::WaitingConversation;
pub use unsorted_summary::UnsortedSummary;
pub use update_conversations::{ConversationOutcome, ConversationsReport};
pub use update_my_password::{PasswordChange, PasswordRejection};
pub use update_responsible::ConversationLeadRejection;
pub use withdraw_message::WithdrawRejection;

use crate::domain::account::rights::calculation::{AccessDecision, Operation, Source};
use crate::domain::account::rights::{EntityAction, Grant, Right};
use crate::domain::account::users::Users;
use crate::domain::account::users::rule::Resource;
use crate::domain::crm::create_leads::CreateLeadsRejection;
use crate::domain::crm::make_tags::TagsRejection;
use crate::domain::crm::predefined_field::FieldIds;
use crate::domain::crm::tag::TAGS_OF_ONE_MAX;
use crate::domain::crm::{Contact, Lead};
use crate::domain::id::{LeadId, UserId};
use crate::domain::keys;
use crate::domain::tables;
use crate::system::System;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::UnavailableError;

/// An account as one of its users sees it.
///
/// ```
/// use switchboard_actors::Caller;
/// use switchboard_actors::system::System;
/// use switchboard_actors::system::user_access::UserAccess;
///
/// async fn access(system: &System, caller: &Caller) -> Option<UserAccess> {
///     system.user_access(caller).await.ok()
/// }
/// ```
///
/// The whole system, which rights do not bound, is out of reach of those who have it:
///
/// ```compile_fail,E0616
/// use switchboard_actors::system::System;
/// use switchboard_actors::system::user_access::UserAccess;
///
/// fn bypass(access: UserAccess) -> System {
///     access.system
/// }
/// ```
#[derive(Clone)]
pub struct UserAccess {
    system: System,
    caller: Caller,
    users: Arc<Users>,
}

/// The number of times that a change is tried when another caller changes the same thing at the same moment.
const TRIES: usize = 4;

/// The rejection of a change in the account's CRM.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrmRejection {
    /// There is no such thing, or the user may not see it.
    #[error("there is no such thing")]
    Unknown,
    /// The user sees it, and may not do this with it.
    #[error("you need the right to {} it", .0.key())]
    Denied(EntityAction),
    /// The lead is not in an unsorted stage any more.
    #[error("the lead is no longer unsorted: another user accepted or declined it")]
    NotUnsorted,
    /// The stage that the lead was to be in does not exist any more.
    #[error("the status was deleted at the same time; choose another one")]
    StageGone,
    /// The talk is closed already.
    #[error("Talk is closed")]
    TalkClosed,
    /// It is not any more as the caller left it.
    #[error("a colleague changed the conversation meanwhile; it stays as it is now")]
    ChangedMeanwhile,
    /// The responsible user is another than the caller saw.
    #[error("the responsible user has changed since you read the conversation")]
    OtherResponsible(Option<UserId>),
    /// The account has as many tags as it can have.
    #[error(transparent)]
    TooManyTags(#[from] TagsRejection),
    /// The thing would have more tags than one can have.
    #[error("a lead or a contact has at most {TAGS_OF_ONE_MAX} tags; this one would have more")]
    TooManyTagsOfOne,
    /// The values of its custom fields would take more bytes than one can have.
    #[error("custom_fields_values: the values of one lead or contact take at most {0} bytes")]
    ValuesTooLarge(usize),
}

impl From<CreateLeadsRejection> for CrmRejection {
    fn from(rejection: CreateLeadsRejection) -> Self {
        match rejection {
            CreateLeadsRejection::TooManyTags(full) => full.into(),
            CreateLeadsRejection::StageGone => Self::StageGone,
        }
    }
}

/// The reach of a user's right to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Everything, without a look at it.
    Everything,
    /// The user's own entities: those they answer for or follow.
    Own,
    /// It depends on each.
    Some,
}

impl System {
    /// The account as this user sees it now.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn user_access(&self, caller: &Caller) -> Result<UserAccess, UnavailableError> {
        Ok(UserAccess {
            system: self.clone(),
            caller: caller.clone(),
            users: self.users(caller.account).await?,
        })
    }
}

impl UserAccess {
    /// The numbers of the fields of contacts.
    #[must_use]
    pub fn field_ids(&self) -> FieldIds {
        let account = self.system.account(self.caller.account);
        account.map_or_else(FieldIds::default, |it| it.settings.field_ids())
    }

    /// The users of the account.
    #[must_use]
    pub fn users(&self) -> &Users {
        &self.users
    }

    /// Returns whether the user is an administrator of the account.
    fn is_administrator(&self) -> bool {
        let user = self.users.get(self.caller.user);
        user.is_some_and(|user| user.is_admin())
    }

    /// Rules on what the user wants to do.
    #[must_use]
    pub fn authorize(&self, operation: Operation, thing: &Resource) -> AccessDecision {
        self.users.authorize(self.caller.user, operation, thing)
    }

    fn of_lead(lead: &Lead, subscriber: bool) -> Resource {
        Resource {
            responsible: lead.responsible,
            stage: Some((lead.pipeline, lead.stage)),
            subscriber,
        }
    }

    fn of_contact(contact: &Contact) -> Resource {
        Resource {
            responsible: contact.responsible,
            ..Resource::UNOWNED
        }
    }

    /// Returns whether the user may see a lead; whether they follow its chat is only looked up if it matters.
    fn sees_lead(&self, lead: &Lead) -> Result<bool, UnavailableError> {
        let view = Operation::Leads(EntityAction::View);
        if self.authorize(view, &Self::of_lead(lead, false)).allowed {
            return Ok(true);
        }
        if !self.authorize(view, &Self::of_lead(lead, true)).allowed {
            return Ok(false);
        }
        self.follows(self.caller.user, lead.id)
    }

    fn follows(&self, user: UserId, lead: LeadId) -> Result<bool, UnavailableError> {
        let row = keys::lead_of_row(self.caller.account, user, lead, true);
        Ok(self
            .system
            .kernel()
            .index
            .row(tables::LEADS_OF, &row)?
            .is_some())
    }

    /// The reach of the right to see leads, and with them conversations.
    fn reach_of_leads(&self) -> Reach {
        self.reach(|rights| {
            let stages = || rights.stages.iter().map(|(_, _, stage)| stage);
            let stage =
                |grant| stages().any(|stage| stage.grant(EntityAction::View) == Some(grant));
            let incoming = stage(Grant::Allowed);
            match rights.leads.right(EntityAction::View) {
                Right::All if !stage(Grant::Denied) => Reach::Everything,
                Right::Main | Right::Denied if !incoming => Reach::Own,
                Right::All | Right::Group | Right::Main | Right::Denied => Reach::Some,
            }
        })
    }

    fn reach_of_contacts(&self) -> Reach {
        self.reach(|rights| match rights.contacts.right(EntityAction::View) {
            Right::All => Reach::Everything,
            Right::Group => Reach::Some,
            Right::Main | Right::Denied => Reach::Own,
        })
    }

    fn reach(
        &self,
        of: impl FnOnce(&crate::domain::account::rights::granted::Rights) -> Reach,
    ) -> Reach {
        let Some(user) = self.users.get(self.caller.user) else {
            return Reach::Own;
        };
        match self.users.source(user) {
            Source::Inactive | Source::Free => Reach::Own,
            Source::Administrator => Reach::Everything,
            Source::Role(_, rights) | Source::Own(rights) => of(rights),
        }
    }
}
