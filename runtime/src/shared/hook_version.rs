//! The version of callbacks that a scope speaks.

use crate::caches::read_cache::CachedScope;
use crate::shared::Kernel;
use switchboard_domain::hook_version::HookVersion;
use switchboard_domain::id::ScopeId;
use switchboard_domain::scope::Scope;
use switchboard_engine::store::committer::Submitted;

/// The callback version of a scope now. After a restart the scope is read from the store: no request has loaded it yet.
pub fn version_of(kernel: &Kernel, scope: &ScopeId) -> Option<HookVersion> {
    let cached = match kernel.shared.read_cache.scope(scope) {
        Some(cached) => cached,
        None => match kernel.index.load::<Scope>(scope) {
            Ok(found) => {
                let (state, last) = found?;
                let epoch = kernel.journal.epoch();
                let cached = CachedScope::new(&state, Submitted { last, epoch });
                kernel
                    .shared
                    .read_cache
                    .keep_scope(scope.clone(), None, cached)
            }
            Err(error) => {
                tracing::error!(%scope, %error, "a scope cannot be read; its callbacks wait");
                return None;
            }
        },
    };
    cached
        .connection
        .as_ref()
        .map(|connection| connection.version)
}

/// Returns whether it is on disk that the scope is not connected.
pub fn is_disconnected(kernel: &Kernel, scope: &ScopeId) -> bool {
    kernel.shared.read_cache.scope(scope).is_some_and(|cached| {
        cached.connection.is_none() && cached.depends_on.last <= kernel.journal.durable_upto()
    })
}
