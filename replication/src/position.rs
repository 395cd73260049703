//! The position of an entry in a log.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of an entry: from 1, without gaps. 0 is before the first one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Position(pub u64);

impl Position {
    /// The position after it.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The position before it; 0 has none.
    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Its name in a store: names have the order of positions.
    pub(crate) fn name(self) -> String {
        format!("{:016}", self.0)
    }

    /// The position of this name. A position has one name; 0 has none.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let position = Self(name.parse().ok()?);
        (position.0 > 0 && position.name() == name).then_some(position)
    }

    /// The key of the entry there, below a prefix.
    pub(crate) fn key(self, prefix: &str) -> String {
        format!("{prefix}/{}", self.name())
    }

    /// The position of the entry with this key below a prefix; `None`: another object has it.
    pub(crate) fn from_key(key: &str, prefix: &str) -> Option<Self> {
        Self::from_name(key.strip_prefix(prefix)?.strip_prefix('/')?)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_one_name() {
        assert_eq!(Position(12).key("entries"), "entries/0000000000000012");
        let of_key = Position::from_key("entries/0000000000000012", "entries");
        assert_eq!(of_key, Some(Position(12)));
        for wrong in ["12", "0000000000000000", "", "+000000000000012", "x"] {
            assert_eq!(Position::from_name(wrong), None, "{wrong}");
        }
        assert_eq!(Position::from_key("log/0000000000000012", "entries"), None);
    }
}
