//! The credentials of one user: bearer tokens for programs, sessions for people in a browser, and the browsers that are pushed what
//! the user is notified of.
//!
//! Of tokens and sessions only the hash is kept; each is shown in the one answer that makes it. Whether their user may still come in
//! is not said here but with the user: who is switched off is refused at once, and a session counts only while the
//! user's sessions were not all ended since ([`crate::account::user::User::sessions_ended`]).

pub mod push;
pub mod session;
pub mod sign_in;
pub mod sign_out;
pub mod token;

use std::fmt::Display;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::account::credentials::push::Push;
use crate::account::holder::Holder;
use crate::account::user::User;
use crate::account::users::token::TokenHash;
use crate::audit::{AuditEntry, By};
use crate::id::{PushId, TokenId};
use crate::keys::people::{SecretKind, push_row, secret_row};
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use crate::text::Name;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The highest number of unexpired tokens of a user.
pub const TOKENS_MAX: usize = 50;
/// The highest number of sessions of a user; another one ends the oldest.
pub const SESSIONS_MAX: usize = 20;
/// A session ends when nothing was asked with it for so long …
pub const SESSION_IDLE: Duration = Duration::from_secs(12 * 3_600);
/// … and in any case after so long.
pub const SESSION_LIFE: Duration = Duration::from_secs(30 * 86_400);
/// The least time between two notes of a session's use; its idle time is exact to that.
pub const SEEN_EVERY: Duration = Duration::from_secs(10 * 60);

/// The tokens and sessions of one user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    /// The holder of the credentials.
    pub holder: Holder,
    /// The tokens that were not revoked, by number.
    pub tokens: Vec<Token>,
    /// The sessions, oldest first.
    pub sessions: Vec<Session>,
    /// The number of the last token: a number is never given again.
    last: u64,
    /// The browsers that are pushed notifications, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushes: Vec<Push>,
    /// The number of the last of them.
    #[serde(default)]
    last_push: u64,
}

/// A bearer token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// Its number among those of the user.
    pub id: TokenId,
    /// The purpose, in the words of the user who created the token.
    pub name: Name,
    /// Its hash.
    pub hash: TokenHash,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time from which it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<UnixMillis>,
}

impl Token {
    /// Returns whether the token has expired by `now`.
    #[must_use]
    pub fn has_expired(&self, now: UnixMillis) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// The session of a signed-in user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The hash of what the cookie holds.
    pub hash: TokenHash,
    /// The time of the sign-in.
    pub began_at: UnixMillis,
    /// The time of the last use, exact to [`SEEN_EVERY`].
    pub seen_at: UnixMillis,
    /// The user's number of collective sign-outs when the session began. A higher number ends it.
    pub ended_before: u64,
}

impl Session {
    /// Returns whether the session has expired by `now`, for its age or for disuse.
    #[must_use]
    pub fn has_expired(&self, now: UnixMillis) -> bool {
        now.since(self.began_at) >= SESSION_LIFE || now.since(self.seen_at) >= SESSION_IDLE
    }

    /// Returns whether its user may come in with it.
    #[must_use]
    pub fn is_good(&self, user: &User, now: UnixMillis) -> bool {
        !self.has_expired(now) && self.ended_before == user.sessions_ended
    }

    /// Returns whether the last noted use is old enough for the next note.
    #[must_use]
    pub fn is_stale(&self, now: UnixMillis) -> bool {
        now.since(self.seen_at) >= SEEN_EVERY
    }
}

