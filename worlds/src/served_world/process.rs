//! The process of a tested program, with all that it starts.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use serde_json::Value;

use crate::dev::scenario::program::{accepts, free_port, variables};
use crate::served_world::group::{GroupLimits, GroupSize, Watch};
use crate::served_world::launch::Launch;

/// The longest time that a program may take to end after SIGTERM.
const STOPS_WITHIN: Duration = Duration::from_secs(5);
/// The pause between two looks for an open port or an end: nothing reports either.
const EACH: Duration = Duration::from_millis(10);
/// The number of bytes of an output that are shown: those at its end.
const OUTPUT_MAX: usize = 20_000;

/// Leads the group of the program. Its first argument is the limit of files in blocks of 512 bytes, or empty. When its input closes,
/// the process of the test has ended, and the group ends too.
const LEADER: &str = r#"
[ -z "$1" ] || ulimit -f "$1"
shift
trap : TERM
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{ trap - TERM; cat <&3 >/dev/null; kill -s KILL 0; } 2>/dev/null &
exec 3<&-
while :; do wait "$program"; code=$?; kill -0 "$program" 2>/dev/null || exit "$code"; done
"#;

/// A process that accepts connections. It ends when this is dropped: SIGTERM to its group of processes, and SIGKILL after
/// 5 seconds.
pub struct Process {
    child: Child,
    port: u16,
    url: String,
    command_line: String,
    output: File,
    has_ended: bool,
    watch: Option<Watch>,
    excess: Arc<OnceLock<String>>,
}

impl Process {
    /// Starts a program with the variables of this world, and waits until it accepts connections on the port; without one, on a
    /// free port.
    ///
    /// # Errors
    /// When it does not start, or accepts no connection in time, with what it has written.
    pub fn start(launch: &Launch, world: &Value, port: Option<u16>) -> Result<Self> {
        let words = launch.command.join(OsStr::new(" "));
        let command_line = words.to_string_lossy().into_owned();
        let port = port.map_or_else(free_port, Ok)?;
        let output = tempfile::tempfile().context("no file for the output of the program")?;
        let mut command = Command::new("sh");
        let blocks = |limits: GroupLimits| (limits.file_bytes >> 9).to_string();
        let file_limit = launch.limits.map(blocks).unwrap_or_default();
        command.args(["-c", LEADER, "sh", &file_limit]);
        command.args(&launch.command);
        command.envs(variables(world, port));
        command.envs(launch.variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        let child = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?)
            .spawn()
            .with_context(|| format!("the program «{command_line}» does not start"))?;
        let excess = Arc::new(OnceLock::new());
        let group = Pid::from_child(&child);
        let begin = |limits| Watch::begin(group, limits, Arc::clone(&excess));
        let mut process = Self {
            watch: launch.limits.map(begin),
            excess,
            child,
            port,
            url: format!("http://127.0.0.1:{port}{}", launch.path),
            command_line,
            output,
            has_ended: false,
        };
        let start = Instant::now();
        while !accepts(port) {
            let Self { command_line, .. } = &process;
            let why = if process.is_over() {
                format!("the program «{command_line}» ended before it accepted connections")
            } else if start.elapsed() >= launch.within {
                let within = launch.within.as_secs_f64();
                format!("the program «{command_line}» accepted no connection within {within} s")
            } else {
                std::thread::sleep(EACH);
                continue;
            };
            process.end();
            let output = process.shown_output();
            let excess = process.excess();
            let excess = excess.map_or(String::new(), |excess| format!(": {excess}"));
            bail!("{why} on port {port} (PORT){excess}\n{output}");
        }
        Ok(process)
    }

    /// Returns the address where the program receives callbacks.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The port on which it accepts connections.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The end of what it has written to its standard output and error.
    #[must_use]
    pub fn output(&self) -> String {
        let length = self.output.metadata().map_or(0, |it| it.len());
        let begin = length.saturating_sub(u64::try_from(OUTPUT_MAX).unwrap_or(u64::MAX));
        let mut end = vec![0; OUTPUT_MAX];
        let count = self.output.read_at(&mut end, begin).unwrap_or_default();
        end.truncate(count);
        String::from_utf8_lossy(&end).into_owned()
    }

    /// Kills it and all that it has started (SIGKILL), and waits until its port is free.
    pub fn kill(&mut self) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        self.signal(Signal::KILL);
        self.watch = None;
        self.child.wait().map(drop).unwrap_or_default();
        // The leader is waited for, and what it has started may end a little later.
        let start = Instant::now();
        while start.elapsed() < STOPS_WITHIN && accepts(self.port) {
            std::thread::sleep(EACH);
        }
    }

    /// The memory of its group of processes in bytes; 0 where the system has no /proc.
    #[must_use]
    pub fn memory(&self) -> u64 {
        GroupSize::read(Pid::from_child(&self.child)).bytes
    }

    /// The limit of its launch for which it was ended, in a sentence.
    #[must_use]
    pub fn excess(&self) -> Option<&str> {
        self.excess.get().map(String::as_str)
    }

    /// The end of what it has written, with its command line above.
    #[must_use]
    pub fn shown_output(&self) -> String {
        format!("output of «{}»:\n{}", self.command_line, self.output())
    }

    pub(super) fn end(&mut self) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        self.signal(Signal::TERM);
        let start = Instant::now();
        while start.elapsed() < STOPS_WITHIN && !self.is_over() {
            std::thread::sleep(EACH);
        }
        self.signal(Signal::KILL);
        self.watch = None;
        self.child.wait().map(drop).unwrap_or_default();
    }

    /// Returns whether it has ended. The leader is not reaped before its group has ended, so no other process has its number.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
        matches!(status, Ok(Some(_)))
    }

    /// Nothing of the group may be left.
    fn signal(&self, signal: Signal) {
        kill_process_group(Pid::from_child(&self.child), signal).unwrap_or_default();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("command", &self.command_line)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
