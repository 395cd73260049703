//! The program of a stage: started for it, or running already.

use std::time::Duration;

use anyhow::Context as _;
use serde_json::Value;
use switchboard_worlds::served_world::{GroupLimits, Launch, Process, accepts, free_port};
use tempfile::TempDir;

use crate::examinee::{ExaminedProgram, Examinee};
use crate::stage::DIRECTORY_VARIABLE;
use crate::verdict::{StopError, breaks, not_tried};

/// The most processes of the program at a time.
const PROCESSES: usize = 256;
/// The size of each file that the program writes, its output too, in bytes.
const FILE_BYTES: u64 = 1 << 30;
/// The longest time until the program accepts connections: several of them start at once, perhaps on a busy machine.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// The program, before its world is there.
pub(super) enum Candidate {
    Started { launch: Launch, directory: TempDir },
    Running,
}

/// The program.
pub(super) enum Program {
    Started(Box<StartedProgram>),
    /// It runs already, and listens at this port.
    Running(u16),
}

/// A program that the exam has started.
pub(super) struct StartedProgram {
    launch: Launch,
    process: Process,
    /// Its directory, which outlives its restarts.
    _directory: TempDir,
}

impl Candidate {
    /// The program of an examinee, and the port at which it is going to listen.
    pub(super) fn from_examinee(examinee: &Examinee) -> Result<(Self, u16), StopError> {
        match &examinee.program {
            ExaminedProgram::Running(program) => Ok((Self::Running, program.port)),
            ExaminedProgram::Command(words) => {
                let directory = tempfile::tempdir().context("no directory for the program")?;
                let launch = Launch::new(words)
                    .limits(GroupLimits {
                        bytes: examinee.memory,
                        processes: PROCESSES,
                        file_bytes: FILE_BYTES,
                    })
                    .within(STARTS_WITHIN)
                    .variable(DIRECTORY_VARIABLE, directory.path());
                Ok((Self::Started { launch, directory }, free_port()?))
            }
        }
    }

    /// Starts it for a world, which sends callbacks to this path, if it does not run already.
    ///
    /// # Errors
    /// [`StopError::NotTried`] when it does not start, or does not run any more.
    pub(super) fn start(self, port: u16, path: &str, world: &Value) -> Result<Program, StopError> {
        match self {
            Self::Started { launch, directory } => {
                let launch = launch.path(path);
                let process = Process::start(&launch, world, Some(port));
                let process = process.map_err(|why| StopError::NotTried(format!("{why:#}")))?;
                Ok(Program::Started(Box::new(StartedProgram {
                    launch,
                    process,
                    _directory: directory,
                })))
            }
            Self::Running if accepts(port) => Ok(Program::Running(port)),
            Self::Running => not_tried(format!(
                "the program accepts no connection on port {port} any more: start it again"
            )),
        }
    }
}

impl Program {
    /// The port at which it listens.
    pub(super) fn port(&self) -> u16 {
        match self {
            Self::Started(started) => started.process.port(),
            Self::Running(port) => *port,
        }
    }

    /// Returns whether the exam did not start it.
    pub(super) fn runs_already(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    /// Kills it.
    ///
    /// # Errors
    /// When it is not the exam's to kill.
    pub(super) fn kill(&mut self) -> Result<(), StopError> {
        self.started("kill it")?.process.kill();
        Ok(())
    }

    /// Starts it again, on the same port, as changed.
    ///
    /// # Errors
    /// When it does not start any more.
    pub(super) fn start_again(
        &mut self,
        world: &Value,
        change: impl FnOnce(&Launch) -> Launch,
    ) -> Result<(), StopError> {
        let started = self.started("start it again")?;
        let launch = change(&started.launch);
        match Process::start(&launch, world, Some(started.process.port())) {
            Ok(process) => started.process = process,
            Err(why) => return breaks(format!("It does not start again: {why:#}")),
        }
        Ok(())
    }

    /// Its memory in bytes; `None` when the exam did not start it.
    pub(super) fn memory(&self) -> Option<u64> {
        match self {
            Self::Started(started) => Some(started.process.memory()),
            Self::Running(_) => None,
        }
    }

    /// The limit for which it was ended, in a sentence.
    pub(super) fn excess(&self) -> Option<&str> {
        match self {
            Self::Started(started) => started.process.excess(),
            Self::Running(_) => None,
        }
    }

    /// Returns whether it has ended by itself.
    pub(super) fn has_died(&self) -> bool {
        match self {
            Self::Started(started) => started.process.is_over(),
            Self::Running(_) => false,
        }
    }

    /// Returns whether it still runs.
    pub(super) fn is_alive(&self) -> bool {
        match self {
            Self::Started(_) => !self.has_died(),
            Self::Running(port) => accepts(*port),
        }
    }

    /// The end of what it has written.
    pub(super) fn output(&self) -> String {
        match self {
            Self::Started(started) => started.process.output(),
            Self::Running(_) => {
                "(the exam did not start the program, and does not see its output)".to_owned()
            }
        }
    }

    fn started(&mut self, deed: &str) -> Result<&mut StartedProgram, StopError> {
        match self {
            Self::Started(started) => Ok(started),
            Self::Running(_) => not_tried(runs_already(deed)),
        }
    }
}

/// The reason why a rule is not tried with a program that runs already.
pub(super) fn runs_already(deed: &str) -> String {
    format!(
        "this rule has to {deed}, and the exam did not start the program: give its command line by --command in the place \
         of --webhook"
    )
}
