//! Child processes, and their measurements: one line of JSON each.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::sides::{Settings, Side};

/// Runs a part, and gives what it printed and how it ended.
pub fn output(
    part: &str,
    side: Side,
    home: &Path,
    numbers: &[u64],
    settings: Settings,
) -> Result<Output> {
    // A write beyond the limit of the file size must fail with an error, not end the process.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    command.arg(std::env::current_exe()?);
    let cache_kib = settings.cache_bytes / 1_024;
    command.args([part, "--cache-kib", &cache_kib.to_string(), side.name()]);
    command.arg(home);
    command.args(numbers.iter().map(u64::to_string));
    command.output().context("cannot start a process")
}

/// Runs a part, and gives what it measured.
pub fn run<T: DeserializeOwned>(
    part: &str,
    side: Side,
    home: &Path,
    numbers: &[u64],
    settings: Settings,
) -> Result<T> {
    let output = output(part, side, home, numbers, settings)?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{part} of {} ended with {}: {stderr}",
            side.name(),
            output.status
        );
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{part} printed no figures"))
}

/// Prints the measurements.
#[expect(clippy::print_stdout, reason = "the process above reads it")]
pub fn tell(measured: &impl Serialize) -> Result<()> {
    println!("{}", serde_json::to_string(measured)?);
    Ok(())
}

/// The processor time of this process so far.
pub fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanos = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanos)
}

/// The memory that this process has, in KiB.
pub fn resident_kib() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_ascii_whitespace().next());
    Ok(kib
        .context("the system reports no memory of the process")?
        .parse()?)
}
