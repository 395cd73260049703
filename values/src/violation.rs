//! The violations of a request, field by field, all of them at once.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// The kind of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum ViolationCode {
    /// The field is required and is not there.
    FieldMissing,
    /// The field is there with another JSON type than the wanted one.
    InvalidType,
    /// The type is right, the value is not; also a field that has no business there.
    InvalidValue,
    /// The value is none of a closed set of values.
    NotSupportedChoice,
}

impl ViolationCode {
    /// All codes.
    pub const ALL: [Self; 4] = [
        Self::FieldMissing,
        Self::InvalidType,
        Self::InvalidValue,
        Self::NotSupportedChoice,
    ];

    /// The code as answers carry it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FieldMissing => "FieldMissing",
            Self::InvalidType => "InvalidType",
            Self::InvalidValue => "InvalidValue",
            Self::NotSupportedChoice => "NotSupportedChoice",
        }
    }
}

impl fmt::Display for ViolationCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One wrong field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The path of the value, as in `payload.message.location.lat`; empty for the body as a whole.
    pub path: String,
    /// The kind of the problem, for programs.
    pub code: ViolationCode,
    /// The expectation, for people.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.detail)
        } else {
            write!(f, "{}: {}", self.path, self.detail)
        }
    }
}

/// Collects violations: the first [`Self::KEPT_MAX`] are kept, the others are only counted, so that a body
/// made to be wrong cannot make an answer long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    kept: Vec<Violation>,
    dropped: usize,
}

impl Violations {
    /// The highest number of violations in a list.
    pub const KEPT_MAX: usize = 100;

    /// Adds one; from the hundred-and-first on it is only counted.
    pub fn push(&mut self, violation: Violation) {
        if self.kept.len() < Self::KEPT_MAX {
            self.kept.push(violation);
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Adds to the details of those about which there is more to say.
    pub fn explain(&mut self, more: impl Fn(&Violation) -> Option<&'static str>) {
        for violation in &mut self.kept {
            if let Some(more) = more(violation) {
                violation.detail = format!("{}; {more}", violation.detail);
            }
        }
    }

    /// Returns whether there are no violations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The kept ones, in the order in which they were found.
    #[must_use]
    pub fn kept(&self) -> &[Violation] {
        &self.kept
    }

    /// Returns the number of further violations, which the list does not hold.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self {
            kept: vec![violation],
            dropped: 0,
        }
    }
}

impl fmt::Display for Violations {
    /// The first violation and how many others there are: one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.kept.first() else {
            return f.write_str("the body is not as expected");
        };
        let others = (self.kept.len() - 1).saturating_add(self.dropped);
        match others {
            0 => first.fmt(f),
            _ => write!(f, "{first} (and {others} more)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violation(path: &str) -> Violation {
        Violation {
            path: path.to_owned(),
            code: ViolationCode::FieldMissing,
            detail: "this field is missing".to_owned(),
        }
    }

    #[test]
    fn at_most_a_hundred_are_kept_and_the_rest_are_counted() {
        let mut violations = Violations::default();
        assert!(violations.is_empty());
        for number in 0..250 {
            violations.push(violation(&number.to_string()));
        }
        assert_eq!(violations.kept().len(), 100);
        assert_eq!(violations.dropped(), 150);
        assert_eq!(
            violations.to_string(),
            "0: this field is missing (and 249 more)"
        );
    }

    #[test]
    fn only_violations_with_more_to_say_are_explained() {
        let mut violations = Violations::from(violation("a"));
        violations.push(violation("b"));
        violations.explain(|it| (it.path == "b").then_some("say who sends it"));
        let details: Vec<_> = violations.kept().iter().map(|it| &it.detail).collect();
        assert_eq!(
            details,
            [
                "this field is missing",
                "this field is missing; say who sends it"
            ]
        );
    }

    #[test]
    fn a_code_is_written_the_same_by_serde_and_by_display() {
        for code in ViolationCode::ALL {
            assert_eq!(serde_json::to_string(&code).unwrap(), format!("\"{code}\""));
        }
    }

    #[test]
    fn one_violation_is_one_sentence() {
        assert_eq!(
            Violations::from(violation("msgid")).to_string(),
            "msgid: this field is missing"
        );
    }
}
