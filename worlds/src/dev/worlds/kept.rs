//! A world that is to be made: anew, or as it was at a moment of another one.

use switchboard_actors::domain::oauth::redirect::RedirectUri;

use crate::dev::worlds::clock::ClockMode;
use crate::world::{OwnIds, Snapshot};

/// A world that is to be made.
#[derive(Clone, Debug)]
pub(super) struct NewWorld {
    pub(super) name: Option<String>,
    /// Selects the ids; the same in every run, unless it is given.
    pub(super) seed: u64,
    pub(super) clock: ClockMode,
    pub(super) webhook: Option<String>,
    /// The address to which browsers return after a consent to the OAuth client.
    pub(super) redirect_uri: RedirectUri,
    /// So many seconds of real time it lives.
    pub(super) ttl: u64,
    /// The ids that it has instead of the usual ones.
    pub(super) ids: OwnIds,
}

/// A world at a moment.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) snapshot: Snapshot,
    pub(super) wanted: NewWorld,
    pub(super) mode: ClockMode,
    pub(super) users: Vec<String>,
    /// The newest authorization code.
    pub(super) code: String,
}

impl Kept {
    /// A world that goes on from here.
    pub(super) fn wanted(&self) -> NewWorld {
        NewWorld {
            clock: self.mode,
            ..self.wanted.clone()
        }
    }
}
