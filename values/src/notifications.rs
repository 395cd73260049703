//! What account users are notified of, and how they want it.

pub mod pace;
mod quiet_hours;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::quiet_hours::{QuietHours, TimeOfDay, TimeOfDayError, UtcOffset};
use crate::time::UnixMillis;
use crate::words;

words! {
    /// The cause of a notification.
    pub enum NotificationKind {
        /// A customer began a conversation that has no responsible user, or took it up again.
        NewConversation = "new_conversation",
        /// A customer wrote in a conversation whose responsible user this is.
        NewMessage = "new_message",
        /// Another user, or a program, assigned a conversation to this user.
        Assigned = "assigned",
        /// A note of the team mentions this user.
        Mention = "mention",
        /// A reply of this user has failed, and is not tried again.
        SendFailed = "send_failed",
        /// A scheduled reply of this user was due and is held.
        ScheduledHeld = "scheduled_held",
    }

    /// The result of a push to a browser.
    pub enum PushOutcome {
        /// The push service has it.
        Sent = "sent",
        /// The browser has ended its subscription, which is deleted.
        Gone = "gone",
        /// It is too large for the push service.
        TooLarge = "too_large",
        /// The push service refused the key of this installation, or the request.
        Refused = "refused",
        /// The push service could not be reached, or asked for patience, until the notification was too old.
        Failed = "failed",
        /// So many waited that there was no room for it.
        NoRoom = "no_room",
    }
}

/// The notifications that a user wants. The default: all kinds, without a sound, at all hours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationSettings {
    /// The kinds that are switched off.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub off: BTreeSet<NotificationKind>,
    /// True when a notification makes a sound.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sound: bool,
    /// True when a push to a browser has the beginning of the customer's text. Without it, it names the channel alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub show_text: bool,
    /// The hours without notifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_hours: Option<QuietHours>,
}

impl NotificationSettings {
    /// Returns whether the user wants a notification of this kind at this time.
    #[must_use]
    pub fn allows(&self, kind: NotificationKind, now: UnixMillis) -> bool {
        let is_quiet = self.quiet_hours.is_some_and(|hours| hours.contain(now));
        !is_quiet && !self.off.contains(&kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_are_wanted_until_they_are_switched_off() {
        let noon = UnixMillis::from_secs(12 * 3_600);
        let mut settings = NotificationSettings::default();
        for kind in NotificationKind::ALL {
            assert!(settings.allows(kind, noon), "{kind:?}");
        }
        settings.off.insert(NotificationKind::Assigned);
        assert!(!settings.allows(NotificationKind::Assigned, noon));
        assert!(settings.allows(NotificationKind::NewMessage, noon));
        settings.quiet_hours = Some(QuietHours {
            from: "11:30".parse().unwrap(),
            to: "12:30".parse().unwrap(),
            utc_offset: UtcOffset::default(),
        });
        assert!(!settings.allows(NotificationKind::NewMessage, noon));
    }

    #[test]
    fn the_default_is_stored_as_nothing() {
        let default = NotificationSettings::default();
        assert_eq!(serde_json::to_string(&default).unwrap(), "{}");
        let settings = serde_json::from_str::<NotificationSettings>("{}").unwrap();
        assert_eq!(settings, default);
    }
}
