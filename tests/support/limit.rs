//! A time limit for child processes, whose output and end a test reads without a limit of its own.

use std::io;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{PATIENCE, TEST_PATIENCE};

/// The life of a child process, as long as this is held: once it is over, the system kills the process. Reads of its
/// output then end and waits for it return, so the test fails by its own assertion.
pub struct Limit(#[expect(dead_code, reason = "dropping it ends the limit")] Sender<()>);

impl Limit {
    /// Limits a process to [`PATIENCE`].
    pub fn on(child: &Child) -> Self {
        Self::after(child, PATIENCE)
    }

    /// Limits a process that runs as long as its test, or fetches from elsewhere, to [`TEST_PATIENCE`].
    pub fn of_a_test(child: &Child) -> Self {
        Self::after(child, TEST_PATIENCE)
    }

    /// Limits a process to this time.
    fn after(child: &Child, time: Duration) -> Self {
        // By descriptor: the number of a process that has ended may be another's.
        let process = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).unwrap();
        let (sender, receiver) = channel();
        thread::spawn(move || {
            if receiver.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                pidfd_send_signal(process, Signal::KILL).unwrap_or_default();
            }
        });
        Self(sender)
    }
}

/// Commands that end, be it by a limit. Like [`Command::output`], both functions run the command to its end and read what
/// it writes.
pub trait Limited {
    /// Kills the command after [`PATIENCE`].
    fn limited_output(&mut self) -> io::Result<Output>;

    /// Kills the command after [`TEST_PATIENCE`]: it is a test runner, or fetches from elsewhere.
    fn test_output(&mut self) -> io::Result<Output>;
}

impl Limited for Command {
    fn limited_output(&mut self) -> io::Result<Output> {
        output(self, Limit::on)
    }

    fn test_output(&mut self) -> io::Result<Output> {
        output(self, Limit::of_a_test)
    }
}

fn output(command: &mut Command, limit: impl Fn(&Child) -> Limit) -> io::Result<Output> {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let _limit = limit(&child);
    child.wait_with_output()
}

#[test]
fn a_process_beyond_its_limit_is_killed() {
    use std::os::unix::process::ExitStatusExt as _;

    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    let _limit = Limit::after(&child, Duration::from_millis(20));
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}

#[test]
fn a_process_outlives_a_limit_that_was_dropped() {
    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    let limit = Limit::after(&child, Duration::from_millis(20));
    drop(limit);
    thread::sleep(Duration::from_millis(60));
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}
