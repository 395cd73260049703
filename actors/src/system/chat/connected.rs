//! Connected scopes: a request that writes through a scope has looked it up once, and holds the proof.

use std::sync::Arc;

use crate::domain::id::ScopeId;
use crate::domain::scope::{Connection, Scope};
use crate::system::System;
use switchboard_engine::state::State;
use switchboard_engine::store::Seq;
use switchboard_engine::store::committer::Submitted;
use switchboard_runtime::caches::read_cache::{CachedScope, ScopeBrief};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The scope is not connected: it never was, or it was disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account is not connected to the channel")]
pub struct ConnectedScopeError;

/// The proof that a scope was connected when it was [looked up](System::connected). It is good for one request: what
/// was looked up before the scope is disconnected is still taken, what is looked up later is refused.
///
/// ```
/// use switchboard_actors::domain::id::ScopeId;
/// use switchboard_actors::system::System;
/// use switchboard_actors::system::chat::ConnectedScope;
///
/// async fn look_up(system: &System, id: ScopeId) -> Option<ConnectedScope> {
///     system.connected(id).await.ok()
/// }
/// ```
///
/// Only the look-up makes one:
///
/// ```compile_fail,E0451
/// use switchboard_actors::domain::id::ScopeId;
/// use switchboard_actors::system::chat::ConnectedScope;
///
/// fn forge(id: ScopeId) -> ConnectedScope {
///     ConnectedScope { id, brief: panic!("not reached") }
/// }
/// ```
#[derive(Debug)]
pub struct ConnectedScope {
    id: ScopeId,
    brief: ScopeBrief,
}

impl ConnectedScope {
    /// The scope.
    #[must_use]
    pub fn id(&self) -> &ScopeId {
        &self.id
    }

    pub(super) fn into_id(self) -> ScopeId {
        self.id
    }

    pub(super) fn brief(&self) -> &ScopeBrief {
        &self.brief
    }
}

impl System {
    /// Looks up a scope that has to be connected, for one request.
    ///
    /// # Errors
    /// When the scope is not connected, or cannot be read now.
    pub async fn connected(
        &self,
        id: ScopeId,
    ) -> Result<ConnectedScope, CommandError<ConnectedScopeError>> {
        let brief = self.scope(&id).await?;
        if !brief.is_connected {
            return Err(CommandError::Rejected(ConnectedScopeError));
        }
        Ok(ConnectedScope { id, brief })
    }

    /// Returns whether the scope is connected.
    ///
    /// # Errors
    /// When the scope cannot be read now.
    pub async fn is_connected(&self, scope: &ScopeId) -> Result<bool, UnavailableError> {
        Ok(self.scope(scope).await?.is_connected)
    }

    /// The connection of the scope; `None` when it is not connected.
    ///
    /// # Errors
    /// When the scope cannot be read now.
    pub async fn connection(
        &self,
        scope: &ScopeId,
    ) -> Result<Option<Connection>, UnavailableError> {
        Ok(self.cached_scope(scope).await?.connection.clone())
    }

    /// The durable state of a scope, as far as requests need it.
    async fn scope(&self, id: &ScopeId) -> Result<ScopeBrief, UnavailableError> {
        let kernel = self.kernel();
        if let Some(brief) = kernel.shared.read_cache.scope_brief(id)
            && matches!(kernel.journal.decided(brief.depends_on), Some(Ok(())))
        {
            return Ok(brief);
        }
        Ok(self.cached_scope(id).await?.brief())
    }

    /// The state of a scope on disk: as its owner published it, or read from the store if it was not loaded yet, or if
    /// the published state could not be written.
    pub(crate) async fn cached_scope(
        &self,
        id: &ScopeId,
    ) -> Result<Arc<CachedScope>, UnavailableError> {
        let kernel = self.kernel();
        let cache_entry = kernel.shared.read_cache.scope(id);
        if let Some(brief) = &cache_entry {
            let Submitted { last, epoch } = brief.depends_on;
            if kernel.journal.durable(last, epoch).await.is_ok() {
                return Ok(Arc::clone(brief));
            }
        }
        let stored_scope = kernel.load::<Scope>(id.clone()).await?;
        let epoch = kernel.journal.epoch();
        let never_was = stored_scope.is_none();
        let (scope, last) = stored_scope.unwrap_or_else(|| (Scope::initial(id), Seq(0)));
        let brief = CachedScope::new(&scope, Submitted { last, epoch });
        if never_was && cache_entry.is_none() {
            // What never was is not kept, so asking for strangers costs no memory.
            return Ok(Arc::new(brief));
        }
        Ok(kernel
            .shared
            .read_cache
            .keep_scope(id.clone(), cache_entry.as_ref(), brief))
    }
}
