//! The group of a program's processes: its size, and a watch that ends it when it grows beyond its limits.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// The pause between two looks at a group: no event reports its size.
const EACH: Duration = Duration::from_millis(200);

/// The most that a group of processes may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimits {
    /// The resident memory of all processes together, in bytes. What several of them share counts once.
    pub bytes: u64,
    /// The number of processes.
    pub processes: usize,
    /// The size of each file that they write, their output too, in bytes.
    pub file_bytes: u64,
}

/// The size of a group; nothing where the system has no /proc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupSize {
    pub(super) bytes: u64,
    pub(super) processes: usize,
}

/// A process of a group.
struct Member {
    /// Its directory in /proc.
    directory: PathBuf,
    /// The memory that it has resident, with what it shares with others, in bytes.
    resident: u64,
}

/// The processes of a group.
fn members(group: Pid) -> Vec<Member> {
    let group = group.as_raw_nonzero().get();
    let page = u64::try_from(rustix::param::page_size()).unwrap_or_default();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let member = |process: DirEntry| {
        let directory = process.path();
        let stat = std::fs::read_to_string(directory.join("stat")).ok()?;
        // The name of the program in parentheses may have spaces. Behind it, the third word is the group, and the 22nd is the number of pages.
        let (_, words) = stat.rsplit_once(") ")?;
        let mut words = words.split(' ');
        if words.nth(2)?.parse() != Ok(group) {
            return None;
        }
        let pages: u64 = words.nth(18)?.parse().ok()?;
        Some(Member {
            directory,
            resident: pages.saturating_mul(page),
        })
    };
    processes.filter_map(member).collect()
}

impl GroupSize {
    pub(super) fn read(group: Pid) -> Self {
        Self::measure(&members(group))
    }

    fn measure(members: &[Member]) -> Self {
        // A process that has just ended has no memory any more.
        let bytes = |it: &Member| share_of_memory(&it.directory).unwrap_or_default();
        Self {
            bytes: members.iter().map(bytes).sum(),
            processes: members.len(),
        }
    }

    /// Returns what a group has beyond its limits, in a sentence.
    fn excess_of(group: Pid, limits: GroupLimits) -> Option<String> {
        let members = members(group);
        let resident: u64 = members.iter().map(|it| it.resident).sum();
        // The system goes through all pages of a process to find what it shares, and this is read often.
        if resident <= limits.bytes && members.len() <= limits.processes {
            return None;
        }
        Self::measure(&members).excess(limits)
    }

    /// Returns what is beyond the limits, in a sentence.
    fn excess(self, limits: GroupLimits) -> Option<String> {
        let mebibytes = |bytes: u64| bytes >> 20;
        if self.processes > limits.processes {
            return Some(format!(
                "it had {} processes; at most {} are allowed, so it was ended",
                self.processes, limits.processes
            ));
        }
        (self.bytes > limits.bytes).then(|| {
            format!(
                "it used {} MiB of memory; at most {} MiB are allowed, so it was ended",
                mebibytes(self.bytes),
                mebibytes(limits.bytes)
            )
        })
    }
}

/// The resident memory of a process in bytes; of what it shares with others, its share.
fn share_of_memory(process: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(process.join("smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

/// A thread that looks at a group until this is dropped. It has to be dropped before the leader of the group is waited for: until then no
/// other group has its number.
pub(super) struct Watch {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Looks at a group from now on. The first excess ends it, and stays in `excess`.
    pub(super) fn begin(group: Pid, limits: GroupLimits, excess: Arc<OnceLock<String>>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(EACH) == Err(RecvTimeoutError::Timeout) {
                if let Some(why) = GroupSize::excess_of(group, limits) {
                    kill_process_group(group, Signal::KILL).unwrap_or_default();
                    // It is the first one: the watch ends here.
                    drop(excess.set(why));
                    return;
                }
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A watch that has panicked has nothing more to end.
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: GroupLimits = GroupLimits {
        bytes: 2 << 20,
        processes: 3,
        file_bytes: 1 << 20,
    };

    fn excess(bytes: u64, processes: usize) -> Option<String> {
        GroupSize { bytes, processes }.excess(LIMITS)
    }

    #[test]
    fn an_excess_is_named_and_the_limit_itself_is_none() {
        assert_eq!(excess(2 << 20, 3), None);
        let why = excess(3 << 20, 3).unwrap();
        assert_eq!(
            why,
            "it used 3 MiB of memory; at most 2 MiB are allowed, so it was ended"
        );
        let why = excess(0, 4).unwrap();
        assert_eq!(
            why,
            "it had 4 processes; at most 3 are allowed, so it was ended"
        );
    }
}
