//! Every id is a type of its own, so that two of them cannot be swapped.
//!
//! Ids of the service are UUIDs of version 4 in form (some clients check the version); ids of an
//! integration are opaque text of 1 to 255 characters without control characters.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::schema::schema_of;
use crate::text::is_line;

/// The text is not an id of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct IdError {
    /// The form of an id of this kind.
    pub expected: &'static str,
}

/// Declares an id of the service: a UUID, written in lower case with hyphens, never nil.
macro_rules! service_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);
        schema_of!($name, { "type": "string", "format": "uuid" });

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(UuidText).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut text = Uuid::encode_buffer();
                serializer.serialize_str(self.0.as_hyphenated().encode_lower(&mut text))
            }
        }

        impl $name {
            /// The id made of 16 random bytes: they become a UUID of version 4.
            #[must_use]
            pub fn from_random(bytes: [u8; 16]) -> Self {
                Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
            }

            /// The 16 bytes of the id.
            #[must_use]
            pub fn bytes(self) -> [u8; 16] {
                self.0.into_bytes()
            }

            /// The id of these 16 bytes, as [`Self::bytes`] gave them.
            #[must_use]
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                parse_uuid(text).map(Self)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

/// Declares an id of an integration: text of 1 to 255 characters, no control characters.
macro_rules! client_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);
        schema_of!($name, { "type": "string" });

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl $name {
            /// The text of the id.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                check_client_id(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                check_client_id(&text)?;
                Ok(Self(text))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    )*};
}

/// Declares a number that counts things, from 1.
macro_rules! number_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);
        schema_of!($name, { "type": "integer", "format": "int64", "minimum": 1 });

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                match text.parse() {
                    Ok(number) if plain && number > 0 => Ok(Self(number)),
                    Ok(_) | Err(_) => Err(IdError { expected: "a positive whole number" }),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

service_id! {
    /// An account, as the chat interface names it (`account_id`).
    AccountId,
    /// A conversation on the service side (`conversation.id` of a v2 callback).
    ConversationId,
    /// A message on the service side (`message.message.id` of a v2 callback).
    MessageId,
    /// A request to a webhook, the same in each of its attempts.
    HookRequestId,
    /// A file that an account user uploaded; knowing it is enough to fetch the file.
    MediaId,
    /// A person on the service side: a customer, an account user as the chat knows them, a bot.
    PersonId,
    /// An entry of the audit log.
    AuditId,
    /// An OAuth client (`client_id`).
    OauthClientId,
    /// A change of several conversations that its user may undo.
    UndoId,
    /// A notification of a user.
    NotificationId,
}

client_id! {
    /// The integration's id of a conversation (`conversation_id`).
    ClientConversationId,
    /// The integration's id of a message (`msgid`).
    ClientMessageId,
    /// The idempotency key of an account user's program: a repeated request with the same key takes effect once.
    IdempotencyKey,
    /// The integration's id of a person (`sender.id`).
    ClientPersonId,
}

number_id! {
    /// An account, as the account interface names it (`account_id`). The installation counts its accounts.
    AccountNumber,
    /// An account user.
    UserId,
    /// A bearer token, among those of its user.
    TokenId,
    /// A subscription of a browser to pushes, among all that its user ever had.
    PushId,
    /// A role.
    RoleId,
    /// A group of users.
    GroupId,
    /// A grant of an account to an OAuth client, among all that the account ever gave.
    GrantNumber,
    /// A webhook of an account.
    SubscriptionId,
    /// A salesbot of an account.
    SalesbotId,
    /// A run of a salesbot, among all that the account ever began.
    SalesbotRunId,
    /// A template of an account.
    TemplateId,
    /// A canned reply, among all that the account ever had.
    CannedReplyId,
    /// A saved view, among all that the account ever had.
    SavedViewId,
    /// A review of a template, among all that the account ever had.
    ReviewId,
}

mod crm;
mod salesbot_return;
mod scope;
mod stream;

pub use self::crm::*;
pub use self::salesbot_return::SalesbotReturnId;
pub use self::scope::ScopeId;

/// A channel: `[A-Za-z0-9-]` and `_`, 1 to 64 characters. The vendor gives UUIDs; any plain name does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ChannelId(String);
schema_of!(ChannelId, { "type": "string" });

impl ChannelId {
    const EXPECTED: IdError = IdError {
        expected: "a channel id: letters, digits, - and _, at most 64 of them",
    };

    /// An id made of 16 random bytes, in the form that the vendor's have: a UUID of version 4.
    #[must_use]
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(
            uuid::Builder::from_random_bytes(bytes)
                .into_uuid()
                .to_string(),
        )
    }

    /// The text of the id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ChannelId {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if (1..=64).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Self::EXPECTED)
        }
    }
}

