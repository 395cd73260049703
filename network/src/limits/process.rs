//! The processor time, memory and descriptors of this process, as the kernel counts them.

use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, Timespec, clock_gettime};

/// The use of the machine by this process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessUse {
    /// Time that processors worked for the process, in user and system mode.
    pub cpu: Duration,
    pub threads: u64,
    pub virtual_bytes: u64,
    pub resident_bytes: u64,
    /// Unix time of the start, in seconds.
    pub started_at: f64,
    pub open_files: u64,
    /// The limit of open files; `None` where there is none.
    pub open_files_max: Option<u64>,
}

impl ProcessUse {
    /// Returns the use at this moment; `None` where `/proc` does not say, as in some sandboxes.
    pub fn read() -> Option<Self> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let page = u64::try_from(page_size()).unwrap_or_default();
        let counts = parse(&stat, clock_ticks_per_second(), page)?;
        let open_files = fs::read_dir("/proc/self/fd").ok()?.count();
        // Computed once: a clock that is set later must not move the start.
        static STARTED_AT: OnceLock<f64> = OnceLock::new();
        let started_at = *STARTED_AT.get_or_init(|| booted_at() + counts.start.as_secs_f64());
        Some(Self {
            cpu: counts.cpu,
            threads: counts.threads,
            virtual_bytes: counts.virtual_bytes,
            resident_bytes: counts.resident_bytes,
            started_at,
            // One descriptor reads the directory.
            open_files: u64::try_from(open_files).ok()?.saturating_sub(1),
            open_files_max: getrlimit(Resource::Nofile).current,
        })
    }
}

/// Unix time of the boot, in seconds. Not from `/proc/stat`, which the unit for systemd hides.
fn booted_at() -> f64 {
    seconds(clock_gettime(ClockId::Realtime)) - seconds(clock_gettime(ClockId::Boottime))
}

fn seconds(time: Timespec) -> f64 {
    let whole = u64::try_from(time.tv_sec).unwrap_or_default();
    let rest = u64::try_from(time.tv_nsec).unwrap_or_default();
    (Duration::from_secs(whole) + Duration::from_nanos(rest)).as_secs_f64()
}

/// The counts of `/proc/self/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    cpu: Duration,
    threads: u64,
    /// The start, since the boot.
    start: Duration,
    virtual_bytes: u64,
    resident_bytes: u64,
}

/// Reads `/proc/self/stat`, whose times count in ticks.
fn parse(stat: &str, ticks_per_second: u64, page_bytes: u64) -> Option<Counts> {
    // The name of the program comes second, in parentheses, and may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // proc(5) numbers the fields from 1, and the state, the first one here, is number 3.
    let field = |number: usize| -> Option<u64> { fields.get(number.checked_sub(3)?)?.parse().ok() };
    let time = |ticks: u64| -> Option<Duration> {
        let millis = ticks.checked_mul(1_000)?.checked_div(ticks_per_second)?;
        Some(Duration::from_millis(millis))
    };
    Some(Counts {
        cpu: time(field(14)?.checked_add(field(15)?)?)?,
        threads: field(20)?,
        start: time(field(22)?)?,
        virtual_bytes: field(23)?,
        resident_bytes: field(24)?.checked_mul(page_bytes)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_name_with_blanks_and_parentheses_shifts_no_field() {
        let stat = "42 (a) b ) S 1 42 42 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 9 0 1000 4096000 300 18446744073709551615";
        let counts = parse(stat, 100, 4_096).unwrap();
        assert_eq!(
            counts,
            Counts {
                cpu: Duration::from_secs(3),
                threads: 9,
                start: Duration::from_secs(10),
                virtual_bytes: 4_096_000,
                resident_bytes: 300 * 4_096,
            }
        );
        assert_eq!(parse("42 (a) S 1", 100, 4_096), None);
    }

    #[test]
    fn this_process_is_described() {
        let process = ProcessUse::read().unwrap();
        assert!(process.resident_bytes > 1_000_000 && process.open_files > 2);
        assert!(process.threads > 0);
        let age = seconds(clock_gettime(ClockId::Realtime)) - process.started_at;
        assert!((-1.0..86_400.0).contains(&age), "{age}");
    }
}
