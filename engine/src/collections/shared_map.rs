//! A map that is cheap to copy, whatever its size: a balanced tree of which copies share all nodes that neither of them
//! changes. A change makes new nodes on one way from the root, some twenty of a million entries.
//!
//! The tree is weight-balanced: no branch has more than three times the weight of the one beside it.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The largest ratio between the weights of two neighbouring branches.
const DELTA: usize = 3;
/// From this ratio of the inner to the outer branch of the heavier side on, one rotation does not balance.
const GAMMA: usize = 2;

/// An ordered map. Keys and values should be cheap to clone, since a change clones those on its way.
#[derive(Clone)]
pub struct SharedMap<K, V>(Branch<K, V>);

type Branch<K, V> = Option<Arc<Node<K, V>>>;

struct Node<K, V> {
    key: K,
    value: V,
    /// The number of entries of this node and below.
    len: usize,
    before: Branch<K, V>,
    behind: Branch<K, V>,
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K, V> SharedMap<K, V> {
    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        len(&self.0)
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The entries, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut entries = Entries {
            waiting: Vec::new(),
        };
        entries.go_down(&self.0);
        entries
    }

    /// The values, by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// The value of this key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
    {
        let mut branch = &self.0;
        while let Some(node) = branch {
            branch = match key.cmp(node.key.borrow()) {
                Ordering::Less => &node.before,
                Ordering::Equal => return Some(&node.value),
                Ordering::Greater => &node.behind,
            };
        }
        None
    }

    /// Gives a key this value, whatever it had.
    pub fn insert(&mut self, key: K, value: V) {
        self.0 = Some(inserted(&self.0, key, value));
    }

    /// Takes a key out; nothing happens when it is not there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
    {
        if self.get(key).is_some() {
            self.0 = removed(&self.0, key);
        }
    }
}

fn len<K, V>(branch: &Branch<K, V>) -> usize {
    branch.as_ref().map_or(0, |node| node.len)
}

/// A node over two branches that are balanced.
fn node<K, V>(entry: (K, V), before: Branch<K, V>, behind: Branch<K, V>) -> Arc<Node<K, V>> {
    let (key, value) = entry;
    Arc::new(Node {
        key,
        value,
        len: len(&before).saturating_add(len(&behind)).saturating_add(1),
        before,
        behind,
    })
}

impl<K: Clone, V: Clone> Node<K, V> {
    fn entry(&self) -> (K, V) {
        (self.key.clone(), self.value.clone())
    }
}

/// A node over two branches of which one has got or lost an entry.
fn balanced<K: Clone, V: Clone>(
    entry: (K, V),
    before: Branch<K, V>,
    behind: Branch<K, V>,
) -> Arc<Node<K, V>> {
    let is_heavy = |one: &Branch<K, V>, other: &Branch<K, V>| {
        len(one).saturating_add(1) > len(other).saturating_add(1).saturating_mul(DELTA)
    };
    let is_inner_heavy = |inner: &Branch<K, V>, outer: &Branch<K, V>| {
        len(inner).saturating_add(1) >= len(outer).saturating_add(1).saturating_mul(GAMMA)
    };
    match (&before, &behind) {
        (_, Some(heavy)) if is_heavy(&behind, &before) => match &heavy.before {
            Some(inner) if is_inner_heavy(&heavy.before, &heavy.behind) => node(
                inner.entry(),
                Some(node(entry, before.clone(), inner.before.clone())),
                Some(node(
                    heavy.entry(),
                    inner.behind.clone(),
                    heavy.behind.clone(),
                )),
            ),
            Some(_) | None => node(
                heavy.entry(),
                Some(node(entry, before.clone(), heavy.before.clone())),
                heavy.behind.clone(),
            ),
        },
        (Some(heavy), _) if is_heavy(&before, &behind) => match &heavy.behind {
            Some(inner) if is_inner_heavy(&heavy.behind, &heavy.before) => node(
                inner.entry(),
                Some(node(
                    heavy.entry(),
                    heavy.before.clone(),
                    inner.before.clone(),
                )),
                Some(node(entry, inner.behind.clone(), behind.clone())),
            ),
            Some(_) | None => node(
                heavy.entry(),
                heavy.before.clone(),
                Some(node(entry, heavy.behind.clone(), behind.clone())),
            ),
        },
        _ => node(entry, before, behind),
    }
}

fn inserted<K: Ord + Clone, V: Clone>(branch: &Branch<K, V>, key: K, value: V) -> Arc<Node<K, V>> {
    let Some(here) = branch else {
        return node((key, value), None, None);
    };
    let (before, behind) = (here.before.clone(), here.behind.clone());
    match key.cmp(&here.key) {
        Ordering::Less => {
            let before = inserted(&before, key, value);
            balanced(here.entry(), Some(before), behind)
        }
        Ordering::Equal => node((key, value), before, behind),
        Ordering::Greater => {
            let behind = inserted(&behind, key, value);
            balanced(here.entry(), before, Some(behind))
        }
    }
}

