//! The bodies of the chat interface that integrations send: one file per operation.
//!
//! Seed A: «All bodies are JSON and strictly typed: a field must have the type given.»

pub mod chats;
pub mod connect;
pub mod delivery_status;
pub mod disconnect;
pub mod react;
pub mod send;
pub mod stored;
mod target;
pub mod typing;

use crate::domain::generation::Generation;
use crate::wire::json::object::Nulls;

/// The rules by which a body is read. The signature of a request shows which generation of the interface its sender
/// speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The interface of November 2019, to the letter.
    V2019,
    /// What today's clients send: more fields, fewer of them required, `null` for what is left out.
    Current,
}

impl Rules {
    /// The rules of this generation.
    #[must_use]
    pub fn of(generation: Generation) -> Self {
        match generation {
            Generation::V2019 => Self::V2019,
            Generation::Current => Self::Current,
        }
    }

    /// The generation whose rules these are.
    #[must_use]
    pub fn generation(self) -> Generation {
        match self {
            Self::V2019 => Generation::V2019,
            Self::Current => Generation::Current,
        }
    }

    /// What `null` means.
    fn nulls(self) -> Nulls {
        match self {
            Self::V2019 => Nulls::Refused,
            Self::Current => Nulls::Absent,
        }
    }
}

#[cfg(test)]
mod tests;
