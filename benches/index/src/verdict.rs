//! All measurements in turns, what they gave, and what that means for what was asked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::Args;
use crate::child::{output, run};
use crate::cost::{CheckpointCost, MessageCost};
use crate::damage::{Damaged, Outcome};
use crate::full_disk::Refused;
use crate::probe::{CHECKPOINTS, Probed, RECORDS};
use crate::shape::KEYS_OF_MESSAGE;
use crate::sides::Side;

/// A key that is not there is known as such in so many nanoseconds.
const ABSENT_NS_MAX: f64 = 1_000.0;
/// A message costs at most so many times as much.
const MESSAGE_MAX: f64 = 1.1;
/// A checkpoint takes at most so many times as long.
const CHECKPOINT_MAX: f64 = 1.0;
/// A key takes at most so many times the memory.
const MEMORY_MAX: f64 = 1.2;
/// The longest start with the stored data, in milliseconds.
const START_MS_MAX: f64 = 300.0;
/// Messages that damaged indexes have, and conversations of them.
const DAMAGED_MESSAGES: (u64, u64) = (4_000, 500);
/// Checkpoints that are refused.
const REFUSED: u64 = 40;
/// Checkpoints whose cost is measured.
const MESSAGE_ROUNDS: u64 = 12;

/// One line of the table.
struct Line {
    what: String,
    runs: String,
    tree: String,
    passes: Option<bool>,
}

/// Of both sides the same figure.
type Pair = (f64, f64);

