//! The exit codes of the program, declared once: commands end with them, the help prints them, and a test compares
//! `docs/operating.md` with them.

use std::process::ExitCode;

/// The end of a process of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    Failed,
    Invalid,
    NotExamined,
    Unreachable,
    IndexDamaged,
    DataDamaged,
    Deposed,
    Interrupted,
    Aborted,
}

/// The commands that end with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commands {
    All,
    AllButVerify,
    Verify,
    Checks,
    Exam,
    Service,
}

impl Exit {
    /// All of them, by number.
    const ALL: [Self; 10] = [
        Self::Done,
        Self::Failed,
        Self::Invalid,
        Self::NotExamined,
        Self::Unreachable,
        Self::IndexDamaged,
        Self::DataDamaged,
        Self::Deposed,
        Self::Interrupted,
        Self::Aborted,
    ];

    /// The number that the shell and supervisors see.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Invalid | Self::NotExamined => 2,
            Self::Unreachable | Self::IndexDamaged => 3,
            Self::DataDamaged => 4,
            // The engine ends the process with it.
            Self::Deposed => 75,
            // 128 and the number of the signal, as shells write it: SIGINT, SIGABRT.
            Self::Interrupted => 130,
            Self::Aborted => 134,
        }
    }

    const fn commands(self) -> Commands {
        match self {
            Self::Done | Self::Failed | Self::Invalid => Commands::All,
            Self::NotExamined => Commands::Exam,
            Self::Unreachable => Commands::AllButVerify,
            Self::IndexDamaged => Commands::Verify,
            Self::DataDamaged => Commands::Checks,
            Self::Deposed | Self::Interrupted | Self::Aborted => Commands::Service,
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done: verify found nothing damaged, the service stopped after a signal",
            Self::Failed => {
                "failed, for a reason on standard error; the service could not start or had to end"
            }
            Self::Invalid => {
                "the flags or the configuration are invalid; another attempt would not change that"
            }
            Self::NotExamined => "the exam could not run: it says nothing of the program",
            Self::Unreachable => "the service is unreachable",
            Self::IndexDamaged => {
                "only the index is damaged: --rebuild-index rebuilds it from the journal, nothing is lost"
            }
            Self::DataDamaged => {
                "the journal, media or the archive are damaged: restore a backup, or repair the archive"
            }
            Self::Deposed => "another node owns the shared log: start again, as its standby",
            Self::Interrupted => {
                "a second signal ended the service before requests in progress were finished"
            }
            Self::Aborted => {
                "SIGABRT: the disk failed a sync or a write of the journal, so the service ended before it acknowledged anything more"
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl Commands {
    const fn words(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::AllButVerify => "all but verify",
            Self::Verify => "verify",
            Self::Checks => "verify, backup, restore",
            Self::Exam => "exam",
            Self::Service => "serve, dev",
        }
    }
}

/// The part of the program's help about exit codes.
pub(crate) fn help() -> String {
    let lines = Exit::ALL.into_iter().map(|exit| {
        let (code, of, meaning) = (exit.code(), exit.commands(), exit.meaning());
        match of {
            Commands::All => format!("\n  {code:>3}  {meaning}"),
            Commands::AllButVerify
            | Commands::Verify
            | Commands::Checks
            | Commands::Exam
            | Commands::Service => {
                format!("\n  {code:>3}  ({}) {meaning}", of.words())
            }
        }
    });
    format!("Exit codes:{}", lines.collect::<String>())
}

/// The part of the help of `verify` about exit codes.
pub(crate) fn help_of_verify() -> String {
    let of_verify = Exit::ALL.into_iter().filter(|exit| {
        matches!(
            exit.commands(),
            Commands::All | Commands::Verify | Commands::Checks
        )
    });
    let lines = of_verify.map(|exit| format!("\n  {}  {}", exit.code(), exit.meaning()));
    format!("Exit codes:{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operating_guide_lists_every_exit_code() {
        let guide = include_str!("../docs/operating.md");
        let (_, list) = guide.split_once("\n## Exit codes\n").unwrap();
        let lines = list.split("\n## ").next().unwrap().lines();
        let rows: Vec<String> = lines
            .filter(|line| line.starts_with("| ") && !line.starts_with("| Code"))
            .map(|row| row.replace('`', ""))
            .collect();
        let declared = Exit::ALL.map(|exit| {
            let (code, of) = (exit.code(), exit.commands().words());
            format!("| {code} | {of} | {} |", exit.meaning())
        });
        assert_eq!(rows, declared);
    }

    #[test]
    fn a_deposed_owner_ends_with_the_code_of_the_engine() {
        use switchboard_engine::store::committer::config::DEPOSED;
        assert_eq!(i32::from(Exit::Deposed.code()), DEPOSED);
    }

    /// The supervisor must not start a service again and again whose configuration is invalid.
    #[test]
    fn the_unit_restarts_after_all_codes_but_an_invalid_setting() {
        let unit = include_str!("../packaging/switchboard.service");
        let prevented = format!("\nRestartPreventExitStatus={}\n", Exit::Invalid.code());
        assert!(unit.contains(&prevented) && unit.contains("\nRestart=on-failure\n"));
    }
}
