//! The reason, for programs, that a file of an integration is not reachable or not copied.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reason for the result of a fetch, as a stable word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FetchCode {
    /// The address is none, or one to which the service sends nothing.
    AddressNotAllowed,
    /// The server cannot be reached, or does not answer in time.
    NoConnection,
    /// The server refuses.
    Refused,
    /// The file is not what it should be.
    Unexpected,
    /// The service ended during the attempts.
    Interrupted,
    /// The file is empty.
    Empty,
    /// The file is larger than a copy may be.
    TooLarge,
    /// The server compressed the file, which the request did not allow.
    Compressed,
    /// The picture is damaged, or decoding it takes too much memory or time.
    Undecodable,
    /// The copy cannot be stored now.
    NotStored,
}

impl FetchCode {
    /// The word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddressNotAllowed => "address_not_allowed",
            Self::NoConnection => "no_connection",
            Self::Refused => "refused",
            Self::Unexpected => "unexpected",
            Self::Interrupted => "interrupted",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::Compressed => "compressed",
            Self::Undecodable => "undecodable",
            Self::NotStored => "not_stored",
        }
    }
}
