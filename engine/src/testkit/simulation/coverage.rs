//! Counts of each fault and each outcome.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::store::lock::lock;

/// Counts by name. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Coverage(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Coverage {
    /// Counts one more of these.
    pub fn count(&self, name: &'static str) {
        let mut counts = lock(&self.0);
        let count = counts.entry(name).or_default();
        *count = count.saturating_add(1);
    }

    /// Those of these names that were never met.
    #[must_use]
    pub fn missing(&self, names: &[&'static str]) -> Vec<&'static str> {
        let counts = lock(&self.0);
        let missing = names.iter().filter(|name| !counts.contains_key(**name));
        missing.copied().collect()
    }

    /// Prints the counts, one line for each name.
    #[expect(
        clippy::print_stdout,
        reason = "whoever runs a test sees what it has met"
    )]
    pub fn print(&self) {
        for (name, count) in &*lock(&self.0) {
            println!("{count:>9}  {name}");
        }
    }
}
