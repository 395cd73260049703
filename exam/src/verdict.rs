//! Verdicts, and what ends a case before its end.

use serde::Serialize;

use crate::role::Role;

/// The verdict of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The stimulus was given, and the program did what the rule asks.
    Holds {
        /// A remark about it.
        #[serde(skip_serializing_if = "Option::is_none")]
        remark: Option<String>,
    },
    /// The program did something else.
    Breaks {
        /// The deed of the program.
        why: String,
    },
    /// It works, and will hurt.
    Warns {
        /// The thing that will hurt.
        why: String,
    },
    /// The program never came to the point, or the run cannot try it.
    NotTried {
        /// The reason, with a remedy.
        why: String,
    },
    /// The caller has waived the rule.
    Waived {
        /// The caller's reason.
        reason: String,
    },
}

impl Verdict {
    /// The program holds the rule.
    #[must_use]
    pub fn holds() -> Self {
        Self::Holds { remark: None }
    }

    /// The word of the verdict, for people.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Holds { .. } => "holds",
            Self::Breaks { .. } => "breaks",
            Self::Warns { .. } => "warns",
            Self::NotTried { .. } => "not tried",
            Self::Waived { .. } => "waived",
        }
    }

    /// The rank of the verdict among those of a report: what is broken first.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Breaks { .. } => 0,
            Self::Warns { .. } => 1,
            Self::NotTried { .. } => 2,
            Self::Waived { .. } => 3,
            Self::Holds { .. } => 4,
        }
    }

    /// The same verdict, of a program in one of its roles.
    pub(crate) fn in_role(self, role: Role) -> Self {
        let with_role = |why: String| format!("As a {role}: {why}");
        match self {
            Self::Holds { remark } => Self::Holds {
                remark: remark.map(with_role),
            },
            Self::Breaks { why } => Self::Breaks {
                why: with_role(why),
            },
            Self::Warns { why } => Self::Warns {
                why: with_role(why),
            },
            Self::NotTried { why } => Self::NotTried {
                why: with_role(why),
            },
            Self::Waived { reason } => Self::Waived { reason },
        }
    }

    /// The sentence of the verdict; `None` when there is nothing to say.
    #[must_use]
    pub fn sentence(&self) -> Option<&str> {
        match self {
            Self::Holds { remark } => remark.as_deref(),
            Self::Breaks { why } | Self::Warns { why } | Self::NotTried { why } => Some(why),
            Self::Waived { reason } => Some(reason),
        }
    }
}

/// The end of a case before its judge has come to a verdict.
#[derive(Debug)]
pub(crate) enum StopError {
    /// The program did something else than the rule asks.
    Breaks(String),
    /// The program never came to the point.
    NotTried(String),
    /// The exam itself cannot go on.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for StopError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// The outcome of a judge.
pub(crate) type Judgement = Result<Verdict, StopError>;

/// Ends the case: the program breaks the rule.
pub(crate) fn breaks<T>(why: impl Into<String>) -> Result<T, StopError> {
    Err(StopError::Breaks(why.into()))
}

/// Ends the case: the program never came to the point.
pub(crate) fn not_tried<T>(why: impl Into<String>) -> Result<T, StopError> {
    Err(StopError::NotTried(why.into()))
}
