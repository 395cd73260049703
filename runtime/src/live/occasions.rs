//! What happened of which users may have to be notified, on its way from the relay to the notifier.

use crate::live::event::{Audience, LiveEvent, What};
use crate::views::message::MessageView;
use switchboard_domain::chat::delivery::DeliveryStatus;
use switchboard_domain::crm::LeadChanged;
use switchboard_domain::id::{AccountId, ConversationId, MessageId, UserId};
use switchboard_domain::notifications::NotificationKind;
use switchboard_domain::scheduled::ScheduledChange;

/// The number of occasions that may wait. What comes when so many wait notifies no user: they have hundreds of messages to read.
pub const WAITING_MAX: usize = 4_096;

/// Something of which users may have to be notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occasion {
    /// The account.
    pub account: AccountId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The cause.
    pub cause: Cause,
}

/// The cause of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A customer's loud message with this number.
    Message(u64),
    /// Something that concerns one user, whatever else they do.
    Personal {
        /// The kind of the notification.
        kind: NotificationKind,
        /// The user whom it concerns.
        user: UserId,
        /// The user who did it; `None` when no user did.
        by: Option<UserId>,
    },
    /// A message of an account user has failed, and is not tried again.
    Failure(MessageId),
}

impl Occasion {
    /// The occasions that a live event is: one for each user whom a note mentions, and none when it notifies no user.
    pub fn from_event(event: &LiveEvent) -> Vec<Self> {
        let Audience::Account(account) = &event.audience else {
            return Vec::new();
        };
        let occasion = |conversation: &ConversationId, cause| Self {
            account: *account,
            conversation: *conversation,
            cause,
        };
        let single = |id, cause: Option<Cause>| Vec::from_iter(cause.map(|it| occasion(id, it)));
        match &event.what {
            What::Message(id, MessageView::In { received, .. }) => {
                let notifies = received.loud && !received.is_imported();
                single(id, notifies.then_some(Cause::Message(received.number)))
            }
            What::Delivery(id, message, DeliveryStatus::Error(_)) => {
                single(id, Some(Cause::Failure(*message)))
            }
            What::Callback(id, message, callback) if callback.state == "dead" => {
                single(id, Some(Cause::Failure(*message)))
            }
            What::Lead(Some(id), changed) => single(id, Cause::assignment(changed)),
            What::Mentioned(id, mentioned) => {
                let mention = |user: &UserId| Cause::Personal {
                    kind: NotificationKind::Mention,
                    user: *user,
                    by: Some(mentioned.by),
                };
                let users = mentioned.users.iter();
                users.map(|user| occasion(id, mention(user))).collect()
            }
            What::ScheduledReply(id, ScheduledChange::Held, reply) => {
                let cause = Cause::Personal {
                    kind: NotificationKind::ScheduledHeld,
                    user: reply.by.user,
                    by: None,
                };
                single(id, Some(cause))
            }
            What::Message(..)
            | What::Changed(..)
            | What::Delivery(..)
            | What::Callback(..)
            | What::Lead(..)
            | What::Read(..)
            | What::Marked(..)
            | What::Snoozed(..)
            | What::Woken(..)
            | What::GroupAssigned(..)
            | What::Fetched(..)
            | What::Typing(..)
            | What::Viewing(..)
            | What::Draft { .. }
            | What::CannedReply { .. }
            | What::SavedView { .. }
            | What::TeamNote(..)
            | What::ScheduledReply(..)
            | What::CustomerTyping(..)
            | What::Health(..)
            | What::Webhook { .. }
            | What::Presence(..)
            | What::Notification(_) => Vec::new(),
        }
    }
}

impl Cause {
    /// The assignment of a lead to another user; `None` when it has the same responsible user as before.
    fn assignment(changed: &LeadChanged) -> Option<Self> {
        let user = changed.lead.responsible?;
        let before = changed.before.as_ref().map(|before| before.responsible);
        // A new lead of a customer's message has the responsible user of the last one: the message notifies them.
        let is_new = match before {
            Some(before) => before != Some(user),
            None => changed.by.is_some(),
        };
        (changed.newest && is_new).then_some(Self::Personal {
            kind: NotificationKind::Assigned,
            user,
            by: changed.by,
        })
    }
}
