//! What the sender of pushes needs: the key, the notifications that wait, and the browsers that they are for.

use std::sync::Arc;

use crate::domain::account::credentials::Credentials;
use crate::domain::account::credentials::push::{DeletePush, Push};
use crate::domain::account::holder::Holder;
use crate::domain::audit::By;
use crate::domain::id::PushId;
use crate::domain::installation::accounts::Lang;
use crate::domain::notifications::PushOutcome;
use crate::domain::operator::push_key::{KeepPushKey, PushKey};
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};
pub use switchboard_runtime::live::pushed::PushedNotification;
use switchboard_runtime::shared::load_cached::load_cached;

/// The browsers of a user, with the language of the user.
#[derive(Clone, Debug)]
pub struct PushTargets {
    /// The language.
    pub lang: Lang,
    /// The subscriptions in force, oldest first.
    pub pushes: Vec<Push>,
}

impl System {
    /// The key of pushes; `None` as long as none is kept.
    #[must_use]
    pub fn push_key(&self) -> Option<Arc<PushKey>> {
        self.kernel().shared.read_cache.operator.push_key()
    }

    /// Keeps a key of pushes, unless there is one already; gives the one in force.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn keep_push_key(&self, key: PushKey) -> Result<PushKey, UnavailableError> {
        let result = execute(self.kernel(), &(), KeepPushKey(key)).await;
        result.map_err(unavailable)
    }

    /// The next notification to push. It is in memory alone: one that is taken and not sent is lost.
    pub async fn next_push(&self) -> PushedNotification {
        let waiting = &self.kernel().shared.feed.pushed;
        loop {
            match waiting.take() {
                Some(next) => return next,
                None => waiting.added().await,
            }
        }
    }

    /// The browsers of a user; `None` when there is no such user.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn push_targets(
        &self,
        holder: Holder,
    ) -> Result<Option<PushTargets>, UnavailableError> {
        let now = self.now();
        let users = self.users(holder.account).await?;
        let Some(user) = users.get(holder.user) else {
            return Ok(None);
        };
        let credentials = load_cached::<Credentials>(self.kernel(), &holder).await?;
        let pushes = credentials.iter().flat_map(|it| it.pushes.iter());
        Ok(Some(PushTargets {
            lang: user.lang,
            pushes: pushes
                .filter(|push| push.is_good(user, now))
                .cloned()
                .collect(),
        }))
    }

    /// Ends a subscription that its push service has ended.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn end_push(&self, holder: Holder, push: PushId) -> Result<(), UnavailableError> {
        let by = By::Service;
        match execute(self.kernel(), &holder, DeletePush { by, push }).await {
            // It may have been ended by its user meanwhile.
            Ok(()) | Err(CommandError::Rejected(_)) => Ok(()),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        }
    }

    /// Counts a push that has ended.
    pub fn count_push(&self, outcome: PushOutcome) {
        self.kernel().shared.meters.push(outcome);
    }
}
