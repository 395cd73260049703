//! The program that sits the exam.

/// The program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examinee {
    /// The program and its arguments. The exam starts it for each rule.
    pub command: Vec<String>,
    /// The path of its address for callbacks; `/` in general. `:scope_id` in it stands for the scope of the world.
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

    /// The path of its address for callbacks of this scope.
    pub(crate) fn path_for(&self, scope: &str) -> String {
        self.path.replace(":scope_id", scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scope_takes_its_place_in_the_path() {
        let program = Examinee::from_command_line("x").unwrap();
        assert_eq!(program.path_for("c_a"), "/");
        let path = "/in/:scope_id".to_owned();
        let of_scope = Examinee { path, ..program };
        assert_eq!(of_scope.path_for("c_a"), "/in/c_a");
    }
}
