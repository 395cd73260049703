//! The program that sits the exam.

use std::path::PathBuf;

/// The program.
#[derive(Clone, Debug)]
pub enum Examinee {
    /// A command that the exam starts for each case.
    Command(ExamCommand),
    /// A program that runs already.
    Webhook(Webhook),
}

/// A command.
#[derive(Clone, Debug)]
pub struct ExamCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The path of its address for callbacks; `/` in general.
    pub path: String,
    /// Its working directory; the current one without it.
    pub directory: Option<PathBuf>,
}

/// The address of a program that runs already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The port on this machine.
    pub port: u16,
    /// The path.
    pub path: String,
}
