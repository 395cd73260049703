//! The users of an account, as far as the operator declares them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::domain::id::{AccountId, UserId};
use crate::domain::index::{IndexEntries, StreamKey, StreamKind};
use crate::domain::text::Name;
use crate::domain::text::email::Email;
use crate::domain::{Command, Decision, Moment, Recorded, State};

/// The users of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Users {
    account: AccountId,
    users: BTreeMap<UserId, User>,
}

/// A user of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The number.
    pub id: UserId,
    /// The full name.
    pub name: Name,
    /// The e-mail address, unique in the account whatever the case.
    pub email: Email,
    /// Whether the user is an administrator of the account.
    pub is_admin: bool,
    /// The fixed bearer token, if one was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenHash>,
}

/// What is kept of a bearer token: its SHA-256.
#[derive(Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a token. Tokens are long and random, so a plain hash is enough.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The bytes of the hash.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(***)")
    }
}

impl TryFrom<String> for TokenHash {
    type Error = hex::FromHexError;
    fn try_from(text: String) -> Result<Self, hex::FromHexError> {
        let mut hash = [0; 32];
        hex::decode_to_slice(text, &mut hash)?;
        Ok(Self(hash))
    }
}

impl From<TokenHash> for String {
    fn from(hash: TokenHash) -> Self {
        hex::encode(hash.0)
    }
}

impl Users {
    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// All users, by number.
    pub fn iter(&self) -> impl Iterator<Item = &User> {
        self.users.values()
    }

    fn by_email(&self, email: &str) -> Option<&User> {
        self.users
            .values()
            .find(|user| user.email.as_str().eq_ignore_ascii_case(email))
    }
}

/// What can happen to the users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UsersEvent {
    /// A user is new, or is as follows now.
    Declared(User),
}

impl State for Users {
    type Id = AccountId;
    type Event = UsersEvent;

    fn stream(id: &AccountId) -> StreamKey {
        StreamKey::new(StreamKind::Users, &id.bytes())
    }

    fn id_of(stream: &StreamKey) -> Option<AccountId> {
        let bytes = <[u8; 16]>::try_from(stream.id.as_ref()).ok()?;
        (stream.kind == StreamKind::Users).then(|| AccountId::from_bytes(bytes))
    }

    fn blank(id: &AccountId) -> Self {
        Self {
            account: *id,
            users: BTreeMap::new(),
        }
    }

    fn apply(&mut self, event: &UsersEvent) {
        match event {
            UsersEvent::Declared(user) => {
                self.users.insert(user.id, user.clone());
            }
        }
    }

    fn index(&self, _event: &UsersEvent, _entries: &mut IndexEntries) {}
}

/// The operator declares a user: known by the e-mail address, made or changed.
#[derive(Clone, Debug)]
pub struct DeclareUser {
    /// The full name.
    pub name: Name,
    /// The e-mail address.
    pub email: Email,
    /// Whether the user is an administrator.
    pub is_admin: bool,
    /// The hash of a fixed bearer token.
    pub token: Option<TokenHash>,
}

impl Command for DeclareUser {
    type Of = Users;
    type Reply = UserId;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Users,
        _found: &[Option<Recorded<UsersEvent>>],
        _moment: &mut Moment<'_>,
    ) -> Result<Decision<UsersEvent, UserId>, Infallible> {
        let known = state.by_email(self.email.as_str());
        let next = state
            .users
            .last_key_value()
            .map_or(1, |(id, _)| id.0.saturating_add(1));
        let id = known.map_or(UserId(next), |user| user.id);
        let user = User {
            id,
            name: self.name,
            email: self.email,
            is_admin: self.is_admin,
            token: self.token,
        };
        if known == Some(&user) {
            return Ok(Decision::unchanged(id));
        }
        Ok(Decision {
            events: vec![UsersEvent::Declared(user).into()],
            notices: Vec::new(),
            reply: id,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::UnixMillis;

    fn declare(users: &mut Users, name: &str, email: &str) -> UserId {
        let mut random = || [0; 16];
        let mut moment = Moment {
            now: UnixMillis::ZERO,
            random: &mut random,
        };
        let command = DeclareUser {
            name: name.parse().unwrap(),
            email: email.parse().unwrap(),
            is_admin: false,
            token: None,
        };
        let decision = command.decide(users, &[], &mut moment).unwrap();
        for recorded in &decision.events {
            users.apply(&recorded.event);
        }
        decision.reply
    }

    #[test]
    fn a_user_is_known_by_the_email_whatever_its_case() {
        let mut users = Users::blank(&AccountId::from_random([1; 16]));
        assert_eq!(declare(&mut users, "Ada", "ada@example.com"), UserId(1));
        assert_eq!(declare(&mut users, "Bo", "bo@example.com"), UserId(2));
        assert_eq!(declare(&mut users, "Ada L.", "ADA@example.com"), UserId(1));
        assert_eq!(users.iter().count(), 2);
    }

    #[test]
    fn a_token_is_never_printed_and_survives_being_stored() {
        let hash = TokenHash::of("demo");
        assert_eq!(format!("{hash:?}"), "TokenHash(***)");
        let stored = serde_json::to_string(&hash).unwrap();
        assert_eq!(serde_json::from_str::<TokenHash>(&stored).unwrap(), hash);
    }
}