fn removed<K, V, Q>(branch: &Branch<K, V>, key: &Q) -> Branch<K, V>
where
    K: Ord + Clone + std::borrow::Borrow<Q>,
    V: Clone,
    Q: Ord + ?Sized,
{
    let here = branch.as_ref()?;
    let (before, behind) = (here.before.clone(), here.behind.clone());
    match key.cmp(here.key.borrow()) {
        Ordering::Less => Some(balanced(here.entry(), removed(&before, key), behind)),
        Ordering::Equal => match behind {
            Some(behind) => {
                let (first, rest) = without_first(&behind);
                Some(balanced(first, before, rest))
            }
            None => before,
        },
        Ordering::Greater => Some(balanced(here.entry(), before, removed(&behind, key))),
    }
}

/// The first entry, and the others.
fn without_first<K: Clone, V: Clone>(here: &Arc<Node<K, V>>) -> ((K, V), Branch<K, V>) {
    match &here.before {
        Some(before) => {
            let (first, rest) = without_first(before);
            let others = balanced(here.entry(), rest, here.behind.clone());
            (first, Some(others))
        }
        None => (here.entry(), here.behind.clone()),
    }
}

/// The entries from one on, by key.
struct Entries<'m, K, V> {
    /// The nodes that are next, each with what is behind it; the nearest is the last.
    waiting: Vec<&'m Node<K, V>>,
}

impl<'m, K, V> Entries<'m, K, V> {
    fn go_down(&mut self, mut branch: &'m Branch<K, V>) {
        while let Some(node) = branch {
            self.waiting.push(node);
            branch = &node.before;
        }
    }
}

impl<'m, K, V> Iterator for Entries<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.waiting.pop()?;
        self.go_down(&node.behind);
        Some((&node.key, &node.value))
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SharedMap<K, V> {
    /// Of two entries with one key the later one counts. Entries that come by key cost least.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries: std::collections::BTreeMap<K, V> = entries.into_iter().collect();
        let count = entries.len();
        Self(built(&mut entries.into_iter(), count))
    }
}

/// The next so many entries as a branch.
fn built<K, V>(entries: &mut impl Iterator<Item = (K, V)>, count: usize) -> Branch<K, V> {
    let half = count / 2;
    let before = if half > 0 { built(entries, half) } else { None };
    let entry = entries.next()?;
    let rest = count.saturating_sub(half).saturating_sub(1);
    let behind = if rest > 0 { built(entries, rest) } else { None };
    Some(node(entry, before, behind))
}

impl<K: PartialEq, V: PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for SharedMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::testkit::Dice;

    /// Panics when a branch outweighs its neighbour, or a number of entries is wrong; gives the height.
    fn checked<V>(branch: &Branch<u32, V>) -> usize {
        let Some(node) = branch else {
            return 0;
        };
        let (before, behind) = (len(&node.before), len(&node.behind));
        assert_eq!(node.len, before + behind + 1);
        let (lighter, heavier) = (before.min(behind) + 1, before.max(behind) + 1);
        assert!(
            before + behind < 2 || heavier <= DELTA * lighter,
            "{before} {behind}"
        );
        checked(&node.before).max(checked(&node.behind)) + 1
    }

    #[test]
    fn a_shared_map_agrees_with_a_plain_one_and_stays_balanced() {
        for seed in 0..40 {
            let mut dice = Dice::new(seed);
            let (mut map, mut model) = (SharedMap::default(), BTreeMap::new());
            for step in 0..600_u32 {
                let key = u32::try_from(dice.below(200)).unwrap();
                if dice.below(3) == 0 {
                    map.remove(&key);
                    model.remove(&key);
                } else {
                    map.insert(key, step);
                    model.insert(key, step);
                }
                assert!(map.iter().eq(model.iter()), "seed {seed}, step {step}");
                assert_eq!((map.len(), map.get(&key)), (model.len(), model.get(&key)));
                checked(&map.0);
            }
            assert_eq!(map, model.into_iter().collect());
        }
    }

    /// Numbers that are given one after the other arrive in order: that makes no list of the tree.
    #[test]
    fn entries_that_come_in_order_make_a_low_tree() {
        let mut map = SharedMap::default();
        for key in 0..10_000 {
            map.insert(key, ());
        }
        assert!(checked(&map.0) <= 2 * 14);
        let bulk_map: SharedMap<u32, ()> = (0..10_000).map(|key| (key, ())).collect();
        assert_eq!(checked(&bulk_map.0), 14);
        assert_eq!(bulk_map, map);
        assert_eq!(bulk_map.values().count(), 10_000);
        assert!(SharedMap::<u32, ()>::from_iter([]).is_empty());
    }

    #[test]
    fn a_change_shares_all_nodes_but_those_on_its_way() {
        let old: SharedMap<u32, u32> = (0..100_000).map(|key| (key, key)).collect();
        let mut new = old.clone();
        new.insert(70_000, 1);
        assert_eq!(
            (old.get(&70_000), new.get(&70_000)),
            (Some(&70_000), Some(&1))
        );
        let mut fresh = 0;
        let (mut was, mut is) = (&old.0, &new.0);
        while let (Some(before), Some(after)) = (was, is) {
            if Arc::ptr_eq(before, after) {
                break;
            }
            fresh += 1;
            (was, is) = match 70_000.cmp(&after.key) {
                Ordering::Less => (&before.before, &after.before),
                Ordering::Equal => break,
                Ordering::Greater => (&before.behind, &after.behind),
            };
        }
        assert!((1..=17).contains(&fresh), "{fresh}");
    }
}
