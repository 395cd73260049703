//! The resources that the machine gives the process: descriptors for files and connections, and memory.

use std::fs;
use std::path::Path;

use rustix::process::{Resource, getrlimit, setrlimit};
use rustix::system::sysinfo;

/// The resources that pools are sized by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The files and connections that the process may have open.
    pub descriptors: u64,
    /// The memory of the machine, or of the group of processes that the service runs in, in bytes.
    pub memory: u64,
}

impl Machine {
    /// Reads the limits of this process.
    pub fn read() -> Self {
        let system = sysinfo();
        let unit = u64::from(system.mem_unit.max(1));
        let installed = system.totalram.saturating_mul(unit);
        Self {
            descriptors: getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX),
            memory: group_memory().map_or(installed, |group| group.min(installed)),
        }
    }
}

/// Raises the limit of open files to the most that the system allows: the usual one in a shell is for programs that use
/// `select`, and the service does not.
///
/// # Errors
/// When the system refuses. The service then runs with fewer connections.
pub fn raise_descriptors() -> rustix::io::Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return Ok(());
    }
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit)
}

/// The limit of memory of the control group, if there is one.
fn group_memory() -> Option<u64> {
    const ROOT: &str = "/sys/fs/cgroup";
    let own = fs::read_to_string("/proc/self/cgroup")
        .unwrap_or_default()
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))
        .map(|path| Path::new(ROOT).join(path).join("memory.max"));
    // Inside a container the group of the container is the root.
    let root = Path::new(ROOT).join("memory.max");
    let first_version = Path::new(ROOT).join("memory/memory.limit_in_bytes");
    let files = own.into_iter().chain([root, first_version]);
    let limits = files.filter_map(|file| fs::read_to_string(file).ok());
    limits.filter_map(|text| text.trim().parse().ok()).min()
}
