//! The program that sits the exam.

/// The program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examinee {
    /// The program and its arguments. The exam starts it for each rule.
    pub command: Vec<String>,
    /// The path of its address for callbacks; `/` in general.
    pub path: String,
}

impl Examinee {
    /// The program of a command line, whose words are separated by spaces; `None` when it names no program.
    #[must_use]
    pub fn from_command_line(line: &str, path: &str) -> Option<Self> {
        let command: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let path = path.to_owned();
        (!command.is_empty()).then_some(Self { command, path })
    }
}
