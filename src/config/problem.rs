//! The problems of a configuration, described so that the operator can correct them without a search.
//!
//! A problem says what it found, where it came from and what to write instead. All problems of a configuration are
//! reported at once. The text never quotes a secret: it is built from parsed values, not from the lines of the file.

use std::fmt;

use serde_json::{Value, json};

/// Everything that is wrong with a configuration; never empty.
#[derive(Debug, thiserror::Error)]
pub struct ConfigErrors(Vec<ConfigError>);

impl ConfigErrors {
    /// The problems as an error; there is at least one.
    pub(super) fn new(problems: Vec<ConfigError>) -> Self {
        Self(problems)
    }

    /// All problems, for programs.
    #[must_use]
    pub fn as_json(&self) -> Vec<Value> {
        let document = |problem: &ConfigError| {
            let place = problem.place.as_ref();
            json!({
                "code": problem.code,
                "what": problem.headline,
                "file": place.map(|place| &place.file),
                "line": place.map(|place| place.line),
                "help": problem.help,
            })
        };
        self.0.iter().map(document).collect()
    }

    /// The number of problems.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct ConfigError {
    /// A stable word that names the kind of problem.
    pub(super) code: &'static str,
    /// The problem, in one line.
    pub(super) headline: String,
    /// The file and line, when it came from a file.
    pub(super) place: Option<SourceLine>,
    /// The advice.
    pub(super) help: String,
}

/// A line of the configuration file, and as much of it as may be shown.
#[derive(Debug)]
pub(super) struct SourceLine {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) excerpt: Option<LineExcerpt>,
}

/// Part of a line, its end marked and commented on.
#[derive(Debug)]
pub(super) struct LineExcerpt {
    /// The line up to the mark.
    pub(super) before: String,
    /// The marked part of the line.
    pub(super) marked: String,
    /// The text under the mark.
    pub(super) label: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[config/{}]: {}", self.code, self.headline)?;
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        write!(f, "\n  help: {}", self.help)
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  --> {}:{}", self.file, self.line)?;
        if let Some(LineExcerpt {
            before,
            marked,
            label,
        }) = &self.excerpt
        {
            let line = self.line.to_string();
            let margin = line.len();
            let indent = before.chars().count();
            let carets = "^".repeat(marked.chars().count().max(1));
            write!(f, "\n{:margin$} |", "")?;
            write!(f, "\n{line} | {before}{marked}")?;
            let mark = format!("{:indent$}{carets} {label}", "");
            write!(f, "\n{:margin$} | {}", "", mark.trim_end())?;
        }
        Ok(())
    }
}
