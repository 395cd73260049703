//! A rule of the exam, as people read it.

use std::fmt;

use serde::Serialize;

use crate::role::{Profile, Role};

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
    /// The roles of the programs that it is for.
    pub roles: &'static [Role],
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

impl Rule {
    /// The roles in which a run of this profile tries the rule.
    pub fn roles_in(&self, profile: Profile) -> impl Iterator<Item = Role> {
        let roles = profile.roles().iter().copied();
        roles.filter(move |role| self.roles.contains(role))
    }

    /// Returns whether a run of this profile tries the rule.
    #[must_use]
    pub fn is_in(&self, profile: Profile) -> bool {
        self.roles_in(profile).next().is_some()
    }

    /// The programs that it is for, for people.
    #[must_use]
    pub fn audience(&self) -> String {
        let words: Vec<&str> = self.roles.iter().map(|role| role.plural()).collect();
        words.join(" and ")
    }
}
