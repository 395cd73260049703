//! The bearer tokens and sessions of all users as requests need them: whose is this one, and is it good?

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::domain::account::credentials::{Credentials, Holder, Session};
use crate::domain::account::users::TokenHash;
use crate::domain::time::UnixMillis;

/// The credentials of all users, published by their owners.
#[derive(Debug, Default)]
pub(crate) struct KnownCredentials(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    holders: BTreeMap<Holder, Arc<Credentials>>,
    hashes: BTreeMap<[u8; 32], Holder>,
}

impl KnownCredentials {
    /// Replaces what is known of one user's. Costs as much as that user has.
    pub(crate) fn set(&self, credentials: Credentials) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let holder = credentials.holder;
        let new = Arc::new(credentials);
        if let Some(old) = known.holders.insert(holder, Arc::clone(&new)) {
            for hash in hashes(&old) {
                known.hashes.remove(hash);
            }
        }
        for hash in hashes(&new) {
            known.hashes.insert(*hash, holder);
        }
    }

    /// Whose bearer token this is, if it has not expired.
    pub(crate) fn token(&self, hash: &TokenHash, now: UnixMillis) -> Option<Holder> {
        let credentials = self.find(hash)?;
        let token = credentials.tokens.iter().find(|token| token.hash == *hash);
        token
            .filter(|token| !token.has_expired(now))
            .map(|_good| credentials.holder)
    }

    /// Whose session this is, if it has not expired.
    pub(crate) fn session(&self, hash: &TokenHash, now: UnixMillis) -> Option<(Holder, Session)> {
        let credentials = self.find(hash)?;
        let mut sessions = credentials.sessions.iter();
        let session = sessions.find(|session| session.hash == *hash)?;
        (!session.has_expired(now)).then(|| (credentials.holder, session.clone()))
    }

    fn find(&self, hash: &TokenHash) -> Option<Arc<Credentials>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let holder = known.hashes.get(hash.bytes())?;
        known.holders.get(holder).cloned()
    }
}

fn hashes(credentials: &Credentials) -> impl Iterator<Item = &[u8; 32]> {
    let tokens = credentials.tokens.iter().map(|token| token.hash.bytes());
    let sessions = credentials
        .sessions
        .iter()
        .map(|session| session.hash.bytes());
    tokens.chain(sessions)
}
