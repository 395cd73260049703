//! The outcome of a repair.

/// The outcome of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Entries, volumes and small objects.
    pub objects: u64,
    /// Files that records refer to.
    pub files: u64,
    /// The damaged objects that are not in the data directory either, for people.
    pub left: Vec<String>,
}

impl Repaired {
    /// Counts an object.
    pub(super) fn wrote(&mut self) {
        self.objects = self.objects.saturating_add(1);
    }
}
