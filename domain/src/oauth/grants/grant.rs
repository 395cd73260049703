//! One grant, with the codes and tokens that follow from it. Each list is bounded; the oldest entry makes room.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::account::users::token::TokenHash;
use crate::id::{GrantNumber, OauthClientId, TokenId, UserId};
use crate::oauth::redirect::{CodeChallenge, RedirectUri};
use crate::oauth::scope::OauthScopes;
use crate::text::{Name, bounded_text};
use crate::time::UnixMillis;

/// The lifetime of an authorization code.
pub const CODE_LIFE: Duration = Duration::from_secs(20 * 60);
/// The lifetime of a refresh token.
pub const REFRESH_LIFE: Duration = Duration::from_secs(90 * 86_400);
/// The shortest and the longest life of a long-lived token.
pub const LONG_LIFE: (Duration, Duration) = (
    Duration::from_secs(86_400),
    Duration::from_secs(5 * 365 * 86_400),
);

/// The number of codes that a grant keeps, used ones included.
const CODES_MAX: usize = 20;
/// The number of refresh tokens that a grant keeps, used ones included.
const REFRESH_TOKENS_MAX: usize = 50;
/// The highest number of unexpired long-lived tokens of a grant.
pub const LONG_LIVED_MAX: usize = 20;

bounded_text! {
    /// The name of a program: the beginning of its `User-Agent`.
    UserAgent, "1 to 255 characters without control characters", |text| crate::text::is_line(text, 255);
}

impl UserAgent {
    /// The beginning of a header's value; `None` when nothing readable is there.
    #[must_use]
    pub fn from_header(text: &str) -> Option<Self> {
        let plain = text.chars().filter(|letter| !letter.is_control());
        plain.take(255).collect::<String>().parse().ok()
    }
}

/// The request that used a code or a refresh token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedBy {
    /// The time of the use.
    pub at: UnixMillis,
    /// The program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<UserAgent>,
    /// The address of the client.
    pub address: IpAddr,
}

/// An authorization code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// Its hash.
    pub hash: TokenHash,
    /// The user who consented.
    pub user: UserId,
    /// The time of issue.
    pub issued_at: UnixMillis,
    /// The redirect address that its exchange must name.
    pub redirect_uri: RedirectUri,
    /// The challenge that its exchange must answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<CodeChallenge>,
    /// The request that used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_by: Option<UsedBy>,
}

impl Code {
    /// Returns the time from which it is refused.
    #[must_use]
    pub fn expires_at(&self) -> UnixMillis {
        self.issued_at.plus(CODE_LIFE)
    }
}

/// A refresh token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshToken {
    /// Its hash.
    pub hash: TokenHash,
    /// The user for whom the client acts.
    pub user: UserId,
    /// The time of issue.
    pub issued_at: UnixMillis,
    /// The request that used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_by: Option<UsedBy>,
}

impl RefreshToken {
    /// Returns the time from which it is refused.
    #[must_use]
    pub fn expires_at(&self) -> UnixMillis {
        self.issued_at.plus(REFRESH_LIFE)
    }
}

/// A long-lived access token. Its text is not kept; it names the grant and this number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongLivedToken {
    /// Its number in the grant.
    pub id: TokenId,
    /// Its purpose, in the words of its author.
    pub name: Name,
    /// The user for whom the client acts.
    pub user: UserId,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time from which it is refused.
    pub expires_at: UnixMillis,
}

/// A report of an uninstallation that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingHook {
    /// The client that gets it.
    pub client: OauthClientId,
    /// The grant that ended.
    pub grant: GrantNumber,
    /// The time of the end.
    pub at: UnixMillis,
}

/// A report that waits, with what became of it so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingHook {
    /// The report.
    pub hook: PendingHook,
    /// The number of attempts so far.
    pub attempts: u32,
    /// The number of the last attempts that have no result: the process ended during each, or the last one is in
    /// progress.
    pub interrupted: u32,
    /// The time of the next attempt.
    pub due: UnixMillis,
}

impl WaitingHook {
    /// A report that was not sent yet.
    pub(super) fn new(hook: PendingHook) -> Self {
        Self {
            due: hook.at,
            hook,
            attempts: 0,
            interrupted: 0,
        }
    }
}

/// A grant in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its number in the account.
    pub number: GrantNumber,
    /// The time from which it is in force.
    pub since: UnixMillis,
    /// The user of the last consent.
    pub user: Option<UserId>,
    /// The scopes of the last consent.
    pub scopes: OauthScopes,
    /// The newest codes, oldest first.
    pub codes: VecDeque<Code>,
    /// The newest refresh tokens, oldest first.
    pub refresh_tokens: VecDeque<RefreshToken>,
    /// The long-lived tokens that were not revoked, by number.
    pub long_lived: Vec<LongLivedToken>,
    /// The number of the last long-lived token: a number is never given again.
    pub(super) last_token: u64,
}

impl Grant {
    pub(super) fn new(number: GrantNumber, since: UnixMillis) -> Self {
        Self {
            number,
            since,
            user: None,
            scopes: OauthScopes::default(),
            codes: VecDeque::new(),
            refresh_tokens: VecDeque::new(),
            long_lived: Vec::new(),
            last_token: 0,
        }
    }

    /// Returns the number of codes and tokens.
    #[must_use]
    pub fn entries(&self) -> usize {
        let random = self.codes.len().saturating_add(self.refresh_tokens.len());
        random.saturating_add(self.long_lived.len())
    }

    /// The code with this hash.
    #[must_use]
    pub fn code(&self, hash: &TokenHash) -> Option<&Code> {
        self.codes.iter().find(|code| code.hash == *hash)
    }

    /// The refresh token with this hash.
    #[must_use]
    pub fn refresh_token(&self, hash: &TokenHash) -> Option<&RefreshToken> {
        self.refresh_tokens.iter().find(|token| token.hash == *hash)
    }

    pub(super) fn keep_code(&mut self, code: Code) {
        let now = code.issued_at;
        keep(&mut self.codes, code, CODES_MAX, |known| {
            known.used_by.is_some() || known.expires_at() <= now
        });
    }

    pub(super) fn keep_refresh_token(&mut self, token: RefreshToken) {
        let now = token.issued_at;
        keep(
            &mut self.refresh_tokens,
            token,
            REFRESH_TOKENS_MAX,
            |known| known.used_by.is_some() || known.expires_at() <= now,
        );
    }

    pub(super) fn keep_long_lived(&mut self, token: LongLivedToken) {
        self.last_token = self.last_token.max(token.id.0);
        self.long_lived
            .retain(|known| known.expires_at > token.created_at);
        self.long_lived.push(token);
    }

    pub(super) fn use_code(&mut self, hash: &TokenHash, by: &UsedBy) {
        for code in self.codes.iter_mut().filter(|code| code.hash == *hash) {
            code.used_by = Some(by.clone());
        }
    }

    pub(super) fn use_refresh_token(&mut self, hash: &TokenHash, by: &UsedBy) {
        let tokens = self.refresh_tokens.iter_mut();
        for token in tokens.filter(|token| token.hash == *hash) {
            token.used_by = Some(by.clone());
        }
    }
}

/// Appends an entry. When there are too many, the oldest one leaves that is good for nothing, else the oldest of all.
fn keep<T>(entries: &mut VecDeque<T>, entry: T, max: usize, is_over: impl Fn(&T) -> bool) {
    if entries.len() >= max {
        let leaving = entries.iter().position(is_over);
        entries.remove(leaving.unwrap_or(0));
    }
    entries.push_back(entry);
}
