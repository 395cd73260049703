//! What the operating system says of a process and of a disk.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The unit of `/proc/<pid>/stat`, the same on all Linux systems.
const TICKS_PER_SECOND: u32 = 100;
/// How many writes are timed.
const WRITES: usize = 101;

/// How much processor time the process has had, in all its threads, in user and kernel mode.
pub(crate) fn cpu_time(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs");
    // The name of the program stands in parentheses and may hold anything.
    let (_, fields) = stat.rsplit_once(')').expect("the name is in parentheses");
    let ticks: u32 = fields
        .split_ascii_whitespace()
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u32>().expect("ticks are a number"))
        .sum();
    Duration::from_secs(1) / TICKS_PER_SECOND * ticks
}

/// The median time of a small write with `fdatasync` in this directory.
pub(crate) fn fdatasync(directory: &Path) -> Duration {
    let path = directory.join("fdatasync");
    let mut file = File::create(&path).expect("the directory can be written to");
    let mut times: Vec<Duration> = (0..WRITES)
        .map(|_| {
            let begun = Instant::now();
            file.write_all(&[b'x'; 4_096]).expect("there is space");
            file.sync_data().expect("the disk syncs");
            begun.elapsed()
        })
        .collect();
    fs::remove_file(&path).expect("the file can be removed");
    times.sort_unstable();
    times[WRITES / 2]
}
