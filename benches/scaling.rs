//! The growth of the cost of a message with the numbers of messages, conversations and scopes.
//!
//! `cargo bench --bench scaling` has the real binary store messages and varies numbers in turn:
//! * *messages*: the cost of one when so many are stored, the disk space that each takes, and the time of a start,
//!   after `kill -9` and after a clean stop.
//! * *conversations*: the cost of a message to one of so many, the cost of the first message of a conversation, and
//!   the memory that an idle conversation takes, and one in use.
//! * *scopes*: the cost of a message that comes through one of so many.
//! * *search*: the time of searches in so many conversations; only when it is chosen.
//!
//! The default sizes take a few minutes. `-- --messages 10000 1000000 10000000 --conversations 1 1000 1000000` are those of
//! the promises, and take an hour, 10 GB of the disk and a few GB of memory; `-- --parts scopes` chooses, `-- --quick` takes
//! seconds, `-- --json FILE --plot FILE.svg` writes the figures down.
#![expect(clippy::print_stdout, reason = "a benchmark talks on the terminal")]

#[path = "scaling/conversations.rs"]
mod conversations;
#[path = "scaling/figures.rs"]
mod figures;
#[path = "scaling/messages.rs"]
mod messages;
#[path = "scaling/node.rs"]
mod node;
#[path = "scaling/scopes.rs"]
mod scopes;
#[path = "scaling/search.rs"]
mod search;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, ValueEnum};
use switchboard_bench::{machine, plot, report};

use crate::figures::Figures;

/// Store more and more
#[derive(Debug, Parser)]
struct Args {
    /// Numbers of stored messages, each at least 100 and more than the one before
    #[arg(long, num_args = 1.., default_values_t = [10_000, 100_000, 1_000_000])]
    messages: Vec<u64>,
    /// Numbers of conversations, beginning with one
    #[arg(long, num_args = 1.., default_values_t = [1, 100, 10_000, 100_000])]
    conversations: Vec<u64>,
    /// Numbers of scopes: squares, of as many channels as accounts
    #[arg(long, num_args = 1.., default_values_t = [1, 100, 2_500, 10_000])]
    scopes: Vec<u64>,
    /// Parts of the measurement
    #[arg(long, value_enum, num_args = 1.., default_values_t = [Part::Messages, Part::Conversations, Part::Scopes])]
    parts: Vec<Part>,
    /// The messages whose cost is measured at each size
    #[arg(long, default_value_t = 50_000)]
    window: u64,
    /// Few of everything, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the curves into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Another binary than the one built now, to compare with
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// The flag that cargo passes to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Messages,
    Conversations,
    Scopes,
    Search,
}

impl Args {
    fn binary(&self) -> &Path {
        let own_binary = Path::new(env!("CARGO_BIN_EXE_switchboard"));
        self.binary.as_deref().unwrap_or(own_binary)
    }

    fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

fn main() -> Result<()> {
    let mut args = Args::parse();
    if args.quick {
        (args.messages, args.window) = (vec![500, 2_000], 500);
        (args.conversations, args.scopes) = (vec![1, 50], vec![1, 9]);
    }
    machine::allow_many_files()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let figures = runtime.block_on(measure(&args))?;
    report::write(args.json.as_deref(), &figures)?;
    if let Some(file) = &args.plot {
        plot::write(file, &figures.panels())?;
    }
    Ok(())
}

async fn measure(args: &Args) -> Result<Figures> {
    let mut figures = Figures::new();
    if args.has(Part::Messages) {
        println!("{}", messages::HEADING);
        figures.messages = messages::measure(args.binary(), &args.messages, args.window).await?;
    }
    if args.has(Part::Conversations) {
        println!("{}", conversations::HEADING);
        for &count in &args.conversations {
            let line = conversations::measure(args.binary(), count, args.window).await?;
            println!("{line}");
            figures.conversations.push(line);
        }
    }
    if args.has(Part::Scopes) {
        println!("{}", scopes::HEADING);
        for &count in &args.scopes {
            let line = scopes::measure(args.binary(), count, args.window).await?;
            println!("{line}");
            figures.scopes.push(line);
        }
    }
    if args.has(Part::Search) {
        println!("{}", search::HEADING);
        for &count in &args.conversations {
            let lines = search::measure(args.binary(), count).await?;
            figures.search.extend(lines);
        }
    }
    figures.judge();
    for promise in &figures.promises {
        println!("{promise}");
    }
    Ok(figures)
}
