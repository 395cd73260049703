//! The comparison of the index with a library of sorted files that could replace its files: the same keys and rows on
//! both sides, in turns, each measurement in a process of its own.
//!
//! `cargo run --release --manifest-path benches/index/Cargo.toml` takes some minutes and 2 GB of disk space. It prints
//! a line for each requirement on the library, and whether the library meets it. `-- --quick` takes seconds, to see
//! that it works.

mod child;
mod cost;
mod damage;
mod full_disk;
mod probe;
mod runs;
mod shape;
mod sides;
mod tree;
mod verdict;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::sides::{Settings, Side};

/// Compare the index's files with the library `lsm-tree`
#[derive(Debug, Parser)]
pub struct Args {
    #[command(subcommand)]
    part: Option<Part>,
    /// Messages that are stored
    #[arg(long, default_value_t = 1_000_000)]
    messages: u64,
    /// Conversations that they go to
    #[arg(long, default_value_t = 100_000)]
    conversations: u64,
    /// Rows of a checkpoint
    #[arg(long, default_value_t = 1_000_000)]
    rows: u64,
    /// Turns of each side; the median counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Indexes that are damaged in different ways
    #[arg(long, default_value_t = 400)]
    damages: u64,
    /// Cost of a whole message with so many conversations in use, in µs of processor time (`cargo bench --bench scaling
    /// -- --parts conversations`)
    #[arg(long, default_value_t = 51.4)]
    message_us: f64,
    /// The library's cache of blocks, in KiB
    #[arg(long, global = true, default_value_t = 16_384)]
    cache_kib: u64,
    /// Few of everything, to see that it works
    #[arg(long)]
    quick: bool,
    /// Directory of the files that the measurements make
    #[arg(long, value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
}

/// The work of a process of its own.
#[derive(Clone, Debug, Subcommand)]
#[command(hide = true)]
pub enum Part {
    /// Store messages
    Fill {
        side: Side,
        home: PathBuf,
        messages: u64,
        conversations: u64,
    },
    /// Open what was stored, and look things up
    Probe {
        side: Side,
        home: PathBuf,
        messages: u64,
        conversations: u64,
    },
    /// Take messages in
    Message {
        side: Side,
        home: PathBuf,
        conversations: u64,
        rounds: u64,
    },
    /// Write checkpoints of rows
    Checkpoint {
        side: Side,
        home: PathBuf,
        rows: u64,
    },
    /// Damage what was stored, open it, and read all of it
    Damage {
        side: Side,
        home: PathBuf,
        messages: u64,
        conversations: u64,
        from: u64,
        to: u64,
    },
    /// Write checkpoints that the disk refuses
    FullDisk {
        side: Side,
        home: PathBuf,
        attempts: u64,
    },
}

impl Args {
    fn settings(&self) -> Settings {
        Settings {
            cache_bytes: self.cache_kib.saturating_mul(1_024),
        }
    }
}

fn main() -> Result<()> {
    let mut args = Args::parse();
    let settings = args.settings();
    if args.quick {
        (args.messages, args.conversations, args.rows) = (2_000, 200, 2_000);
        (args.rounds, args.damages) = (1, 8);
    }
    match args.part.clone() {
        None => verdict::all(&args),
        Some(Part::Fill {
            side,
            home,
            messages,
            conversations,
        }) => probe::fill(side, &home, messages, conversations, settings),
        Some(Part::Probe {
            side,
            home,
            messages,
            conversations,
        }) => probe::probe(side, &home, messages, conversations, settings),
        Some(Part::Message {
            side,
            home,
            conversations,
            rounds,
        }) => cost::message(side, &home, conversations, rounds, settings),
        Some(Part::Checkpoint { side, home, rows }) => {
            cost::checkpoint(side, &home, rows, settings)
        }
        Some(Part::Damage {
            side,
            home,
            messages,
            conversations,
            from,
            to,
        }) => {
            let shape = shape::Messages { conversations };
            damage::damage(side, &home, shape, messages, from..to, settings)
        }
        Some(Part::FullDisk {
            side,
            home,
            attempts,
        }) => full_disk::full_disk(side, &home, attempts, settings),
    }
}
