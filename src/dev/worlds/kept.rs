//! A world that is to be made: anew, or as it was at a moment of another one.

use serde::Deserialize;
use switchboard_actors::domain::oauth::redirect::RedirectUri;
use switchboard_actors::testkit::fixtures;
use switchboard_actors::testkit::world::Snapshot;

use crate::dev::worlds::clock::ClockMode;

/// A world that is to be made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewWorld {
    #[serde(default)]
    pub(super) name: Option<String>,
    /// Selects the ids; the same in every run, unless it is given.
    #[serde(default = "first_seed")]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) clock: ClockMode,
    #[serde(default)]
    pub(super) webhook: Option<String>,
    /// Where browsers go after a consent to the OAuth client.
    #[serde(default = "fixtures::redirect_uri")]
    pub(super) redirect_uri: RedirectUri,
    /// So many seconds of real time it lives.
    #[serde(default = "default_ttl")]
    pub(super) ttl: u64,
}

fn first_seed() -> u64 {
    1
}

fn default_ttl() -> u64 {
    600
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