/// Measures everything and prints the table.
pub fn all(args: &Args) -> Result<()> {
    let directory = match &args.directory {
        Some(directory) => tempfile::tempdir_in(directory)?,
        None => tempfile::tempdir()?,
    };
    let place = directory.path();
    // As many in each record, and no less than one.
    let messages = args.messages / (CHECKPOINTS * RECORDS) * (CHECKPOINTS * RECORDS);
    let mut lines = probed(args, place, messages)?;
    lines.extend(messages_taken(args, place)?);
    lines.extend(checkpoints(args, place)?);
    lines.extend(damaged(args, place)?);
    lines.extend(refused(args, place)?);
    lines.push(Line {
        what: "its files behind the faulty disk, in every power cut".to_owned(),
        runs: "tests of the engine".to_owned(),
        tree: "none: it calls std::fs itself".to_owned(),
        passes: Some(false),
    });
    print(args, &lines);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a benchmark talks on the terminal")]
fn print(args: &Args, lines: &[Line]) {
    println!(
        "{} messages, {} conversations, {} rows; a cache of {} KiB for the library; medians of {}",
        args.messages, args.conversations, args.rows, args.cache_kib, args.rounds
    );
    println!("{:<58} {:>30} {:>30}  verdict", "", "runs", "lsm-tree");
    for line in lines {
        let verdict = match line.passes {
            Some(true) => "PASS",
            Some(false) => "FAIL",
            None => "",
        };
        println!(
            "{:<58} {:>30} {:>30}  {verdict}",
            line.what, line.runs, line.tree
        );
    }
}

/// Look-ups, memory and starts.
fn probed(args: &Args, place: &Path, messages: u64) -> Result<Vec<Line>> {
    let settings = args.settings();
    let numbers = [messages, args.conversations];
    let home = |side: Side| place.join(side.name());
    let empty = |side: Side| place.join(format!("{}-empty", side.name()));
    let mut probes: BTreeMap<&str, Vec<(Probed, Probed)>> = BTreeMap::new();
    for side in Side::BOTH {
        fs::create_dir_all(home(side))?;
        fs::create_dir_all(empty(side))?;
        let () = run("fill", side, &home(side), &numbers, settings)?;
    }
    for _ in 0..args.rounds {
        for side in Side::BOTH {
            let full = run("probe", side, &home(side), &numbers, settings)?;
            let none = run(
                "probe",
                side,
                &empty(side),
                &[0, args.conversations],
                settings,
            )?;
            probes.entry(side.name()).or_default().push((full, none));
        }
    }
    for side in Side::BOTH {
        fs::remove_dir_all(home(side))?;
    }
    let pair = |figure: &dyn Fn(&Probed, &Probed) -> f64| -> Result<Pair> {
        let of = |side: Side| -> Result<f64> {
            let probes = probes.get(side.name()).context("nothing was measured")?;
            Ok(median(probes.iter().map(|(full, none)| figure(full, none))))
        };
        Ok((of(Side::Runs)?, of(Side::Tree)?))
    };
    let keys = exact(messages * KEYS_OF_MESSAGE);
    let bytes = |full: u64, none: u64| exact(full.saturating_sub(none)) * 1_024.0 / keys;
    let absent = pair(&|full, _| full.absent_ns)?;
    let after_open = pair(&|full, none| bytes(full.opened_kib, none.opened_kib))?;
    let after_use = pair(&|full, none| bytes(full.used_kib, none.used_kib))?;
    let start = pair(&|full, _| full.open_ms)?;
    let plain = |what: &str, pair: Pair, unit| line(what, pair, unit, None);
    Ok(vec![
        line(
            "a key that is not there",
            absent,
            "ns",
            Some(absent.1 <= ABSENT_NS_MAX),
        ),
        plain("a key that is there", pair(&|full, _| full.key_ns)?, "ns"),
        plain("a row that is there", pair(&|full, _| full.row_ns)?, "ns"),
        plain(
            "the first 250 rows of a list",
            pair(&|full, _| full.page_us)?,
            "µs",
        ),
        plain("memory of a key when it was opened", after_open, "bytes"),
        line(
            "memory of a key in use",
            after_use,
            "bytes",
            Some(after_use.1 <= after_use.0 * MEMORY_MAX),
        ),
        line(
            "opened, and asked once",
            start,
            "ms",
            Some(start.1 <= START_MS_MAX),
        ),
    ])
}

/// Turns of both sides, each in a directory of its own.
fn turns<T: serde::de::DeserializeOwned>(
    args: &Args,
    place: &Path,
    part: &str,
    numbers: &[u64],
) -> Result<(Vec<T>, Vec<T>)> {
    let (mut runs, mut tree) = (Vec::new(), Vec::new());
    for _ in 0..args.rounds {
        for side in Side::BOTH {
            let home = fresh(place, part, side)?;
            let figures = run(part, side, &home, numbers, args.settings())?;
            fs::remove_dir_all(home)?;
            match side {
                Side::Runs => runs.push(figures),
                Side::Tree => tree.push(figures),
            }
        }
    }
    Ok((runs, tree))
}

fn fresh(place: &Path, part: &str, side: Side) -> Result<PathBuf> {
    let home = place.join(format!("{part}-{}", side.name()));
    fs::create_dir_all(&home)?;
    Ok(home)
}

/// Measures the cost of a message.
fn messages_taken(args: &Args, place: &Path) -> Result<Vec<Line>> {
    let rounds = if args.quick { 2 } else { MESSAGE_ROUNDS };
    let numbers = [args.conversations, rounds];
    let (runs, tree) = turns::<MessageCost>(args, place, "message", &numbers)?;
    let of =
        |costs: &[MessageCost], figure: fn(&MessageCost) -> f64| median(costs.iter().map(figure));
    let both = |figure| (of(&runs, figure), of(&tree, figure));
    let look = both(|cost| cost.look);
    let checkpoint = both(|cost| cost.checkpoint);
    // What is in memory stays as it is whatever lies below.
    let take = of(&runs, |cost| cost.take);
    let share = (take + look.0 + checkpoint.0, take + look.1 + checkpoint.1);
    let whole = (args.message_us, args.message_us - share.0 + share.1);
    let passes = Some(whole.1 <= whole.0 * MESSAGE_MAX);
    Ok(vec![
        line(
            "a message: taken in, in memory (the same on both sides)",
            (take, take),
            "µs",
            None,
        ),
        line("a message: an absent key and a snapshot", look, "µs", None),
        line(
            "a message: its share of checkpoints and merges",
            checkpoint,
            "µs",
            None,
        ),
        line("a message, all of it", whole, "µs", passes),
    ])
}

/// Checkpoints of many rows.
fn checkpoints(args: &Args, place: &Path) -> Result<Vec<Line>> {
    let (runs, tree) = turns::<CheckpointCost>(args, place, "checkpoint", &[args.rows])?;
    let of = |costs: &[CheckpointCost], figure: fn(&CheckpointCost) -> f64| {
        median(costs.iter().map(figure))
    };
    let both = |figure| (of(&runs, figure), of(&tree, figure));
    let first = both(|cost| cost.first_ms);
    let second = both(|cost| cost.second_ms);
    let passes = |pair: Pair| Some(pair.1 <= pair.0 * CHECKPOINT_MAX);
    Ok(vec![
        line(
            "a checkpoint of rows that were not there",
            first,
            "ms",
            passes(first),
        ),
        line(
            "a checkpoint of new values for all of them",
            second,
            "ms",
            passes(second),
        ),
        line("both: processor time", both(|cost| cost.cpu_ms), "ms", None),
    ])
}

/// Measures the outcomes of damaged files.
fn damaged(args: &Args, place: &Path) -> Result<Vec<Line>> {
    let mut counts: BTreeMap<(Outcome, &str), u64> = BTreeMap::new();
    for side in Side::BOTH {
        let home = fresh(place, "damage", side)?;
        let (messages, conversations) = DAMAGED_MESSAGES;
        let numbers = [messages, conversations];
        let () = run("fill", side, &home, &numbers, args.settings())?;
        let mut next = 0;
        while next < args.damages {
            let numbers = [messages, conversations, next, args.damages];
            let output = output("damage", side, &home, &numbers, args.settings())?;
            for told in output.stdout.split(|byte| *byte == b'\n') {
                let Ok(damaged) = serde_json::from_slice::<Damaged>(told) else {
                    continue;
                };
                next = damaged.number + 1;
                *counts.entry((damaged.outcome, side.name())).or_default() += 1;
                tell_bad(side, &damaged);
            }
            if !output.status.success() {
                // The one that it was at.
                next += 1;
                *counts.entry((Outcome::Died, side.name())).or_default() += 1;
            }
        }
    }
    let count = |outcome, side: Side| counts.get(&(outcome, side.name())).copied().unwrap_or(0);
    let bad = |outcome| matches!(outcome, Outcome::Wrong | Outcome::Panicked | Outcome::Died);
    let outcomes = [
        (Outcome::Right, "still right"),
        (Outcome::NoticedAtStart, "noticed at the start"),
        (Outcome::NoticedLater, "noticed when it is asked"),
        (Outcome::Wrong, "a wrong answer"),
        (Outcome::Panicked, "a panic"),
        (Outcome::Died, "an end of the process"),
    ];
    Ok(outcomes
        .into_iter()
        .map(|(outcome, name)| Line {
            what: format!("a damaged file: {name}"),
            runs: format!("{} of {}", count(outcome, Side::Runs), args.damages),
            tree: format!("{} of {}", count(outcome, Side::Tree), args.damages),
            passes: bad(outcome).then(|| count(outcome, Side::Tree) == 0),
        })
        .collect())
}

#[expect(clippy::print_stderr, reason = "a person reads what went wrong")]
fn tell_bad(side: Side, damaged: &Damaged) {
    if matches!(damaged.outcome, Outcome::Wrong | Outcome::Panicked) {
        eprintln!("{}: {}: {:?}", side.name(), damaged.what, damaged.outcome);
    }
}

/// Checkpoints that are refused.
#[expect(clippy::print_stderr, reason = "a person reads what went wrong")]
fn refused(args: &Args, place: &Path) -> Result<Vec<Line>> {
    let attempts = if args.quick { 3 } else { REFUSED };
    let mut both = Vec::new();
    for side in Side::BOTH {
        let home = fresh(place, "full-disk", side)?;
        let report: Refused = run("full-disk", side, &home, &[attempts], args.settings())?;
        for fault in &report.faults {
            eprintln!("{}: a refused checkpoint: {fault}", side.name());
        }
        both.push(report);
    }
    let share = |refused: &Refused| format!("{} of {attempts}", refused.faults.len());
    let [runs, tree] = both.as_slice() else {
        return Ok(Vec::new());
    };
    Ok(vec![Line {
        what: "a refused checkpoint: something lost or stuck".to_owned(),
        runs: share(runs),
        tree: share(tree),
        passes: Some(tree.faults.is_empty()),
    }])
}

fn line(what: &str, pair: Pair, unit: &str, passes: Option<bool>) -> Line {
    let text = |value: f64| {
        let digits = if value < 10.0 { 2 } else { 0 };
        format!("{value:.digits$} {unit}")
    };
    Line {
        what: what.to_owned(),
        runs: text(pair.0),
        tree: text(pair.1),
        passes,
    }
}

/// The middle of these values; 0 when there are none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[expect(
    clippy::as_conversions,
    reason = "the counts of a benchmark are far below 2^53, where floats stop being exact"
)]
fn exact(count: u64) -> f64 {
    count as f64
}
