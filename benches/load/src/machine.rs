//! The figures of the operating system for a process, a disk and the machine.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Resource, getrlimit, setrlimit};

/// The unit of `/proc/<pid>/stat`, the same on all Linux systems.
const TICKS_PER_SECOND: u32 = 100;
/// The number of timed writes.
const WRITES: usize = 51;

/// The processor time of a process so far, in all its threads, in user and kernel mode.
///
/// # Errors
/// When there is no such process.
pub fn cpu_time(pid: u32) -> Result<Duration> {
    cpu_of(&pid.to_string(), OWN)
}

/// As [`cpu_time`], with that of its children, those that have ended too.
///
/// # Errors
/// When there is no such process, or the kernel does not list the children of one.
pub fn cpu_time_of_family(pid: u32) -> Result<Duration> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))
        .context("cannot list the processes of the server")?;
    let mut sum = cpu_of(&pid.to_string(), OWN_AND_ENDED_CHILDREN)?;
    for child in children.split_ascii_whitespace() {
        // One that ends now counts among those that have ended the next time.
        sum += cpu_of(child, OWN).unwrap_or_default();
    }
    Ok(sum)
}

/// The processor time of the calling thread so far.
///
/// # Errors
/// When the kernel does not say it.
pub fn cpu_time_of_thread() -> Result<Duration> {
    cpu_of("thread-self", OWN)
}

/// The number of times in `/proc/<pid>/stat` that count: user and kernel mode of the process, then of the children that
/// have ended.
const OWN: usize = 2;
const OWN_AND_ENDED_CHILDREN: usize = 4;

fn cpu_of(process: &str, times: usize) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))
        .context("cannot read the processor time of the server")?;
    // The name of the program stands in parentheses and may hold anything.
    let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
    let mut ticks = 0_u32;
    for field in fields.split_ascii_whitespace().skip(11).take(times) {
        ticks = ticks.saturating_add(field.parse()?);
    }
    Ok(Duration::from_secs(1) / TICKS_PER_SECOND * ticks)
}

/// The memory that the process has now, in MiB.
///
/// # Errors
/// When there is no such process.
pub fn resident_mib(pid: u32) -> Result<f64> {
    status_mib(pid, "VmRSS:")
}

/// The most memory that the process had since its start, or since [`forget_peak`], in MiB.
///
/// # Errors
/// When there is no such process.
pub fn peak_mib(pid: u32) -> Result<f64> {
    status_mib(pid, "VmHWM:")
}

/// The peak counts from now on. Where the kernel does not allow that, it goes on counting from the start of the process.
pub fn forget_peak(pid: u32) {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap_or_default();
}

fn status_mib(pid: u32, key: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))
        .context("cannot read the memory of the server")?;
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let word = line.and_then(|line| line.split_ascii_whitespace().next());
    let kib: f64 = word
        .context("the kernel does not report the memory of the process")?
        .parse()?;
    Ok(kib / 1_024.0)
}

/// The median time of a small write with `fdatasync` in this directory.
///
/// # Errors
/// When it cannot be written to.
pub fn fdatasync(directory: &Path) -> Result<Duration> {
    let path = directory.join("fdatasync");
    let mut file = File::create(&path).context("cannot write to the disk")?;
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        let start = Instant::now();
        file.write_all(&[b'x'; 4_096])?;
        file.sync_data()?;
        times.push(start.elapsed());
    }
    fs::remove_file(&path)?;
    times.sort_unstable();
    Ok(times.get(WRITES / 2).copied().unwrap_or_default())
}

/// The bytes that the files below this directory take on the disk.
///
/// # Errors
/// When it cannot be read.
pub fn bytes_below(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let about = fs::metadata(&path)?;
        bytes += if about.is_dir() {
            bytes_below(&path)?
        } else {
            about.blocks() * 512
        };
    }
    Ok(bytes)
}

/// Lets this process, and those it starts, open as many files as the system allows: a connection is one.
///
/// # Errors
/// When the system refuses.
pub fn allow_many_files() -> Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).context("cannot raise the number of open files")
}

/// The processor and how many of its cores there are.
#[must_use]
pub fn name() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = about
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = field.map_or("processor", |rest| {
        rest.trim_start_matches([' ', '\t', ':'])
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores of {model}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_report_includes_this_process() {
        let pid = std::process::id();
        forget_peak(pid);
        let (now, peak) = (resident_mib(pid).unwrap(), peak_mib(pid).unwrap());
        assert!(now > 0.0 && peak > 0.0, "{now} {peak}");
        assert!(cpu_time(pid).unwrap() < Duration::from_secs(3_600));
        // The earlier reading is the smaller one.
        let alone = cpu_time(pid).unwrap();
        assert!(cpu_time_of_family(pid).unwrap() >= alone);
        assert!(cpu_time_of_thread().unwrap() <= cpu_time(pid).unwrap());
        let error = cpu_time(u32::MAX).unwrap_err();
        assert!(error.to_string().contains("processor time"), "{error}");
    }

    #[test]
    fn files_in_folders_count_too() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("inner")).unwrap();
        fs::write(directory.path().join("inner/file"), vec![1; 10_000]).unwrap();
        let bytes = bytes_below(directory.path()).unwrap();
        assert!((10_000..40_000).contains(&bytes), "{bytes}");
    }
}
