//! The live events of an account.

use crate::caches::read_cache::Caller;
use crate::typing::Typing;
use crate::viewing::Viewer;
use crate::views::callback::CallbackView;
use crate::views::message::MessageView;
use switchboard_domain::account::presence::Presence;
use switchboard_domain::chat::delivery::DeliveryStatus;
use switchboard_domain::conversation::fetch::Fetched;
use switchboard_domain::conversation::{GroupAssigned, Marked, Mentioned, Read, Snooze, Woken};
use switchboard_domain::crm::LeadChanged;
use switchboard_domain::drafts::draft::DraftKind;
use switchboard_domain::hook_version::HookVersion;
use switchboard_domain::id::{
    AccountId, CannedReplyId, ChannelId, ConversationId, MessageId, NotificationId, SavedViewId,
    SubscriptionId, UserId,
};
use switchboard_domain::notifications::NotificationKind;
use switchboard_domain::scheduled::ScheduledChange;
use switchboard_domain::scheduled_replies::scheduled_reply::ScheduledReply;
use switchboard_domain::team_notes::note::TeamNote;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveEvent {
    /// The number of its record; `None` for what is not stored.
    pub number: Option<u64>,
    /// The listeners whom it concerns.
    pub audience: Audience,
    /// The content of the event.
    pub what: What,
}

/// The listeners whom an event concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// An account.
    Account(AccountId),
    /// Every account that is connected to a channel.
    Channel(ChannelId),
}

/// The content of a live event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A message is new, in either direction.
    Message(ConversationId, MessageView),
    /// A message has a new version, or other reactions on it.
    Changed(ConversationId, MessageId),
    /// The integration reported on an account user's message.
    Delivery(ConversationId, MessageId, DeliveryStatus),
    /// Something changed about the callback of an account user's message.
    Callback(ConversationId, MessageId, CallbackView),
    /// A lead is new, or is as follows now; with its chat, if it has one, and the reason of another responsible user.
    Lead(Option<ConversationId>, Box<LeadChanged>),
    /// An account user has read a conversation.
    Read(ConversationId, Read),
    /// An account user marked a conversation.
    Marked(ConversationId, Marked),
    /// An account user snoozed a conversation.
    Snoozed(ConversationId, Box<Snooze>),
    /// The snooze of a conversation ended.
    Woken(ConversationId, Woken),
    /// A conversation has another group, or none.
    GroupAssigned(ConversationId, Box<GroupAssigned>),
    /// The file of a message, or the picture of a person, was checked.
    Fetched(ConversationId, Box<Fetched>),
    /// An account user is writing.
    Typing(ConversationId, Caller),
    /// An account user has a conversation open.
    Viewing(ConversationId, Viewer),
    /// A page of an account user stored a draft of theirs; the other pages of that user alone hear of it.
    Draft {
        /// The conversation.
        conversation: ConversationId,
        /// The writer.
        user: UserId,
        /// The kind of the draft.
        kind: DraftKind,
        /// The number of the version.
        number: u64,
    },
    /// A canned reply is new, has changed or is gone.
    CannedReply {
        /// The canned reply.
        id: CannedReplyId,
        /// The only user who hears of it; `None` when it is shared, or was.
        author: Option<UserId>,
    },
    /// A saved view is new, has changed or is gone.
    SavedView {
        /// The view.
        id: SavedViewId,
        /// The only user who hears of it; `None` when it is the team's.
        author: Option<UserId>,
    },
    /// A note of the team is new, or is as follows now.
    TeamNote(ConversationId, Box<TeamNote>),
    /// A scheduled reply is new, or is as follows now.
    ScheduledReply(ConversationId, ScheduledChange, Box<ScheduledReply>),
    /// A note of the team mentions users; they alone hear of it.
    Mentioned(ConversationId, Box<Mentioned>),
    /// A person on the customer's side is writing.
    CustomerTyping(ConversationId, Typing),
    /// The address for callbacks of a channel fails, works again, or was given up.
    Health(HookVersion, Health),
    /// A webhook of the account was switched off, or on again.
    Webhook {
        /// The webhook.
        id: SubscriptionId,
        /// True if it gets hooks now.
        is_on: bool,
    },
    /// A user is here, or away.
    Presence(UserId, Presence),
    /// A user is notified: their pages alone hear of it.
    Notification(Box<Notification>),
}

/// A notification of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Its id.
    pub id: NotificationId,
    /// The user.
    pub user: UserId,
    /// The subject.
    pub subject: NotificationSubject,
    /// True when it makes a sound.
    pub sound: bool,
}

/// The kind and the tag of a notification about several things.
const SUMMARY: &str = "summary";

/// The subject of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotificationSubject {
    /// One thing.
    One {
        /// The cause.
        kind: NotificationKind,
        /// The conversation.
        conversation: ConversationId,
        /// The title of its channel.
        channel: String,
    },
    /// Several things that happened within a short time.
    Several {
        /// The number of things.
        count: u64,
        /// The number of their conversations.
        conversations: usize,
    },
}

impl NotificationSubject {
    /// The word for its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::One { kind, .. } => kind.as_str(),
            Self::Several { .. } => SUMMARY,
        }
    }

    /// The conversation; `None` of several things.
    #[must_use]
    pub fn conversation(&self) -> Option<ConversationId> {
        match self {
            Self::One { conversation, .. } => Some(*conversation),
            Self::Several { .. } => None,
        }
    }

    /// The tag: a later notification with the same one takes its place.
    #[must_use]
    pub fn tag(&self) -> String {
        let conversation = self.conversation();
        conversation.map_or_else(|| SUMMARY.to_owned(), |id| id.to_string())
    }

    /// The title of the channel; `None` of several things.
    #[must_use]
    pub fn channel(&self) -> Option<&str> {
        match self {
            Self::One { channel, .. } => Some(channel),
            Self::Several { .. } => None,
        }
    }

    /// The number of things that happened.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::One { .. } => 1,
            Self::Several { count, .. } => *count,
        }
    }

    /// The number of their conversations.
    #[must_use]
    pub fn conversations(&self) -> usize {
        match self {
            Self::One { .. } => 1,
            Self::Several { conversations, .. } => *conversations,
        }
    }
}

/// The health of a channel's address for callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// It fails; callbacks are held, and it is probed.
    Failing,
    /// It takes callbacks again.
    Recovered,
    /// It was given up until an operator switches it on again.
    Disabled,
}
