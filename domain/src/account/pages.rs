//! A list that is cheap to copy: copies share all pages that neither of them changes.
//!
//! Every request reads the users of an account, and few requests change them. A reader gets a copy of the list, which
//! has one pointer for each 64 entries. A change copies one page of pointers, whatever the number of readers that hold
//! it.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Entries of a page.
const PAGE: usize = 64;

/// A list in pages. Entries are added at the end and replaced, never taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages<T> {
    pages: Vec<Page<T>>,
}

type Page<T> = Arc<Vec<Arc<T>>>;

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<T> Pages<T> {
    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        let last = self.pages.last().map_or(0, |page| page.len());
        let full = self.pages.len().saturating_sub(1);
        full.saturating_mul(PAGE).saturating_add(last)
    }

    /// Returns whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The entry at this place, from 0.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&Arc<T>> {
        self.pages.get(place / PAGE)?.get(place % PAGE)
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: T) {
        match self.pages.last_mut() {
            Some(page) if page.len() < PAGE => Arc::make_mut(page).push(Arc::new(entry)),
            Some(_) | None => self.pages.push(Arc::new(vec![Arc::new(entry)])),
        }
    }

    /// Puts an entry in the place of another; nothing happens when there is none there.
    pub fn replace(&mut self, place: usize, entry: T) {
        let page = self.pages.get_mut(place / PAGE).map(Arc::make_mut);
        if let Some(slot) = page.and_then(|page| page.get_mut(place % PAGE)) {
            *slot = Arc::new(entry);
        }
    }

    /// All entries from this place on, in order. Skipping costs nothing.
    pub fn iter_from(&self, place: usize) -> impl Iterator<Item = &Arc<T>> {
        let pages = self.pages.iter().skip(place / PAGE);
        pages.flat_map(|page| page.iter()).skip(place % PAGE)
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        self.iter_from(0)
    }

    /// The pages of this list that `other` does not share, each with its entries.
    pub fn unshared<'p>(&'p self, other: &'p Self) -> impl Iterator<Item = &'p [Arc<T>]> {
        self.pages
            .iter()
            .enumerate()
            .filter(|(place, page)| {
                let theirs = other.pages.get(*place);
                !theirs.is_some_and(|theirs| Arc::ptr_eq(page, theirs))
            })
            .map(|(_, page)| page.as_slice())
    }
}

impl<T> FromIterator<T> for Pages<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut pages = Self::default();
        for entry in entries {
            pages.push(entry);
        }
        pages
    }
}

impl<T: Serialize> Serialize for Pages<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(AsRef::as_ref))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pages<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<T>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Pages<usize> {
        (0..count).collect()
    }

    #[test]
    fn a_paged_list_behaves_like_a_list() {
        for count in [0, 1, 63, 64, 65, 128, 1_000] {
            let list = numbers(count);
            assert_eq!((list.len(), list.is_empty()), (count, count == 0));
            assert!(list.iter().map(|entry| **entry).eq(0..count));
            assert_eq!(list.get(count), None);
            for place in [0, 1, 63, 64, 65, 127, 999, 1_000] {
                assert_eq!(list.get(place).is_some(), place < count);
                let from: Vec<usize> = list.iter_from(place).map(|entry| **entry).collect();
                assert_eq!(from, (place..count).collect::<Vec<_>>());
            }
            let json = serde_json::to_string(&list).unwrap();
            assert_eq!(serde_json::from_str::<Pages<usize>>(&json).unwrap(), list);
        }
    }

    #[test]
    fn a_change_copies_one_page_and_shares_the_others() {
        let old = numbers(1_000);
        let mut new = old.clone();
        assert_eq!(new.unshared(&old).count(), 0);
        new.replace(500, 7);
        new.push(1_000);
        new.replace(5_000, 7);
        assert_eq!((old.get(500), old.len()), (Some(&Arc::new(500)), 1_000));
        assert_eq!((new.get(500), new.len()), (Some(&Arc::new(7)), 1_001));
        let lengths: Vec<usize> = new.unshared(&old).map(<[_]>::len).collect();
        assert_eq!(lengths, [64, 41]);
        let before: Vec<usize> = old.unshared(&new).map(<[_]>::len).collect();
        assert_eq!(before, [64, 40]);
    }
}
