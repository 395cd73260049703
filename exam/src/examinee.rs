//! The program that sits the exam.

use std::time::{Duration, Instant};

use switchboard_worlds::dev::world_place::WorldPlace;
use switchboard_worlds::dev::worlds_key::WorldsKey;
use switchboard_worlds::served_world::accepts;

/// The pause between two looks for an open port: nothing reports it.
const EACH: Duration = Duration::from_millis(100);
/// The hosts of this machine: the exam connects to no other one.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "localhost"];

/// The program, and where it listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examinee {
    /// The program.
    pub program: ExaminedProgram,
    /// The path of its address for callbacks; `/` in general. `:scope_id` in it stands for the scope of the world.
    pub path: String,
    /// The path and perhaps the query of its address for hooks; [`HOOKS_PATH`] in general.
    pub hooks_path: String,
    /// The most memory that it and all that it starts may use, in bytes; [`MEMORY`] in general. Only what the exam has started has
    /// a limit.
    pub memory: u64,
}

/// The path of a program's address for hooks, unless its [`Examinee`] says otherwise.
pub const HOOKS_PATH: &str = "/hooks";

/// The memory of a program, in bytes, unless its [`Examinee`] says otherwise.
pub const MEMORY: u64 = 2 << 30;

/// The way to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExaminedProgram {
    /// The program and its arguments. The exam starts it for each rule.
    Command(Vec<String>),
    /// It runs already.
    Running(RunningProgram),
}

/// A program that runs already. It has the address, the ids and the secrets of the worlds, which are the same for each rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningProgram {
    /// The port of 127.0.0.1 at which it listens.
    pub port: u16,
    /// The place of the worlds, one after the other.
    pub place: WorldPlace,
}

impl Examinee {
    /// The program of a command line, whose words are separated by spaces, with the general paths; `None` when it names no
    /// program.
    #[must_use]
    pub fn from_command_line(line: &str) -> Option<Self> {
        let command: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let program = (!command.is_empty()).then_some(ExaminedProgram::Command(command));
        program.map(|program| Self {
            program,
            path: "/".to_owned(),
            hooks_path: HOOKS_PATH.to_owned(),
            memory: MEMORY,
        })
    }

    /// The path of its address for callbacks of this scope.
    pub(crate) fn path_for(&self, scope: &str) -> String {
        self.path.replace(":scope_id", scope)
    }

    /// The program that listens at an address for callbacks, with the general path for hooks.
    ///
    /// # Errors
    /// When it is no address of this machine.
    pub fn from_webhook(url: &str, world_port: u16, key: WorldsKey) -> Result<Self, String> {
        let (port, path) = webhook(url)?;
        Ok(Self {
            program: ExaminedProgram::Running(RunningProgram {
                port,
                place: WorldPlace {
                    port: world_port,
                    key,
                },
            }),
            path,
            hooks_path: HOOKS_PATH.to_owned(),
            memory: MEMORY,
        })
    }

    /// The program, if it runs already.
    #[must_use]
    pub fn running(&self) -> Option<&RunningProgram> {
        match &self.program {
            ExaminedProgram::Running(program) => Some(program),
            ExaminedProgram::Command(_) => None,
        }
    }
}

impl RunningProgram {
    /// Waits until it accepts connections; returns whether it does so in time.
    #[must_use]
    pub fn is_up_within(&self, limit: Duration) -> bool {
        let start = Instant::now();
        while !accepts(self.port) {
            if start.elapsed() >= limit {
                return false;
            }
            std::thread::sleep(EACH);
        }
        true
    }
}

/// The port and the path of an address for callbacks, such as `http://127.0.0.1:9000/in`.
///
/// # Errors
/// When it is no address of this machine.
fn webhook(url: &str) -> Result<(u16, String), String> {
    let wrong = || {
        format!(
            "expected an address of this machine with its port, as in http://127.0.0.1:9000/in, and not «{url}»: nothing of \
             the exam leaves the machine"
        )
    };
    let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = authority.split_once(':').ok_or_else(wrong)?;
    let is_plain = path
        .chars()
        .all(|sign| sign.is_ascii_graphic() && sign != '#');
    let port = port.parse().ok().filter(|port| *port != 0);
    match port {
        Some(port) if is_plain && LOOPBACK.contains(&host) => Ok((port, format!("/{path}"))),
        Some(_) | None => Err(wrong()),
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

    #[test]
    fn a_webhook_is_at_a_port_of_this_machine() {
        assert_eq!(
            webhook("http://127.0.0.1:9000/in?k=1"),
            Ok((9000, "/in?k=1".to_owned()))
        );
        assert_eq!(webhook("http://localhost:9"), Ok((9, "/".to_owned())));
        for url in [
            "",
            "127.0.0.1:9000",
            "http://127.0.0.1/in",
            "http://127.0.0.1:0/in",
            "http://127.0.0.1:65536/in",
            "http://127.0.0.2:9000/in",
            "http://bridge.example:9000/in",
            "http://127.0.0.1:9000@bridge.example:80/in",
            "https://127.0.0.1:9000/in",
            "http://127.0.0.1:9000/i n",
            "http://127.0.0.1:9000/in#part",
        ] {
            assert!(webhook(url).is_err(), "{url}");
        }
    }
}
