//! The bodies of the chat interface that integrations send: one file per operation.
//!
//! All are JSON and strictly typed: `docs/compatibility.md`, «Bodies».

pub mod chats;
pub mod connect;
pub mod delivery_status;
pub mod disconnect;
mod message_fields;
pub mod react;
pub mod send;
pub mod stored;
pub mod target;
pub mod typing;

use crate::domain::generation::Generation;
use crate::domain::violation::{Violation, ViolationCode, Violations};
use crate::json::BodyError;
use crate::json::object::Nulls;

/// The rules by which a body is read. The signature of a request shows which generation of the interface its sender
/// speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The interface of November 2019, to the letter.
    V2019,
    /// The rules for today's clients: more fields, fewer of them required, `null` for a missing one.
    Current,
}

impl Rules {
    /// The rules of this generation.
    #[must_use]
    pub fn for_generation(generation: Generation) -> Self {
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

    /// Reads a body by these rules. Of what only the rules of 2019 refuse, the error says so: people sign a body in the form
    /// of 2019 that is right in the current one, and the other way round.
    fn read<T>(self, read: impl Fn(Self) -> Result<T, BodyError>) -> Result<T, BodyError> {
        let mut outcome = read(self);
        if let (Self::V2019, Err(BodyError::Invalid(violations))) = (self, &mut outcome) {
            let otherwise = match read(Self::Current) {
                Ok(_) => Violations::default(),
                Err(BodyError::Invalid(otherwise)) => otherwise,
                Err(BodyError::NotJson(_)) => return outcome,
            };
            // The part that was only counted may have the same fields.
            if otherwise.dropped() == 0 {
                violations.explain(|it| only_of_2019(it, &otherwise));
            }
        }
        outcome
    }

    /// The meaning of `null`.
    fn nulls(self) -> Nulls {
        match self {
            Self::V2019 => Nulls::Refused,
            Self::Current => Nulls::Absent,
        }
    }
}

/// The addition to a violation of the rules of 2019 that the current ones do not find.
fn only_of_2019(violation: &Violation, otherwise: &Violations) -> Option<&'static str> {
    let mut others = otherwise.kept().iter();
    if others.any(|other| other.path == violation.path) {
        return None;
    }
    Some(if violation.code == ViolationCode::FieldMissing {
        "the rules of 2019 require it; requests signed in the current form may leave it out"
    } else {
        "this is by the rules of 2019; requests signed in the current form may have it"
    })
}

#[cfg(test)]
mod tests;
