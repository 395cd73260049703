//! Which version of callbacks a scope speaks.

use crate::actor::facts::ScopeFacts;
use crate::domain::chat::channel::HookVersion;
use crate::domain::id::ScopeId;
use crate::domain::scope::Scope;
use crate::world::Env;
use switchboard_engine::store::committer::Submitted;

/// The version that a scope speaks now. After a restart the scope is read from the store: nobody has asked for it yet.
pub(crate) fn version_of(env: &Env, scope: &ScopeId) -> Option<HookVersion> {
    let facts = match env.world.facts.scope(scope) {
        Some(facts) => facts,
        None => match env.index.load::<Scope>(scope) {
            Ok(found) => {
                let (state, last) = found?;
                let epoch = env.journal.epoch();
                let facts = ScopeFacts::of(&state, Submitted { last, epoch });
                env.world.facts.keep_scope(scope.clone(), None, facts)
            }
            Err(error) => {
                tracing::error!(%scope, %error, "a scope cannot be read; its callbacks wait");
                return None;
            }
        },
    };
    facts
        .connection
        .as_ref()
        .map(|connection| connection.version)
}

/// Whether it is on disk that the scope is not connected.
pub(super) fn is_disconnected(env: &Env, scope: &ScopeId) -> bool {
    env.world.facts.scope(scope).is_some_and(|facts| {
        facts.connection.is_none() && facts.depends_on.last <= env.journal.durable_upto()
    })
}
