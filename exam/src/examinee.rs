//! The program that sits the exam.

/// The program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examinee {
    /// The program and its arguments. The exam starts it for each rule.
    pub command: Vec<String>,
    /// The path of its address for callbacks; `/` in general.
    pub path: String,
    /// The path and perhaps the query of its address for hooks; `/hooks` in general.
    pub hooks_path: String,
}

impl Examinee {
    /// The program of a command line, whose words are separated by spaces, with the general paths; `None` when it names no
    /// program.
    #[must_use]
    pub fn from_command_line(line: &str) -> Option<Self> {
        let command: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        (!command.is_empty()).then(|| Self {
            command,
            path: "/".to_owned(),
            hooks_path: "/hooks".to_owned(),
        })
    }
}
