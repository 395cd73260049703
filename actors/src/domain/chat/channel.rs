//! What a channel's connection to an account has settled.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The form of the callbacks of a scope; the integration chooses it when it connects.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[schemars(inline)]
pub enum HookVersion {
    /// One flat object with the integration's own ids; the default of the interface.
    #[default]
    #[serde(rename = "v1")]
    V1,
    /// Nested objects with the ids of both sides.
    #[serde(rename = "v2")]
    V2,
}

impl HookVersion {
    /// All versions, by the names that the wire gives them.
    pub const NAMES: [(&str, Self); 2] = [("v1", Self::V1), ("v2", Self::V2)];

    /// All versions.
    pub const ALL: [Self; 2] = [Self::V1, Self::V2];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

impl fmt::Display for HookVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_one_name_everywhere() {
        for (name, version) in HookVersion::NAMES {
            assert_eq!(version.to_string(), name);
            assert_eq!(serde_json::to_value(version).unwrap(), name);
        }
    }
}
