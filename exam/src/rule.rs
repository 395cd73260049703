//! A rule of the exam, as people read it.

use std::fmt;

use serde::Serialize;

/// The source of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The documents of the counterpart say so.
    Documents,
    /// It was seen in public code, or in captured traffic.
    Code,
    /// Developers complained about it in public.
    Complaints,
    /// It follows from HTTP, or from delivery at least once.
    Protocol,
    /// It follows from other facts.
    Inference,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Documents => "documents of the counterpart",
            Self::Code => "public code and captured traffic",
            Self::Complaints => "public complaints of developers",
            Self::Protocol => "HTTP, and delivery at least once",
            Self::Inference => "inference from other facts",
        })
    }
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its number, which never changes.
    pub number: u8,
    /// Its title: what a program that holds it does.
    pub title: &'static str,
    /// The deeds of the exam.
    pub stimulus: &'static str,
    /// The duty of the program.
    pub expectation: &'static str,
    /// The sources.
    pub sources: &'static [Source],
    /// The commonest mistake.
    pub mistake: &'static str,
    /// The way to mend it.
    pub advice: &'static str,
}
