//! The options of a measurement, as flags.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

/// A target: what takes turns with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A handler that looks at nothing; it gets the same requests as `send`
    Noop,
    /// Everything but storing: signature and body are checked
    Verified,
    /// The least that a durable answer needs: signature, body, and a group commit of the raw body
    Floor,
    /// A table of PostgreSQL in place of the service: signature, body, and an insert with a unique key
    Postgres,
    /// The send operation; answers wait for the disk
    Send,
    /// The send operation of a server with `durability = "interval"`: answers do not wait for the disk
    Interval,
    /// The send operation of an account with three webhooks for each message, whose receivers take 50 ms
    Hooked,
    /// The send operation of the program that `--against` names
    #[value(skip)]
    Against,
    /// A page of users of an account
    Users,
    /// A bare loop of the HTTP client that callbacks leave by, without the service
    Bare,
    /// The answer of an account user until it is at the integration, as a callback
    Reply,
}

impl Target {
    const ALL: [Self; 10] = [
        Self::Noop,
        Self::Verified,
        Self::Floor,
        Self::Postgres,
        Self::Send,
        Self::Interval,
        Self::Hooked,
        Self::Users,
        Self::Bare,
        Self::Reply,
    ];
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Noop => "noop",
            Self::Verified => "verified",
            Self::Floor => "floor",
            Self::Postgres => "postgres",
            Self::Send => "send",
            Self::Interval => "interval",
            Self::Hooked => "hooked",
            Self::Against => "against",
            Self::Users => "users",
            Self::Bare => "bare",
            Self::Reply => "reply",
        })
    }
}

/// The options of a measurement.
#[derive(Clone, Debug, Default, Args)]
pub struct Options {
    /// Numbers of connections [default: 1 16 64 256 1024]
    #[arg(long, num_args = 1.., value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4_000))]
    connections: Vec<u16>,
    /// Numbers of conversations [default: 1 1000 100000]
    #[arg(long, num_args = 1.., value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9_000_000))]
    conversations: Vec<u32>,
    /// Targets that take turns [default: all]
    #[arg(long, value_enum, num_args = 1.., value_name = "TARGET")]
    targets: Vec<Target>,
    /// Another program of this service, say one from before a change: its send operation takes turns too
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Rounds of each [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    rounds: Option<u16>,
    /// Length of a round in seconds [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<f64>,
    /// One short round of each with few connections, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// Say of each aim of the project whether it is met here; the aims are for two idle cores and a release build
    #[arg(long)]
    pub aims: bool,
    /// Write the figures as JSON, to this file or, without one, to standard output instead of the table
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Draw the figures into this SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Directory of the service's data; it should be on the disk that matters [default: the current directory]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.05..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("write a number from 0.05 to 600".to_owned()),
    }
}

impl Options {
    /// Numbers of connections.
    #[must_use]
    pub fn connections(&self) -> Vec<usize> {
        let numbers = self.chosen(&self.connections, &[1, 16, 64, 256, 1_024], &[1, 64]);
        numbers.into_iter().map(usize::from).collect()
    }

    /// Numbers of conversations.
    #[must_use]
    pub fn conversations(&self) -> Vec<u64> {
        let numbers = self.chosen(&self.conversations, &[1, 1_000, 100_000], &[20]);
        numbers.into_iter().map(u64::from).collect()
    }

    /// The targets that take turns.
    #[must_use]
    pub fn targets(&self) -> Vec<Target> {
        let mut targets = self.chosen(&self.targets, &Target::ALL, &Target::ALL);
        if self.against.is_some() {
            targets.push(Target::Against);
        }
        targets
    }

    /// Returns whether this target takes turns.
    #[must_use]
    pub fn wants(&self, target: Target) -> bool {
        self.targets().contains(&target)
    }

    /// Rounds of each.
    #[must_use]
    pub fn rounds(&self) -> u16 {
        self.rounds.unwrap_or(if self.quick { 1 } else { 3 })
    }

    /// The length of a round.
    #[must_use]
    pub fn time(&self) -> Duration {
        let seconds = self.seconds.unwrap_or(if self.quick { 0.1 } else { 1.0 });
        Duration::from_secs_f64(seconds)
    }

    fn chosen<T: Clone>(&self, given: &[T], usual: &[T], quick: &[T]) -> Vec<T> {
        match (given, self.quick) {
            ([], false) => usual.to_vec(),
            ([], true) => quick.to_vec(),
            (given, _) => given.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn read(flags: &str) -> Result<Options, clap::Error> {
        let words = std::iter::once("bench").chain(flags.split_whitespace());
        Line::try_parse_from(words).map(|line| line.options)
    }

    #[test]
    fn without_flags_everything_is_measured() {
        let options = read("").unwrap();
        assert_eq!(options.connections(), [1, 16, 64, 256, 1_024]);
        assert_eq!(options.conversations(), [1, 1_000, 100_000]);
        assert_eq!(options.targets(), Target::ALL);
        assert_eq!((options.rounds(), options.time().as_secs()), (3, 1));
        assert_eq!(options.json, None);
    }

    #[test]
    fn explicit_options_override_a_quick_run() {
        let options =
            read("--quick --connections 64 256 --targets send --json --seconds 0.5").unwrap();
        assert_eq!(options.connections(), [64, 256]);
        assert_eq!(options.conversations(), [20]);
        assert!(options.wants(Target::Send) && !options.wants(Target::Reply));
        assert_eq!(options.time(), Duration::from_millis(500));
        assert_eq!(options.json.unwrap().as_os_str(), "-");
    }

    #[test]
    fn a_second_program_alternates_when_it_is_named() {
        let options = read("--targets send --against before/switchboard").unwrap();
        assert_eq!(options.targets(), [Target::Send, Target::Against]);
    }

    #[test]
    fn invalid_options_are_refused() {
        for flags in [
            "--targets against",
            "--connections 0",
            "--connections 5000",
            "--conversations 0",
            "--seconds nan",
            "--seconds 0",
            "--rounds 0",
        ] {
            assert!(read(flags).is_err(), "{flags}");
        }
    }
}
