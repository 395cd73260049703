//! The threads of the runtime.

/// The threads on which actors live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// All on the arbiter that starts the system, and the journal is written there too: deterministic, for tests.
    Here,
    /// As [`Self::Here`], but groups wait until [`Journal::step`](crate::store::committer::Journal::step) is called:
    /// for a simulator, which decides what happens before anything is on disk.
    Stepped,
    /// On this many arbiters of their own.
    Own(usize),
    /// On this many arbiters of the embedder.
    Join(usize),
}

impl Threads {
    /// Returns whether everything happens on the thread that starts the system, always in the same order.
    #[must_use]
    pub fn is_one(self) -> bool {
        match self {
            Self::Here | Self::Stepped => true,
            Self::Own(_) | Self::Join(_) => false,
        }
    }

    /// Returns the number of threads that owners live on.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Here | Self::Stepped => 1,
            Self::Own(count) | Self::Join(count) => count,
        }
    }
}
