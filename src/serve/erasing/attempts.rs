//! The number of processes that began with a waiting erasure without coming to its end: a file in the data directory.

use std::path::{Path, PathBuf};

use switchboard_engine::store::disk::whole_file;

/// So often a process may end while it prepares what waits, or carries it out together, by a kill or for lack of memory.
const TOGETHER_MAX: u32 = 3;
/// So often it may end in all: behind [`TOGETHER_MAX`] attempts, one erasure is carried out at a time.
const ATTEMPTS_MAX: u32 = 6;

/// The attempts to carry out erasures.
const CARRIED_OUT: &str = "erasure-attempts";
/// The attempts to prepare them.
const PREPARED: &str = "erasure-preparations";
/// The files, and what is in each of them.
pub(crate) const FILES: [(&str, &str); 2] = [
    (
        CARRIED_OUT,
        "how often the service has begun to carry out an erasure that waits",
    ),
    (
        PREPARED,
        "how often the service has begun to prepare an erasure that waits",
    ),
];

/// The number of processes that began without coming to an end.
pub(super) struct Attempts(PathBuf);

impl Attempts {
    /// At carrying out what waits, with the store closed.
    pub(super) fn in_directory(directory: &Path) -> Self {
        Self(directory.join(CARRIED_OUT))
    }

    /// At a preparation, ended by a crash or by an orderly stop.
    pub(super) fn to_prepare(directory: &Path) -> Self {
        Self(directory.join(PREPARED))
    }

    pub(super) fn count(&self) -> u32 {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.trim().parse().unwrap_or_default()
    }

    /// Returns whether erasures are carried out one at a time, so that one of them does not hold back the others.
    pub(super) fn are_apart(&self) -> bool {
        self.count() >= TOGETHER_MAX
    }

    /// Returns whether the erasure that is carried out alone is given up.
    pub(super) fn are_over(&self) -> bool {
        self.count() >= ATTEMPTS_MAX
    }

    pub(super) fn begin(&self) {
        self.note(self.count().saturating_add(1));
    }

    /// The next erasure is carried out alone, too.
    pub(super) fn go_on_apart(&self) {
        self.note(TOGETHER_MAX);
    }

    pub(super) fn forget(&self) {
        std::fs::remove_file(&self.0).unwrap_or_default();
    }

    fn note(&self, count: u32) {
        if let Err(error) = whole_file::write(&self.0, count.to_string(), whole_file::PRIVATE) {
            tracing::warn!(%error, "the attempts at an erasure cannot be counted");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three attempts at all together, three at one of them, and three at the next one.
    #[test]
    fn attempts_at_many_become_attempts_at_one() {
        let directory = tempfile::tempdir().unwrap();
        let attempts = Attempts::in_directory(directory.path());
        let states = |count: usize| -> Vec<(bool, bool)> {
            let attempts_made = (0..count).map(|_| {
                attempts.begin();
                (attempts.are_apart(), attempts.are_over())
            });
            attempts_made.collect()
        };
        let (together, apart, over) = ((false, false), (true, false), (true, true));
        assert_eq!(states(6), [together, together, apart, apart, apart, over]);
        attempts.go_on_apart();
        assert_eq!(states(3), [apart, apart, over]);
        attempts.forget();
        assert_eq!((attempts.count(), attempts.are_apart()), (0, false));
    }
}
