//! The holder of a token or a session. The index leads from its hash to the users who may have it, and the state of the user
//! decides; users of other accounts are not read.

use crate::domain::account::credentials::{Credentials, Session};
use crate::domain::account::holder::Holder;
use crate::domain::account::users::{TokenHash, Users};
use crate::domain::keys::people::holder_of_row;
use crate::domain::tables;
use crate::system::System;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::load_cached::load_cached;

/// So many users who may have a secret are compared: there is more than one only if the configuration gives several the same
/// token.
const HOLDERS_MAX: usize = 16;

/// By what a user is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system) enum Shown {
    /// A bearer token.
    Token,
    /// The cookie of a session.
    Session,
}

/// A user who is recognised.
pub(in crate::system) struct Recognised {
    pub(in crate::system) caller: Caller,
    /// The session, if it is one.
    pub(in crate::system) session: Option<Session>,
}

impl System {
    /// The user with this secret, if it has not expired and the user is not switched off.
    pub(in crate::system) async fn recognise(
        &self,
        hash: &TokenHash,
        shown: Shown,
    ) -> Result<Option<Recognised>, UnavailableError> {
        let cache = &self.kernel().shared.read_cache;
        let last = cache.holder(hash);
        if let Some(holder) = last
            && let Some(recognised) = self.held_by(holder, hash, shown).await?
        {
            return Ok(Some(recognised));
        }
        for holder in self.holders(hash).await? {
            if let Some(recognised) = self.held_by(holder, hash, shown).await? {
                cache.note_holder(hash, holder);
                return Ok(Some(recognised));
            }
        }
        Ok(None)
    }

    /// The user, if they have this secret. Hashes are compared in constant time.
    async fn held_by(
        &self,
        holder: Holder,
        hash: &TokenHash,
        shown: Shown,
    ) -> Result<Option<Recognised>, UnavailableError> {
        let (kernel, now) = (self.kernel(), self.now());
        let users = load_cached::<Users>(kernel, &holder.account).await?;
        let user = users.as_ref().and_then(|users| users.get(holder.user));
        let Some(user) = user.filter(|user| user.active) else {
            return Ok(None);
        };
        let recognised = |session| Recognised {
            caller: Caller::new(holder.account, user),
            session,
        };
        if shown == Shown::Token && user.token == Some(*hash) {
            return Ok(Some(recognised(None)));
        }
        let Some(credentials) = load_cached::<Credentials>(kernel, &holder).await? else {
            return Ok(None);
        };
        Ok(match shown {
            Shown::Token => {
                let mut tokens = credentials.tokens.iter();
                let token = tokens
                    .find(|token| token.hash == *hash)
                    .filter(|token| !token.has_expired(now));
                token.map(|_good| recognised(None))
            }
            Shown::Session => {
                let mut sessions = credentials.sessions.iter();
                let session = sessions
                    .find(|session| session.hash == *hash)
                    .filter(|session| session.is_good(user, now));
                session.map(|session| recognised(Some(session.clone())))
            }
        })
    }

    /// The users who may have a secret with this hash, as the index has them now.
    pub(in crate::system) async fn holders(
        &self,
        hash: &TokenHash,
    ) -> Result<Vec<Holder>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let range = KeyRange::prefix(hash.bytes());
        let order = ScanOrder::Ascending;
        let rows = kernel
            .index
            .scan(tables::SECRETS, &range, order, HOLDERS_MAX)?;
        Ok(rows
            .iter()
            .filter_map(|(key, _)| holder_of_row(key))
            .collect())
    }
}
