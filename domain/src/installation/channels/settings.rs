//! The settings of a channel. Each field is declared only here. Bodies, their schema, the options of the command line,
//! the keys of `config.toml` and the audit log follow from it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::field::{FieldValue, Given, Shape, fields, text_fields, unfit};
use crate::generation::Generation;
use crate::id::{AccountId, IdError};
use crate::installation::channels::kind::ChannelKind;
use crate::text::ChannelName;
use crate::text::url::HttpUrl;
use crate::webhook::WebhookAddress;

fields! {
    /// The settings of a channel.
    pub struct ChannelSettings;
    /// The changes of a channel; a field that is `None` stays.
    pub struct ChannelChange;

    given {
        name: ChannelName,
            "The name, which is also the title of scopes without one.",
            like "Demo messenger";
    }
    optional {
        kind: ChannelKind = ChannelKind::Other,
            "The messenger or the other way that customers write by, for the console.";
        page: Option<HttpUrl> = None,
            "The page of the integration itself, which the console links for administrators.",
            null "for no page";
        webhook_v1: Option<WebhookAddress> = None,
            "The endpoint of callbacks of version 1; `:scope_id` or `{scope_id}` in it stands for the id of the scope.",
            null "for no callbacks";
        webhook_v2: Option<WebhookAddress> = None,
            "The endpoint of callbacks of version 2; `:scope_id` or `{scope_id}` in it stands for the id of the scope.",
            null "for no callbacks";
        accounts: AllowedAccounts = AllowedAccounts::All,
            "The accounts that may connect: their ids, or `*` alone for all.";
        generation: Option<Generation> = None,
            "The only generation of the chat interface that the channel accepts.",
            null "for both" as "any";
        typing_callbacks: bool = false,
            "Whether to send typing callbacks.";
        reaction_callbacks: bool = false,
            "Whether to send reaction callbacks.";
        buttons: bool = false,
            "Whether the integration shows the buttons of templates. Without it, the text of a message lists them.";
        lists: bool = false,
            "Whether the integration shows list messages. Without it, the text of a message has their rows.";
        window_hours: Option<WindowHours> = None,
            "The time window, in hours: so long after the customer's last message, users send more than templates.",
            null "for no window";
        assign_first_answer: bool = false,
            "Whether a lead without a responsible user is assigned to the user who answers first in its conversation.";
        auto_assign: bool = false,
            "Whether the service assigns conversations that wait to users who are here, fewest open conversations first.";
        assignment_limit: AssignmentLimit = AssignmentLimit::DEFAULT,
            "With automatic assignment: a user who has so many open conversations is assigned no more.";
        timeout_seconds: Option<CallbackTimeout> = None,
            "The time-out of an attempt, in seconds.",
            null "for the default";
    }
}

text_fields! {
    ChannelName: Shape::Line(255);
    ChannelKind: Shape::Words(&ChannelKind::WORDS);
    HttpUrl: Shape::Link;
    WebhookAddress: Shape::Address;
    Generation: Shape::Words(&Generation::WORDS);
}

/// The accounts that may connect to a channel: `*` alone for all, or their ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub enum AllowedAccounts {
    /// Every account of the installation.
    All,
    /// Those named.
    Named(BTreeSet<AccountId>),
}

/// The word for all accounts, which stands alone.
pub const ALL_ACCOUNTS: &str = "*";

impl AllowedAccounts {
    /// Returns whether this account may connect.
    #[must_use]
    pub fn holds(&self, account: AccountId) -> bool {
        match self {
            Self::All => true,
            Self::Named(accounts) => accounts.contains(&account),
        }
    }
}

/// The texts name no accounts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write [\"{ALL_ACCOUNTS}\"] for all, or the ids of accounts ({0})")]
pub struct ScopeAccountsError(IdError);

impl TryFrom<Vec<String>> for AllowedAccounts {
    type Error = ScopeAccountsError;
    fn try_from(texts: Vec<String>) -> Result<Self, ScopeAccountsError> {
        if texts == [ALL_ACCOUNTS] {
            return Ok(Self::All);
        }
        let ids: Result<_, _> = texts.iter().map(|text| text.parse()).collect();
        ids.map(Self::Named).map_err(ScopeAccountsError)
    }
}

impl From<AllowedAccounts> for Vec<String> {
    fn from(accounts: AllowedAccounts) -> Self {
        match accounts {
            AllowedAccounts::All => vec![ALL_ACCOUNTS.to_owned()],
            AllowedAccounts::Named(ids) => ids.iter().map(AccountId::to_string).collect(),
        }
    }
}

