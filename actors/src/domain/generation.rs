//! The generations of the chat interface that are spoken side by side.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which generation of the chat interface an integration speaks. The signature of a request tells.
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
pub enum Generation {
    /// The interface of November 2019: the raw body is signed.
    #[default]
    #[serde(rename = "2019")]
    V2019,
    /// The interface of today: method, digest of the body, content type, date and path are signed.
    #[serde(rename = "current")]
    Current,
}

/// The text names no generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write \"2019\" or \"current\"")]
pub struct UnknownGeneration;

impl Generation {
    /// The name in configurations and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2019 => "2019",
            Self::Current => "current",
        }
    }

    /// Whether it is the one that is taken when nothing is said: as stored records have it.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl FromStr for Generation {
    type Err = UnknownGeneration;
    fn from_str(text: &str) -> Result<Self, UnknownGeneration> {
        [Self::V2019, Self::Current]
            .into_iter()
            .find(|generation| generation.as_str() == text)
            .ok_or(UnknownGeneration)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_has_one_name_everywhere() {
        for generation in [Generation::V2019, Generation::Current] {
            assert_eq!(generation.to_string().parse(), Ok(generation));
            assert_eq!(
                serde_json::to_value(generation).unwrap(),
                generation.as_str()
            );
        }
        assert_eq!("2020".parse::<Generation>(), Err(UnknownGeneration));
    }
}
