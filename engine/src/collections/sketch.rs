//! A value for each of many names, in a table of fixed size.
//!
//! Each name hashes into two rows, and its value stands in both. Two names that share a place in one row seldom share
//! it in the other. So a client with many names fills no memory, and disturbs few others.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;

const ROWS: usize = 2;

/// A value for each name, or for several that share a place.
#[derive(Clone, Debug)]
pub struct Sketch<T> {
    key: [u8; 16],
    places: u64,
    cells: Box<[T]>,
}

impl<T: Copy + Default> Sketch<T> {
    /// A table with so many places in each row. The key is random, so that no client can aim at the place of another
    /// name.
    #[must_use]
    pub fn new(key: [u8; 16], places: u16) -> Self {
        Self {
            key,
            places: places.into(),
            cells: vec![T::default(); ROWS * usize::from(places)].into(),
        }
    }

    /// Returns the values of a name, one in each row.
    pub fn get(&self, name: &str) -> impl Iterator<Item = T> {
        let cells = self.cells_of(name).into_iter();
        cells.filter_map(|cell| self.cells.get(cell).copied())
    }

    /// Changes what is kept of a name, in each row.
    pub fn change(&mut self, name: &str, change: impl Fn(T) -> T) {
        for cell in self.cells_of(name) {
            if let Some(value) = self.cells.get_mut(cell) {
                *value = change(*value);
            }
        }
    }

    /// The hash of a name, apart from where it stands.
    #[must_use]
    pub fn mark(&self, name: &str) -> u64 {
        self.hash(b"mark", name)
    }

    fn cells_of(&self, name: &str) -> [usize; ROWS] {
        let place = |row: &[u8]| self.hash(row, name) % self.places.max(1);
        [place(b"0"), self.places + place(b"1")]
            .map(|cell| usize::try_from(cell).unwrap_or_default())
    }

    fn hash(&self, about: &[u8], name: &str) -> u64 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write(about);
        hasher.write_u8(0);
        hasher.write(name.as_bytes());
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_last_value() {
        let mut sketch = Sketch::<u32>::new([7; 16], 64);
        sketch.change("ada", |count| count + 1);
        sketch.change("ada", |count| count + 1);
        assert_eq!(sketch.get("ada").collect::<Vec<_>>(), [2, 2]);
        assert_eq!(sketch.get("bo").min(), Some(0));
        assert_ne!(sketch.mark("ada"), sketch.mark("bo"));
    }

    #[test]
    fn few_names_share_both_hash_slots() {
        let mut sketch = Sketch::<u32>::new([7; 16], 4_096);
        for number in 0..400 {
            sketch.change(&format!("busy {number}"), |_| 1);
        }
        let names = (0..1_000).map(|number| format!("quiet {number}"));
        let hurt = names
            .filter(|name| sketch.get(name).min() == Some(1))
            .count();
        assert!(hurt < 40, "{hurt} of 1000");
    }

    #[test]
    fn a_table_of_size_zero_holds_nothing() {
        let mut sketch = Sketch::<u32>::new([7; 16], 0);
        sketch.change("ada", |count| count + 1);
        assert_eq!(sketch.get("ada").next(), None);
    }
}