/// An event of a user's credentials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CredentialsEvent {
    /// A token was made.
    TokenIssued {
        /// The token.
        token: Token,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A token was revoked.
    TokenRevoked {
        /// The token.
        token: TokenId,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// The user signed in.
    SignedIn {
        /// The session.
        session: Session,
        /// The entry in the audit log.
        audit: Box<AuditEntry>,
    },
    /// The user signed out.
    SignedOut {
        /// The hash of the session.
        session: TokenHash,
        /// The entry in the audit log.
        audit: Box<AuditEntry>,
    },
    /// A browser subscribed to pushes.
    PushCreated {
        /// The subscription.
        push: Box<Push>,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A subscription to pushes ended.
    PushDeleted {
        /// The subscription.
        push: PushId,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A session was used.
    Seen {
        /// The hash of the session.
        session: TokenHash,
        /// The time of the use.
        at: UnixMillis,
    },
}

impl State for Credentials {
    type Id = Holder;
    type Event = CredentialsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CREDENTIALS;

    fn initial(id: &Holder) -> Self {
        Self {
            holder: *id,
            tokens: Vec::new(),
            sessions: Vec::new(),
            last: 0,
            pushes: Vec::new(),
            last_push: 0,
        }
    }

    fn apply(&mut self, event: &CredentialsEvent) {
        let ending = self.ending_pushes(event);
        self.pushes.retain(|known| !ending.contains(&known.id));
        match event {
            CredentialsEvent::TokenIssued { token, .. } => {
                self.last = self.last.max(token.id.0);
                self.tokens.retain(|known| !makes_room(known, token));
                self.tokens.push(token.clone());
            }
            CredentialsEvent::TokenRevoked { token, .. } => {
                self.tokens.retain(|known| known.id != *token);
            }
            CredentialsEvent::SignedIn { session, .. } => {
                let leaving = self.leaving(session);
                self.sessions.retain(|known| !leaving.contains(&known.hash));
                self.sessions.push(session.clone());
            }
            CredentialsEvent::SignedOut { session, .. } => {
                self.sessions.retain(|known| known.hash != *session);
            }
            CredentialsEvent::PushCreated { push, .. } => {
                self.last_push = self.last_push.max(push.id.0);
                self.pushes.push(push.as_ref().clone());
            }
            CredentialsEvent::PushDeleted { .. } => {}
            CredentialsEvent::Seen { session, at } => {
                for known in &mut self.sessions {
                    if known.hash == *session {
                        known.seen_at = *at;
                    }
                }
            }
        }
    }

    fn index(&self, event: &CredentialsEvent, entries: &mut IndexEntries) {
        let row = |kind, hash: &TokenHash| secret_row(hash, kind, self.holder);
        for push in self.ending_pushes(event) {
            entries.delete(tables::PUSHES, push_row(push, self.holder));
        }
        let mut delete = |kind, hash: &TokenHash| entries.delete(tables::SECRETS, row(kind, hash));
        match event {
            CredentialsEvent::TokenIssued { token, .. } => {
                let leaving = self.tokens.iter();
                for known in leaving.filter(|known| makes_room(known, token)) {
                    delete(SecretKind::Issued, &known.hash);
                }
                let row = row(SecretKind::Issued, &token.hash);
                entries.insert(tables::SECRETS, row, Vec::new());
            }
            CredentialsEvent::TokenRevoked { token, .. } => {
                for known in self.tokens.iter().filter(|known| known.id == *token) {
                    delete(SecretKind::Issued, &known.hash);
                }
            }
            CredentialsEvent::SignedIn { session, .. } => {
                for hash in self.leaving(session) {
                    delete(SecretKind::Session, &hash);
                }
                let row = row(SecretKind::Session, &session.hash);
                entries.insert(tables::SECRETS, row, Vec::new());
            }
            CredentialsEvent::SignedOut { session, .. } => delete(SecretKind::Session, session),
            CredentialsEvent::PushCreated { push, .. } => {
                let row = push_row(push.id, self.holder);
                entries.insert(tables::PUSHES, row, Vec::new());
            }
            CredentialsEvent::PushDeleted { .. } | CredentialsEvent::Seen { .. } => {}
        }
        match event {
            CredentialsEvent::TokenIssued { audit, .. }
            | CredentialsEvent::TokenRevoked { audit, .. }
            | CredentialsEvent::SignedIn { audit, .. }
            | CredentialsEvent::SignedOut { audit, .. }
            | CredentialsEvent::PushCreated { audit, .. }
            | CredentialsEvent::PushDeleted { audit, .. } => audit.index(entries),
            CredentialsEvent::Seen { .. } => {}
        }
    }
}

impl Credentials {
    /// An audit entry about the user whose credentials these are.
    fn audit(&self, by: By, action: &str, moment: &mut Moment<'_, CredentialsEvent>) -> AuditEntry {
        AuditEntry::new(by, action, self.holder.user, moment).of_account(self.holder.account)
    }

    /// An audit entry about one of the user's tokens or subscriptions: `<user>/<number>`.
    fn audit_part(
        &self,
        by: By,
        action: &str,
        number: impl Display,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> AuditEntry {
        let object = format!("{}/{number}", self.holder.user);
        AuditEntry::new(by, action, object, moment).of_account(self.holder.account)
    }

    /// The hashes of the sessions that end when this one begins: those that have ended anyway, and the oldest when there are
    /// too many.
    fn leaving(&self, new: &Session) -> Vec<TokenHash> {
        let stays = |known: &&Session| {
            !known.has_expired(new.began_at) && known.ended_before == new.ended_before
        };
        let staying = self.sessions.iter().filter(stays).count();
        let mut too_many = staying.saturating_add(1).saturating_sub(SESSIONS_MAX);
        let leaves = |known: &&Session| {
            let is_too_old = stays(known) && too_many > 0;
            too_many = too_many.saturating_sub(usize::from(is_too_old));
            is_too_old || !stays(known)
        };
        let leaving = self.sessions.iter().filter(leaves);
        leaving.map(|session| session.hash).collect()
    }
}

/// Returns whether `known` has expired by the creation of `new`.
fn makes_room(known: &Token, new: &Token) -> bool {
    known.has_expired(new.created_at)
}

#[cfg(test)]
mod tests;
