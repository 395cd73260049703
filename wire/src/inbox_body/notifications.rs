//! The notifications that a user wants.

use schemars::JsonSchema;
use serde::Serialize;

use crate::body;
use crate::body::value::{Found, Whole};
use crate::body_values;
use crate::domain::notifications::{
    NotificationKind, NotificationSettings, QuietHours, TimeOfDay, UtcOffset,
};
use crate::schema::Schema;

body!(
    /// The notifications that a user wants.
    pub struct NotificationsBody {
        /// The kinds that are switched off; none if it is left out.
        off: Option<NotificationKinds>,
        /// True when a notification makes a sound.
        #[body(default(false))]
        sound: bool,
        /// True when a push to a browser has the beginning of the customer's text.
        #[body(default(false))]
        show_text: bool,
        /// The hours without notifications; none with null, or if it is left out.
        #[body(null)]
        quiet_hours: Option<QuietHoursBody>,
    }
);

body!(
    /// The hours without notifications.
    pub struct QuietHoursBody {
        /// The first minute.
        from: TimeOfDay,
        /// The minute behind the last one; it may be of the next day. The same time twice stands for no hours.
        to: TimeOfDay,
        /// The minutes by which the caller's clock is ahead of UTC.
        #[body(default(0))]
        utc_offset: Whole<{ UtcOffset::LEAST }, { UtcOffset::MOST }>,
    }
);

/// Kinds of notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationKinds(pub Vec<NotificationKind>);

body_values! {
    TimeOfDay: Schema::for_type::<TimeOfDay>(), Found::parsed;
    NotificationKinds: Schema::few(Schema::words(NotificationKind::WORDS), 0, NotificationKind::ALL.len()), |found| {
        found
            .choices(&NotificationKind::NAMES, 0..=NotificationKind::ALL.len())
            .map(Self)
    };
}

impl From<NotificationsBody> for NotificationSettings {
    fn from(body: NotificationsBody) -> Self {
        Self {
            off: body.off.into_iter().flat_map(|kinds| kinds.0).collect(),
            sound: body.sound,
            show_text: body.show_text,
            quiet_hours: body.quiet_hours.map(|hours| QuietHours {
                from: hours.from,
                to: hours.to,
                utc_offset: UtcOffset::from_minutes(hours.utc_offset.get()),
            }),
        }
    }
}

/// The notifications that a user wants, as the user is shown them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Notifications")]
pub struct NotificationsView {
    /// The kinds that are switched off.
    off: Vec<NotificationKind>,
    /// True when a notification makes a sound.
    sound: bool,
    /// True when a push to a browser has the beginning of the customer's text.
    show_text: bool,
    /// The hours without notifications.
    quiet_hours: Option<QuietHoursView>,
}

/// The hours without notifications, as the user is shown them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct QuietHoursView {
    /// The first minute.
    from: TimeOfDay,
    /// The minute behind the last one.
    to: TimeOfDay,
    /// The minutes by which the caller's clock is ahead of UTC.
    utc_offset: i64,
}

impl NotificationsView {
    /// These settings, each field whether it is the default or not.
    #[must_use]
    pub fn new(settings: &NotificationSettings) -> Self {
        Self {
            off: settings.off.iter().copied().collect(),
            sound: settings.sound,
            show_text: settings.show_text,
            quiet_hours: settings.quiet_hours.map(|hours| QuietHoursView {
                from: hours.from,
                to: hours.to,
                utc_offset: hours.utc_offset.minutes(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::json::BodyError;

    #[test]
    fn what_is_left_out_is_the_default() {
        let read = |body: &str| {
            NotificationSettings::from(NotificationsBody::read(body.as_bytes()).unwrap())
        };
        assert_eq!(read("{}"), NotificationSettings::default());
        let settings = read(
            r#"{"off":["assigned","assigned"],"sound":true,"quiet_hours":{"from":"22:00","to":"07:30","utc_offset":-300}}"#,
        );
        assert_eq!(settings.off.len(), 1);
        assert!(settings.sound);
        let hours = settings.quiet_hours.unwrap();
        assert_eq!(hours.to.to_string(), "07:30");
        assert_eq!(hours.utc_offset.minutes(), -300);
        assert_eq!(read(r#"{"quiet_hours":null}"#).quiet_hours, None);
    }

    #[test]
    fn all_that_is_wrong_is_reported_with_its_path() {
        let body =
            r#"{"off":["all"],"sound":1,"quiet_hours":{"from":"7:00","utc_offset":900},"x":1}"#;
        let Err(BodyError::Invalid(wrong)) = NotificationsBody::read(body.as_bytes()) else {
            panic!("it is read");
        };
        let mut paths: Vec<_> = wrong.kept().iter().map(|it| it.path.clone()).collect();
        paths.sort();
        let expected = [
            "off.0",
            "quiet_hours.from",
            "quiet_hours.to",
            "quiet_hours.utc_offset",
            "sound",
            "x",
        ];
        assert_eq!(paths, expected);
    }
}
