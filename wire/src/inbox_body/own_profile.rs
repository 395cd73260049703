//! The body of a change that users make of themselves.

use crate::body;
use crate::body::value::Found;
use crate::body_values;
use crate::domain::account::presence::Presence;
use crate::domain::installation::accounts::Lang;
use crate::domain::text::UserName;
use crate::inbox_body::notifications::NotificationsBody;
use crate::schema::Schema;

body!(
    /// A change of the own name, language, notifications and presence.
    pub struct OwnChange {
        name: Option<UserName>,
        lang: Option<Lang>,
        /// They take the place of the present ones as a whole.
        notifications: Option<NotificationsBody>,
        /// `here` takes conversations. `away` takes none and keeps those that the caller has; `away_give_back` gives those that wait
        /// for an answer back after 15 minutes.
        presence: Option<Presence>,
    }
);

body_values! {
    Presence: Schema::words(Presence::WORDS), |found: Found<'_, '_>| found.choice(&Presence::NAMES);
}
