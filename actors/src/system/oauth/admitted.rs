//! Users whom OAuth clients admitted, with what they can still come in by.

use std::sync::Arc;

use crate::domain::account::credentials::{Credentials, Token};
use crate::domain::account::holder::Holder;
use crate::domain::account::user::User;
use crate::domain::id::{AccountId, OauthClientId, UserId};
use crate::system::System;
use crate::system::inbox::Page;
use switchboard_runtime::error::UnavailableError;

/// An active user whom an OAuth client created, or was the last to activate.
#[derive(Clone, Debug)]
pub struct AdmittedUser {
    /// The user.
    pub user: Arc<User>,
    /// The bearer tokens that are valid.
    pub tokens: Vec<Token>,
    /// Number of valid sessions.
    pub sessions: usize,
}

impl System {
    /// The active users of an account whom this client admitted, by number: at most `limit` behind `after`.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn admitted_users(
        &self,
        account: AccountId,
        client: OauthClientId,
        after: Option<UserId>,
        limit: usize,
    ) -> Result<Page<AdmittedUser, UserId>, UnavailableError> {
        let users = self.users(account).await?;
        let mut behind = users
            .admitted_by(client)
            .filter(|user| after.is_none_or(|after| user.id > after));
        let mut entries = Vec::new();
        for user in behind.by_ref().take(limit) {
            entries.push(self.admitted_user(account, user).await?);
        }
        let last = entries.last().map(|entry: &AdmittedUser| entry.user.id);
        let next = behind.next().and(last);
        Ok(Page { entries, next })
    }

    async fn admitted_user(
        &self,
        account: AccountId,
        user: &Arc<User>,
    ) -> Result<AdmittedUser, UnavailableError> {
        let now = self.now();
        let holder = Holder {
            account,
            user: user.id,
        };
        let credentials = self.look::<Credentials>(&holder).await?;
        let (mut tokens, sessions) = credentials
            .map(|known| (known.tokens, known.sessions))
            .unwrap_or_default();
        tokens.retain(|token| !token.has_expired(now));
        let sessions = sessions.iter().filter(|it| it.is_good(user, now)).count();
        Ok(AdmittedUser {
            user: Arc::clone(user),
            tokens,
            sessions,
        })
    }
}
