//! States that are kept in memory while requests read them, up to a bound.
//!
//! Owners publish each change. A reader that loaded a state keeps it only if no owner has published one of the same name
//! since the loading began. So neither a late reader nor an entry that made room brings back a state that was changed.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::caches::bounded::Bounded;
use switchboard_engine::state::State;
use switchboard_engine::store::committer::Submitted;

/// Publications are counted in so many groups of states.
const GROUPS: usize = 1_024;
/// The memory that a kept state takes beside its entries.
const STATE_BYTES: usize = 512;

/// A million bytes, about.
pub const MIB: usize = 1_024 * 1_024;

/// The memory of a state with so many entries of this size.
pub fn weight(entries: usize, bytes: usize) -> usize {
    STATE_BYTES.saturating_add(entries.saturating_mul(bytes))
}

/// A state that is kept.
pub trait Cacheable: State<Id: Ord> + Clone {
    /// The memory for cached states, roughly, in bytes.
    const BYTES_MAX: usize;

    /// The id of this state.
    fn id(&self) -> Self::Id;

    /// The memory of the state, roughly, in bytes.
    fn bytes(&self) -> usize;
}

/// The kept states of one kind.
pub struct StateCache<S: Cacheable>(RwLock<Inner<S>>);

struct Inner<S: Cacheable> {
    states: Bounded<S::Id, Versioned<S>>,
    /// For each group of states, how often one was published.
    published: Box<[u64]>,
}

/// A state with the last record that it rests on: what is seen of it is true once that is on disk.
pub struct Versioned<S> {
    /// The state, shared by all readers.
    pub state: Arc<S>,
    /// The last record that it rests on.
    pub depends_on: Submitted,
}

impl<S> Clone for Versioned<S> {
    fn clone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
            depends_on: self.depends_on,
        }
    }
}

impl<S: Cacheable> Default for StateCache<S> {
    fn default() -> Self {
        Self(RwLock::new(Inner {
            states: Bounded::new(S::BYTES_MAX),
            published: vec![0; GROUPS].into(),
        }))
    }
}

impl<S: Cacheable> StateCache<S> {
    /// An owner's state as it is from now on.
    pub fn publish(&self, state: &S, depends_on: Submitted) {
        let versioned = Versioned {
            state: Arc::new(state.clone()),
            depends_on,
        };
        let id = state.id();
        let mut inner = self.write();
        if let Some(count) = inner.published.get_mut(group::<S>(&id)) {
            *count = count.wrapping_add(1);
        }
        let evicted = inner.insert(id, versioned);
        drop(inner);
        drop(evicted);
    }

    /// The state with this id, if it is kept.
    pub fn get(&self, id: &S::Id) -> Option<Versioned<S>> {
        self.read().states.get(id).cloned()
    }

    /// The number of times that a state of this one's group was published.
    pub(crate) fn publications(&self, id: &S::Id) -> u64 {
        let publications = &self.read().published;
        publications
            .get(group::<S>(id))
            .copied()
            .unwrap_or_default()
    }

    /// Keeps a state that was loaded, unless one was published since there were so many publications.
    pub fn keep(&self, id: S::Id, versioned: Versioned<S>, publications: u64) {
        let group = group::<S>(&id);
        let mut inner = self.write();
        if inner.published.get(group) == Some(&publications) {
            let evicted = inner.insert(id, versioned);
            drop(inner);
            drop(evicted);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Inner<S>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Inner<S>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Cacheable> Inner<S> {
    fn insert(&mut self, id: S::Id, versioned: Versioned<S>) -> Vec<Versioned<S>> {
        let bytes = versioned.state.bytes();
        self.states.insert(id, versioned, bytes)
    }
}

fn group<S: Cacheable>(id: &S::Id) -> usize {
    let groups = u128::try_from(GROUPS).unwrap_or(1);
    usize::try_from(S::stream(id).key().0 % groups).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_domain::account::credentials::Credentials;
    use switchboard_domain::account::holder::Holder;
    use switchboard_domain::id::{AccountId, UserId};
    use switchboard_engine::store::{Epoch, Seq};

    fn holder(user: u64) -> Holder {
        Holder {
            account: AccountId::from_random([1; 16]),
            user: UserId(user),
        }
    }

    fn as_of(last: u64) -> Submitted {
        Submitted {
            last: Seq(last),
            epoch: Epoch(0),
        }
    }

    fn last_of(states: &StateCache<Credentials>, user: u64) -> Option<u64> {
        let versioned = states.get(&holder(user))?;
        Some(versioned.depends_on.last.0)
    }

    fn publish(states: &StateCache<Credentials>, user: u64, last: u64) {
        states.publish(&Credentials::initial(&holder(user)), as_of(last));
    }

    fn keep(states: &StateCache<Credentials>, user: u64, last: u64, publications: u64) {
        let versioned = Versioned {
            state: Arc::new(Credentials::initial(&holder(user))),
            depends_on: as_of(last),
        };
        states.keep(holder(user), versioned, publications);
    }

    #[test]
    fn a_loaded_state_is_kept_until_its_owner_publishes_another() {
        let states = StateCache::default();
        keep(&states, 1, 5, states.publications(&holder(1)));
        assert_eq!((last_of(&states, 1), last_of(&states, 2)), (Some(5), None));
        let began = states.publications(&holder(1));
        publish(&states, 1, 6);
        keep(&states, 1, 5, began);
        assert_eq!(last_of(&states, 1), Some(6));
    }

    /// A reader that began before a change ends behind it, when the new state has made room already.
    #[test]
    fn a_late_reader_does_not_bring_back_what_was_changed() {
        let states = StateCache::default();
        let began = states.publications(&holder(1));
        publish(&states, 1, 6);
        let many = u64::try_from(Credentials::BYTES_MAX / STATE_BYTES).unwrap();
        for user in 2..2 + 2 * many {
            publish(&states, user, 7);
        }
        assert_eq!(last_of(&states, 1), None, "it made room");
        keep(&states, 1, 5, began);
        assert_eq!(last_of(&states, 1), None);
        keep(&states, 1, 6, states.publications(&holder(1)));
        assert_eq!(last_of(&states, 1), Some(6));
    }

    #[test]
    fn the_memory_of_kept_states_is_bounded() {
        let states = StateCache::default();
        let most = Credentials::BYTES_MAX / STATE_BYTES;
        let many = u64::try_from(most).unwrap();
        for user in 1..=many + 100 {
            publish(&states, user, user);
        }
        let cached_states = (1..=many + 100).filter(|user| last_of(&states, *user).is_some());
        assert_eq!(cached_states.count(), most);
    }
}
