//! Paths to fields, written only when something is wrong, and the place where that is collected.

use std::cell::Cell;

use crate::domain::violation::{Violation, ViolationCode, Violations};

/// The number of characters that a path repeats of a key from outside.
const KEY_SHOWN_MAX: usize = 64;

/// A place in a document: a chain that costs nothing until it is written.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Item(usize),
}

impl<'p> Path<'p> {
    /// The document itself.
    pub const ROOT: Path<'static> = Path {
        parent: None,
        step: Step::Root,
    };

    /// The field `key` of what is here.
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Path<'p> {
        Path {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    /// The item `index`, from 0, of what is here.
    #[must_use]
    pub fn item(&'p self, index: usize) -> Path<'p> {
        Path {
            parent: Some(self),
            step: Step::Item(index),
        }
    }

    /// The path as in `payload.message.location.lat` or `status_rights.0.rights`; empty for the root.
    #[must_use]
    pub fn written(&self) -> String {
        let mut path = self.parent.map_or_else(String::new, Path::written);
        match self.step {
            Step::Root => {}
            Step::Key(key) => {
                let mut step = String::new();
                push_key(&mut step, key);
                push_step(&mut path, &step);
            }
            Step::Item(index) => push_step(&mut path, &index.to_string()),
        }
        path
    }
}

/// Appends a step to a written path.
pub(crate) fn push_step(path: &mut String, step: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(step);
}

/// Appends a key that may come from outside: shortened, and nothing in it that a terminal would obey.
pub(crate) fn push_key(path: &mut String, key: &str) {
    for (place, character) in key.chars().enumerate() {
        match character {
            _ if place >= KEY_SHOWN_MAX => {
                path.push('…');
                return;
            }
            shown if shown.is_control() => path.extend(shown.escape_default()),
            shown => path.push(shown),
        }
    }
}

/// Collects what readers of one document report. Shared by all of them, so it changes behind `&`.
#[derive(Default)]
pub struct Report {
    violations: Cell<Violations>,
    left_out: Cell<Violations>,
}

impl Report {
    /// Adds a violation.
    pub fn add(&self, path: &Path<'_>, code: ViolationCode, detail: String) {
        add(&self.violations, path, code, detail);
    }

    /// Notes a field that is left out because of its form, without which the document is as good.
    pub fn leave_out(&self, path: &Path<'_>, detail: String) {
        add(&self.left_out, path, ViolationCode::InvalidValue, detail);
    }

    /// The fields that were left out so far.
    #[must_use]
    pub fn take_left_out(&self) -> Violations {
        self.left_out.take()
    }

    /// The value, if there is one and nothing was reported.
    ///
    /// # Errors
    /// What was reported.
    pub fn settle<T>(self, value: Option<T>) -> Result<T, Violations> {
        let violations = self.violations.into_inner();
        match value {
            Some(value) if violations.is_empty() => Ok(value),
            Some(_) | None => Err(violations),
        }
    }
}

fn add(to: &Cell<Violations>, path: &Path<'_>, code: ViolationCode, detail: String) {
    let mut violations = to.take();
    violations.push(Violation {
        path: path.written(),
        code,
        detail,
    });
    to.set(violations);
}
