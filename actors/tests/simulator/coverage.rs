//! How often each fault and each outcome was met.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Counts by name. Clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Coverage {
    pub(crate) fn count(&self, name: &'static str) {
        *self.0.lock().unwrap().entry(name).or_default() += 1;
    }

    /// Those of these names that were never met.
    pub(crate) fn missing(&self, names: &[&'static str]) -> Vec<&'static str> {
        let met = |name: &&&str| self.0.lock().unwrap().contains_key(**name);
        names.iter().filter(|name| !met(name)).copied().collect()
    }

    /// Tells it, one line for each name.
    pub(crate) fn print(&self) {
        for (name, count) in &*self.0.lock().unwrap() {
            println!("{count:>9}  {name}");
        }
    }
}

/// What 2,000 seeds must meet: every fault, and every outcome that depends on one.
pub(crate) const EXPECTED: [&str; 60] = [
    "administrator refused",
    "answer lost",
    "breaker open",
    "callback discarded",
    "callback replayed",
    "clock jumps ahead",
    "clock jumps back",
    "conflicting message refused",
    "deal accepted",
    "deal declined",
    "deal was decided on before",
    "disk full",
    "disk refuses a write",
    "disk stalls",
    "everything compared",
    "interrupted",
    "messages posted",
    "power cut",
    "power cut during a start",
    "power cut that loses a flush",
    "receiver asks for fewer",
    "receiver away",
    "receiver enabled again",
    "receiver fails",
    "receiver gone",
    "receiver hangs",
    "receiver refuses",
    "receiver slow",
    "receiver wants no more of it",
    "receiver well",
    "refused: disk full",
    "refused: mailbox or queue full",
    "refused: not connected",
    "repeat answered as before",
    "replies written",
    "reply refused: not connected",
    "reply repeated",
    "report moved a message on",
    "report that says nothing new or goes back",
    "request doubled",
    "role added",
    "role changed",
    "role deleted",
    "scope disconnected",
    "stopped in order",
    "user added",
    "user moved",
    "user switched",
    "callback delivered",
    "callback given up",
    "callback cancelled",
    "callback delivered by a repeat",
    "a user sees no contact",
    "a user sees some contacts",
    "a user sees some deals",
    "everything replayed",
    "healed while disconnected",
    "power cut that leaves a disconnection half done",
    "replay begun",
    "replay ended",
];
