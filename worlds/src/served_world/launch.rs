//! The command of a tested program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::served_world::group::GroupLimits;

/// The longest time until a program accepts connections, unless its launch sets another.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// The command of a tested program, with the surroundings of its start.
#[derive(Clone, Debug)]
pub struct Launch {
    pub(super) command: Vec<OsString>,
    pub(super) path: String,
    pub(super) variables: Vec<(OsString, OsString)>,
    pub(super) directory: Option<PathBuf>,
    pub(super) within: Duration,
    pub(super) limits: Option<GroupLimits>,
}

impl Launch {
    /// The program and its arguments.
    pub fn new(command: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        let command = command.into_iter();
        Self {
            command: command.map(|word| word.as_ref().to_owned()).collect(),
            path: "/".to_owned(),
            variables: Vec::new(),
            directory: None,
            within: STARTS_WITHIN,
            limits: None,
        }
    }

    /// With this path of its address for callbacks, which begins with a slash; `/` unless it is changed.
    #[must_use]
    pub fn path(self, path: &str) -> Self {
        let path = path.to_owned();
        Self { path, ..self }
    }

    /// With another variable of the environment.
    #[must_use]
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let (name, value) = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.variables.push((name, value));
        self
    }

    /// In this working directory.
    #[must_use]
    pub fn directory(self, directory: impl AsRef<Path>) -> Self {
        let directory = Some(directory.as_ref().to_owned());
        Self { directory, ..self }
    }

    /// With so much time until it accepts connections; 30 seconds unless it is changed.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// With these limits for all its processes together. It is killed when it is beyond one of them, and cannot write a file beyond its
    /// limit. There are none unless they are set.
    #[must_use]
    pub fn limits(self, limits: GroupLimits) -> Self {
        let limits = Some(limits);
        Self { limits, ..self }
    }
}

impl<W: AsRef<OsStr>, const N: usize> From<[W; N]> for Launch {
    fn from(command: [W; N]) -> Self {
        Self::new(command)
    }
}
