//! A case: a rule with its judge.

use crate::rule::Rule;
use crate::stage::Stage;
use crate::verdict::Judgement;

/// A case.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) rule: Rule,
    pub(crate) judge: fn(&mut Stage) -> Judgement,
}
