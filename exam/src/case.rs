//! A case: a rule with its judge.

use crate::rule::Rule;
use crate::stage::Stage;
use crate::verdict::Judgement;

/// The clock of the world of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The time of the world jumps to its next timer.
    Skip,
    /// The time of the world passes as that of the machine does.
    Real,
}

impl Clock {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Real => "real",
        }
    }
}

/// A case.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) rule: Rule,
    pub(crate) clock: Clock,
    pub(crate) judge: fn(&mut Stage) -> Judgement,
}
