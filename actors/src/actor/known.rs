//! States that requests read without asking their owners: loaded with the first request that needs one, and as their owners
//! published them from then on.
//!
//! What is read here is never older than what was answered before: the loading waits for everything that was submitted for
//! the state until then.

use std::sync::Arc;

use crate::actor::known_states::{AsOf, Kept, KnownStates};
use crate::error::Unavailable;
use crate::world::{Env, World};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

/// A state whose owner publishes it, and which any request may load.
pub(crate) trait Known: Kept + Owned<World> {
    /// The states of this kind that are kept.
    fn kept(world: &World) -> &KnownStates<Self>;
}

/// The state `id` as it is on disk; `None` when nothing was ever stored. Reads no other state.
///
/// # Errors
/// When it cannot be read now.
pub(crate) async fn known<S: Known>(env: &Env, id: &S::Id) -> Result<Option<Arc<S>>, Unavailable> {
    let kept = S::kept(&env.world);
    if let Some(known) = kept.get(id) {
        let Submitted { last, epoch } = known.depends_on;
        if env.journal.durable(last, epoch).await.is_ok() {
            return Ok(Some(known.state));
        }
    }
    let publications = kept.publications(id);
    let Some((state, last)) = env.load::<S>(id.clone()).await? else {
        // What never was is not kept, so asking for strangers costs no memory.
        return Ok(None);
    };
    let epoch = env.journal.epoch();
    let state = Arc::new(state);
    let known = AsOf {
        state: Arc::clone(&state),
        depends_on: Submitted { last, epoch },
    };
    kept.keep(id.clone(), known, publications);
    Ok(Some(state))
}
