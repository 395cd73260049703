//! Rows by which users are found in all accounts: by the hash of a token or a session, and by e-mail address; and rows by
//! which the grants to an OAuth client are found.

use crate::account::emails::Emails;
use crate::account::holder::Holder;
use crate::account::users::token::TokenHash;
use crate::id::{AccountId, GrantNumber, OauthClientId, PushId, UserId};
use crate::oauth::grants::grant::PendingHook;
use crate::text::email::Email;
use crate::time::UnixMillis;

/// The kind of a secret whose hash is in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// The fixed bearer token of a user.
    Fixed,
    /// A bearer token that was issued.
    Issued,
    /// The session of a signed-in user.
    Session,
}

impl SecretKind {
    /// The stored number.
    fn code(self) -> u8 {
        match self {
            Self::Fixed => 1,
            Self::Issued => 2,
            Self::Session => 3,
        }
    }
}

/// The bytes of the hash in a [`secret_row`].
const HASH_BYTES: usize = 32;
/// The bytes of the user at the end of a row.
const HOLDER_BYTES: usize = 24;

/// The place of a user among those who have a secret with this hash.
#[must_use]
pub fn secret_row(hash: &TokenHash, kind: SecretKind, holder: Holder) -> Vec<u8> {
    let mut key = hash.bytes().to_vec();
    key.push(kind.code());
    key.extend(holder_bytes(holder));
    key
}

/// Returns the hash in a [`secret_row`]: the prefix of the rows of the users who have this secret.
#[must_use]
pub fn hash_of_row(key: &[u8]) -> Option<&[u8]> {
    key.get(..HASH_BYTES)
}

/// The place of a user among those with this e-mail address, in whatever case.
#[must_use]
pub fn email_row(email: &Email, holder: Holder) -> Vec<u8> {
    let mut key = email_prefix(email);
    key.extend(holder_bytes(holder));
    key
}

/// Returns the prefix of the rows of the users who have this e-mail address.
#[must_use]
pub fn email_prefix(email: &Email) -> Vec<u8> {
    let mut key = Emails::folded(email).into_bytes();
    key.push(0);
    key
}

/// As [`email_prefix`], of an [`email_row`].
#[must_use]
pub fn email_of_row(key: &[u8]) -> Option<&[u8]> {
    let end = key.iter().position(|byte| *byte == 0)?;
    key.get(..=end)
}

/// The user in a [`secret_row`], an [`email_row`] or a [`push_row`].
#[must_use]
pub fn holder_of_row(key: &[u8]) -> Option<Holder> {
    let place = key.len().checked_sub(HOLDER_BYTES)?;
    let (account, user) = key.get(place..)?.split_first_chunk::<16>()?;
    Some(Holder {
        account: AccountId::from_bytes(*account),
        user: UserId(u64::from_be_bytes(<[u8; 8]>::try_from(user).ok()?)),
    })
}

fn holder_bytes(holder: Holder) -> impl Iterator<Item = u8> {
    let account = holder.account.bytes().into_iter();
    account.chain(holder.user.0.to_be_bytes())
}

/// The place of a subscription to pushes; [`holder_of_row`] reads its user.
#[must_use]
pub fn push_row(push: PushId, holder: Holder) -> Vec<u8> {
    let mut key = push.0.to_be_bytes().to_vec();
    key.extend(holder_bytes(holder));
    key
}

/// The place of an account among those that have installed an OAuth client.
#[must_use]
pub fn installed_row(client: OauthClientId, account: AccountId) -> Vec<u8> {
    let mut key = client.bytes().to_vec();
    key.extend(account.bytes());
    key
}

/// The account in an [`installed_row`].
#[must_use]
pub fn account_of_installed_row(key: &[u8]) -> Option<AccountId> {
    let (_client, account) = key.split_first_chunk::<16>()?;
    Some(AccountId::from_bytes(<[u8; 16]>::try_from(account).ok()?))
}

/// The place of a report of an uninstallation among those that wait: by account, oldest first.
#[must_use]
pub fn hook_row(account: AccountId, hook: &PendingHook) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.extend(hook.at.get().to_be_bytes());
    key.extend(hook.grant.0.to_be_bytes());
    key.extend(hook.client.bytes());
    key
}

/// The account and the report in a [`hook_row`].
#[must_use]
pub fn parse_hook_row(key: &[u8]) -> Option<(AccountId, PendingHook)> {
    let (account, behind) = key.split_first_chunk::<16>()?;
    let (at, behind) = behind.split_first_chunk::<8>()?;
    let (grant, client) = behind.split_first_chunk::<8>()?;
    let hook = PendingHook {
        client: OauthClientId::from_bytes(<[u8; 16]>::try_from(client).ok()?),
        grant: GrantNumber(u64::from_be_bytes(*grant)),
        at: UnixMillis::new(u64::from_be_bytes(*at)),
    };
    Some((AccountId::from_bytes(*account), hook))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder() -> Holder {
        Holder {
            account: AccountId::from_random([1; 16]),
            user: UserId(7),
        }
    }

    #[test]
    fn a_row_names_its_user_and_begins_with_what_it_is_asked_by() {
        let hash = TokenHash::new("token");
        let row = secret_row(&hash, SecretKind::Session, holder());
        assert_eq!(hash_of_row(&row), Some(hash.bytes().as_slice()));
        assert_eq!(holder_of_row(&row), Some(holder()));
        let email: Email = "Ada@Example.com".parse().unwrap();
        let row = email_row(&email, holder());
        let other: Email = "aDA@example.COM".parse().unwrap();
        assert_eq!(email_of_row(&row), Some(email_prefix(&other).as_slice()));
        assert_eq!(holder_of_row(&row), Some(holder()));
        assert_eq!(holder_of_row(&[0; 23]), None);
    }

    #[test]
    fn the_row_of_a_waiting_report_holds_all_of_it() {
        let account = AccountId::from_random([2; 16]);
        let hook = PendingHook {
            client: OauthClientId::from_random([3; 16]),
            grant: GrantNumber(4),
            at: UnixMillis::new(5),
        };
        assert_eq!(
            parse_hook_row(&hook_row(account, &hook)),
            Some((account, hook.clone()))
        );
        let row = installed_row(hook.client, account);
        assert_eq!(account_of_installed_row(&row), Some(account));
    }
}
