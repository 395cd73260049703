//! States that requests read without asking their owners: loaded with the first request that needs one, and as their owners
//! published them from then on.
//!
//! What is read here is never older than what was answered before: the loading waits for everything that was submitted for
//! the state until then.

use std::sync::Arc;

use crate::caches::state_cache::{Cacheable, StateCache, Versioned};
use crate::error::UnavailableError;
use crate::shared::{Kernel, Shared};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

/// A state whose owner publishes it, and which any request may load.
pub trait Cached: Cacheable + Owned<Shared> {
    /// The cache of the states of this kind.
    fn cache(shared: &Shared) -> &StateCache<Self>;
}

/// The state `id` as it is on disk; `None` when nothing was ever stored. Reads no other state.
///
/// # Errors
/// When it cannot be read now.
pub async fn load_cached<S: Cached>(
    kernel: &Kernel,
    id: &S::Id,
) -> Result<Option<Arc<S>>, UnavailableError> {
    let cache = S::cache(&kernel.shared);
    if let Some(versioned) = cache.get(id) {
        let Submitted { last, epoch } = versioned.depends_on;
        if kernel.journal.durable(last, epoch).await.is_ok() {
            return Ok(Some(versioned.state));
        }
    }
    let publications = cache.publications(id);
    let Some((state, last)) = kernel.load::<S>(id.clone()).await? else {
        // What never was is not kept, so asking for strangers costs no memory.
        return Ok(None);
    };
    let epoch = kernel.journal.epoch();
    let state = Arc::new(state);
    let versioned = Versioned {
        state: Arc::clone(&state),
        depends_on: Submitted { last, epoch },
    };
    cache.keep(id.clone(), versioned, publications);
    Ok(Some(state))
}