impl FieldValue for AllowedAccounts {
    const SHAPE: Shape = Shape::Accounts;

    fn given(given: Given<'_>) -> Result<Self, String> {
        let Given::Texts(texts) = given else {
            return unfit(Self::SHAPE);
        };
        let texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
        Self::try_from(texts).map_err(|wrong| wrong.to_string())
    }

    fn audited(&self) -> Value {
        match self {
            Self::All => ALL_ACCOUNTS.into(),
            Self::Named(_) => self.shown(),
        }
    }
}

/// Declares settings that are whole numbers within a range.
macro_rules! whole_settings {
    ($(
        $(#[doc = $says:literal])+
        $name:ident($stored:ty): $least:literal..=$most:literal $unit:literal,
        $(#[doc = $wrong:literal])+
        $error:ident;
    )+) => {$(
        $(#[doc = $says])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "i64")]
        pub struct $name($stored);

        impl $name {
            /// The least.
            pub const LEAST: i64 = $least;
            /// The most.
            pub const MOST: i64 = $most;
            /// All of them.
            pub const RANGE: RangeInclusive<i64> = Self::LEAST..=Self::MOST;
        }

        $(#[doc = $wrong])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("write a whole number of {} from {} to {}", $unit, $name::LEAST, $name::MOST)]
        pub struct $error;

        impl TryFrom<i64> for $name {
            type Error = $error;
            fn try_from(number: i64) -> Result<Self, $error> {
                match <$stored>::try_from(number) {
                    Ok(whole) if Self::RANGE.contains(&number) => Ok(Self(whole)),
                    Ok(_) | Err(_) => Err($error),
                }
            }
        }

        impl FieldValue for $name {
            const SHAPE: Shape = Shape::Whole(Self::LEAST, Self::MOST);

            fn given(given: Given<'_>) -> Result<Self, String> {
                let Given::Whole(number) = given else {
                    return unfit(Self::SHAPE);
                };
                Self::try_from(number).map_err(|wrong| wrong.to_string())
            }
        }
    )+};
}

whole_settings! {
    /// The time limit of one callback, response included, in whole seconds.
    CallbackTimeout(u8): 1..=30 "seconds",
    /// The number is no such time.
    TimeoutError;
    /// The length of the time window of a channel, in whole hours: at most 30 days.
    WindowHours(u16): 1..=720 "hours",
    /// The number is no such window.
    WindowError;
    /// The number of open conversations of a user from which on the rule assigns them no more.
    AssignmentLimit(u16): 1..=500 "conversations",
    /// The number is no such limit.
    AssignmentLimitError;
}

impl CallbackTimeout {
    /// The time.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_secs(self.0.into())
    }
}

impl WindowHours {
    /// The time.
    #[must_use]
    pub fn duration(self) -> Duration {
        const SECONDS: u64 = 3_600;
        Duration::from_secs(u64::from(self.0).saturating_mul(SECONDS))
    }
}

impl AssignmentLimit {
    /// The limit of a channel that has no other.
    pub const DEFAULT: Self = Self(20);

    /// The number of conversations.
    #[must_use]
    pub fn count(self) -> usize {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::field::HasFields;

    const ONE: &str = "00000000-0000-4000-8000-000000000001";
    const TWO: &str = "00000000-0000-4000-8000-000000000002";

    fn accounts(texts: &[&str]) -> Result<AllowedAccounts, String> {
        AllowedAccounts::given(Given::Texts(texts))
    }

    #[test]
    fn a_star_stands_alone_for_all_accounts() {
        let all = accounts(&["*"]).unwrap();
        assert_eq!((all.shown(), all.audited()), (json!(["*"]), json!("*")));
        assert!(all.holds(ONE.parse().unwrap()));
        let two = accounts(&[TWO, ONE, TWO]).unwrap();
        assert_eq!(
            (two.shown(), two.audited()),
            (json!([ONE, TWO]), json!([ONE, TWO]))
        );
        assert!(!accounts(&[TWO]).unwrap().holds(ONE.parse().unwrap()));
        assert_eq!(accounts(&[]).unwrap().shown(), json!([]));
        for wrong in [&["*", "*"][..], &["*", ONE], &["x"], &[""]] {
            let why = accounts(wrong).unwrap_err();
            assert!(why.contains("write [\"*\"] for all"), "{wrong:?}: {why}");
        }
        for stored in [json!(["*"]), json!([ONE, TWO]), json!([])] {
            let accounts: AllowedAccounts = serde_json::from_value(stored.clone()).unwrap();
            assert_eq!(json!(accounts), stored);
        }
    }

    #[test]
    fn a_callback_time_out_is_1_to_30_seconds() {
        for seconds in [1, 30] {
            let timeout = CallbackTimeout::try_from(seconds).unwrap();
            assert_eq!(json!(timeout), seconds);
        }
        for seconds in [i64::MIN, -1, 0, 31, 256, i64::MAX] {
            let why = CallbackTimeout::try_from(seconds).unwrap_err().to_string();
            assert_eq!(why, "write a whole number of seconds from 1 to 30");
        }
    }

    #[test]
    fn a_window_is_1_to_720_hours() {
        for hours in [1, 720] {
            let window = WindowHours::try_from(hours).unwrap();
            assert_eq!(json!(window), hours);
            let seconds = u64::try_from(hours).unwrap() * 3_600;
            assert_eq!(window.duration(), Duration::from_secs(seconds));
        }
        for hours in [i64::MIN, -1, 0, 721, 65_537, i64::MAX] {
            let why = WindowHours::try_from(hours).unwrap_err().to_string();
            assert_eq!(why, "write a whole number of hours from 1 to 720");
        }
    }

    #[test]
    fn a_limit_is_1_to_500_conversations() {
        for count in [1, 500] {
            let limit = AssignmentLimit::try_from(count).unwrap();
            assert_eq!(json!(limit), count);
        }
        for count in [i64::MIN, -1, 0, 501, 65_537, i64::MAX] {
            let why = AssignmentLimit::try_from(count).unwrap_err().to_string();
            assert_eq!(why, "write a whole number of conversations from 1 to 500");
        }
        assert_eq!(AssignmentLimit::DEFAULT.count(), 20);
    }

    #[test]
    fn a_page_is_an_address_of_the_web_without_credentials() {
        let page = "https://bridge.example.com/settings?lang=en#bot";
        let address = HttpUrl::given(Given::Text(page)).unwrap();
        assert_eq!(address.shown(), json!(page));
        let long = format!("https://e.com/{}", "x".repeat(2_048));
        for wrong in [
            "",
            "/settings",
            "e.com",
            "ftp://e.com/",
            "javascript:alert(1)",
            "https://user@e.com/",
            "https://user:secret@e.com/",
            "https://e.com/\n",
            &long,
        ] {
            assert!(HttpUrl::given(Given::Text(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_kind_is_one_of_the_list_and_other_at_first() {
        let kind = |text| ChannelKind::given(Given::Text(text)).map(|kind| kind.shown());
        for word in ChannelKind::WORDS {
            assert_eq!(kind(word), Ok(json!(word)));
        }
        assert!(kind("Telegram").unwrap_err().contains("\"telegram\""));
        let settings = ChannelSettings::new("A".parse().unwrap());
        assert_eq!(
            (settings.kind, settings.page),
            (ChannelKind::default(), None)
        );
    }

    #[test]
    fn settings_stored_without_a_later_field_get_its_default() {
        let settings: ChannelSettings = serde_json::from_value(json!({ "name": "A" })).unwrap();
        assert_eq!(settings, ChannelSettings::new("A".parse().unwrap()));
        let value = json!(settings);
        let stored_fields = value.as_object().unwrap();
        for field in ChannelSettings::FIELDS {
            let default = (field.default)().unwrap_or_else(|| "A".into());
            assert_eq!(stored_fields[field.name], default, "{}", field.name);
        }
        assert_eq!(stored_fields.len(), ChannelSettings::FIELDS.len());
        assert!(serde_json::from_value::<ChannelSettings>(json!({})).is_err());
    }

    #[test]
    fn a_change_replaces_only_the_fields_it_names() {
        let before = ChannelSettings::new("A".parse().unwrap());
        let change = ChannelChange {
            webhook_v2: Some(Some("https://e.com/".parse().unwrap())),
            typing_callbacks: Some(true),
            ..ChannelChange::default()
        };
        let after = before.clone().with(change.clone());
        assert_eq!(after.since(Some(&before)), change);
        assert_eq!(after.since(Some(&after)), ChannelChange::default());
        assert_eq!(after.since(None), after.clone().into());
        assert_eq!(after.since(None).complete(), Some(after));
        assert_eq!(change.complete(), None);
    }
}