impl TryFrom<String> for ChannelId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<ChannelId> for String {
    fn from(id: ChannelId) -> Self {
        id.0
    }
}

impl fmt::Display for ChannelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ChannelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads the text of a UUID where it lies: records hold many.
struct UuidText;

impl Visitor<'_> for UuidText {
    type Value = Uuid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a UUID")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Uuid, E> {
        parse_uuid(text).map_err(E::custom)
    }
}

/// Hyphenated form only, any case: `{…}`, `urn:uuid:` and 32 bare digits are not ids here.
fn parse_uuid(text: &str) -> Result<Uuid, IdError> {
    const EXPECTED: IdError = IdError {
        expected: "a UUID in the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
    };
    if text.len() != 36 {
        return Err(EXPECTED);
    }
    match Uuid::try_parse(text) {
        Ok(id) if !id.is_nil() => Ok(id),
        Ok(_) | Err(_) => Err(EXPECTED),
    }
}

fn check_client_id(text: &str) -> Result<(), IdError> {
    if is_line(text, 255) {
        Ok(())
    } else {
        Err(IdError {
            expected: "1 to 255 characters, none of them a control character",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";

    #[test]
    fn a_scope_id_is_split_at_its_last_underscore() {
        let scope: ScopeId = format!("a_b_{ACCOUNT}").parse().unwrap();
        assert_eq!(scope.channel().as_str(), "a_b");
        assert_eq!(scope.account().to_string(), ACCOUNT);
        assert_eq!(scope.to_string(), format!("a_b_{ACCOUNT}"));
    }

    #[test]
    fn a_malformed_scope_id_is_refused() {
        for text in [
            "",
            "_",
            ACCOUNT,
            "chan_",
            "chan_x",
            "ch/an_af9945ff-1490-4cad-807d-945c15d88bec",
        ] {
            assert!(text.parse::<ScopeId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_uuid_has_one_form_and_is_never_nil() {
        assert_eq!(
            ACCOUNT
                .to_uppercase()
                .parse::<AccountId>()
                .unwrap()
                .to_string(),
            ACCOUNT
        );
        for text in [
            "{af9945ff-1490-4cad-807d-945c15d88bec}",
            "af9945ff14904cad807d945c15d88bec",
            "00000000-0000-0000-0000-000000000000",
            "urn:uuid:af9945ff-1490-4cad-807d-945c15d88bec",
        ] {
            assert!(text.parse::<AccountId>().is_err(), "{text}");
        }
    }

    #[test]
    fn ids_of_the_service_have_the_form_of_version_4() {
        let id = MessageId::from_random([0xff; 16]).to_string();
        assert_eq!(id.get(14..15), Some("4"));
    }

    #[test]
    fn an_id_of_an_integration_has_1_to_255_printable_characters() {
        assert!("é".repeat(255).parse::<ClientMessageId>().is_ok());
        assert!("é".repeat(256).parse::<ClientMessageId>().is_err());
        assert!("".parse::<ClientMessageId>().is_err());
        assert!("a\nb".parse::<ClientMessageId>().is_err());
        assert!("../a b".parse::<ClientMessageId>().is_ok());
    }

    #[test]
    fn a_number_of_an_account_is_plain_digits_from_1() {
        assert_eq!("17".parse::<UserId>(), Ok(UserId(17)));
        for text in ["0", "-1", "+1", "1.5", "", "abc", "99999999999999999999"] {
            assert!(text.parse::<UserId>().is_err(), "{text}");
        }
    }
}
