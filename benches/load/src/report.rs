//! The figures: one line for each target, with so many connections and conversations.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::goals::Goal;
use crate::options::Target;

/// Everything that is written down.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// The program.
    pub version: &'static str,
    /// The processor and its cores.
    pub machine: String,
    /// The median time of a small write with `fdatasync`.
    pub fdatasync_us: f64,
    /// The number of rounds of each, and their duration.
    pub rounds: u16,
    /// The length of a round.
    pub seconds: f64,
    /// The targets that cannot run here.
    pub skipped: Vec<Skipped>,
    /// The figures.
    pub lines: Vec<Line>,
    /// The send operation at half of what it can do.
    pub half_load: Vec<HalfLoad>,
    /// The goals.
    pub promises: Vec<Goal>,
}

/// A target that cannot run here.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// The target.
    pub target: Target,
    /// The reason.
    pub why: String,
}

impl Skipped {
    /// This target cannot run, because of this error.
    ///
    /// # Errors
    /// Where everything has to run (`REQUIRE_ALL=1`).
    pub fn because(target: Target, error: &anyhow::Error) -> Result<Self> {
        let why = format!("{error:#}").trim().to_owned();
        if std::env::var_os("REQUIRE_ALL").is_some_and(|value| value == "1") {
            bail!("REQUIRE_ALL is set, but {target} cannot run: {why}");
        }
        Ok(Self { target, why })
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skipped: {}: {}", self.target, self.why)
    }
}

/// The medians of the rounds of one target.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Over how many conversations the messages were spread.
    pub conversations: u64,
    /// Over how many connections they came, with one request at a time in progress on each.
    pub connections: usize,
    /// The target.
    pub target: Target,
    /// The number of requests in a second.
    pub requests_per_second: f64,
    /// Compared with the no-op of the same rounds.
    pub of_noop: Option<f64>,
    /// Compared with the floor of the same rounds.
    pub of_floor: Option<f64>,
    /// Half took at most so long.
    pub p50_us: f64,
    /// 99 of 100 took at most so long.
    pub p99_us: f64,
    /// 999 of 1,000 took at most so long.
    pub p999_us: f64,
    /// The processor time of the server for one request.
    pub server_cpu_us_per_request: Option<f64>,
    /// The most memory that the server had in any of the rounds.
    pub server_peak_mib: Option<f64>,
    /// From the acknowledgement of an answer to its callback: half took at most so long.
    pub after_accept_p50_us: Option<f64>,
}

/// The medians of the rounds at half load.
#[derive(Clone, Debug, Serialize)]
pub struct HalfLoad {
    /// Over how many conversations the messages were spread.
    pub conversations: u64,
    /// Over how many connections they came.
    pub connections: usize,
    /// The number of messages sent in a second.
    pub requests_per_second: f64,
    /// Half took at most so long.
    pub p50_us: f64,
    /// 99 of 100 took at most so long.
    pub p99_us: f64,
    /// `fdatasync` just before each round.
    pub fdatasync_us: f64,
}

/// The names of the columns of [`Line`].
pub const HEADING: &str = "conversations connections    target     req/s  of noop  of floor    p50 µs    p99 µs  p99.9 µs  CPU µs/req  peak MiB";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>13} {:>11} {:>9} {:>9.0} {:>8} {:>9} {:>9.0} {:>9.0} {:>9.0} {:>11} {:>9}",
            self.conversations,
            self.connections,
            self.target,
            self.requests_per_second,
            shown(self.of_noop, 2),
            shown(self.of_floor, 2),
            self.p50_us,
            self.p99_us,
            self.p999_us,
            shown(self.server_cpu_us_per_request, 1),
            shown(self.server_peak_mib, 0)
        )
    }
}

impl fmt::Display for HalfLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>13} {:>11} {:>9} {:>9.0} {:>8} {:>9} {:>9.0} {:>9.0}   (at half of its rate; fdatasync {:.0} µs)",
            self.conversations,
            self.connections,
            "send",
            self.requests_per_second,
            "-",
            "-",
            self.p50_us,
            self.p99_us,
            self.fdatasync_us
        )
    }
}

/// A number of conversations, in words.
#[must_use]
pub fn conversations(count: u64) -> String {
    match count {
        1 => "1 conversation".to_owned(),
        count => format!("{count} conversations"),
    }
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// Writes figures as JSON, if that is wanted; to standard output when the file is called `-`.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: Option<&Path>, figures: &impl Serialize) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(figures)? + "\n";
    if path == Path::new("-") {
        return Ok(io::stdout().lock().write_all(text.as_bytes())?);
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_with_their_headings() {
        let line = Line {
            conversations: 1_000,
            connections: 64,
            target: Target::Verified,
            requests_per_second: 46_037.0,
            of_noop: Some(0.5),
            of_floor: Some(1.25),
            p50_us: 1.0,
            p99_us: 2.0,
            p999_us: 3.0,
            server_cpu_us_per_request: None,
            server_peak_mib: Some(99.9),
            after_accept_p50_us: None,
        };
        let text = line.to_string();
        assert_eq!(text.chars().count(), HEADING.chars().count());
        let columns: Vec<&str> = text.split_whitespace().collect();
        let cells = [
            "1000", "64", "verified", "46037", "0.50", "1.25", "1", "2", "3", "-", "100",
        ];
        assert_eq!(columns, cells);
    }
}
