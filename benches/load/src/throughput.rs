//! The whole service under load, and what it does less of for comparison, taking turns.
//!
//! The servers run beside each other: the service, one of it whose answers do not wait for the disk, and one for each target
//! that does less. For each number of conversations and
//! of connections every target gets one round after the other, again and again, so that a disturbance of the machine meets
//! all of them; medians of the rounds are shown. Between rounds the servers come to rest, so that checkpoints count for the
//! target that made them necessary, and only for that.

mod stage;

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use tokio::signal::unix::{SignalKind, signal};

use self::stage::{Sample, Stage};
use crate::goals;
use crate::machine;
use crate::options::{Options, Target};
use crate::report::{Figures, HEADING, HalfLoad, Line};
use crate::statistics::{median, micros};

/// The number of connections at which the service is also measured at half of what it can do.
const HALF_LOAD_AT: usize = 64;

/// Measures what the options select, with servers of this binary, and writes the results line by line.
///
/// # Errors
/// When a server does not start or does not answer as expected, or when a signal ends the measurement.
pub fn run(options: &Options, binary: &Path, out: &mut dyn Write) -> Result<Figures> {
    machine::allow_many_files()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        // Whatever ends it, the servers are stopped and their directories removed. A signal counts from here on, also while
        // the servers start.
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        tokio::select! {
            figures = measure(options, binary, out) => figures,
            _ = terminate.recv() => bail!("interrupted"),
            _ = interrupt.recv() => bail!("interrupted"),
        }
    })
}

async fn measure(options: &Options, binary: &Path, out: &mut dyn Write) -> Result<Figures> {
    let mut stage = Stage::set_up(options, binary)?;
    let mut figures = Figures {
        version: env!("CARGO_PKG_VERSION"),
        machine: machine::name(),
        fdatasync_us: micros(stage.fdatasync()?),
        rounds: options.rounds(),
        seconds: options.time().as_secs_f64(),
        skipped: stage.skipped().to_vec(),
        lines: Vec::new(),
        half_load: Vec::new(),
        promises: Vec::new(),
    };
    for skipped in &figures.skipped {
        writeln!(out, "{skipped}")?;
    }
    writeln!(
        out,
        "{}; fdatasync of 4 KiB: {:.0} µs\nmedians of {} rounds of {} s\n\n{HEADING}",
        figures.machine, figures.fdatasync_us, figures.rounds, figures.seconds
    )?;
    for (place, conversations) in (0..).zip(options.conversations()) {
        stage.open(place, conversations).await?;
        let (mut lines, mut half) = (Vec::new(), None);
        for connections in options.connections() {
            let turns = take_turns(&mut stage, connections, options).await?;
            for line in &turns {
                writeln!(out, "{line}")?;
            }
            let send = turns.iter().find(|line| line.target == Target::Send);
            if let Some(send) = send.filter(|_| connections == HALF_LOAD_AT) {
                let half = half.insert(half_load(&mut stage, send, options.rounds()).await?);
                writeln!(out, "{half}")?;
            }
            lines.extend(turns);
        }
        if options.aims {
            let promises = goals::judge(&lines, half.as_ref(), figures.fdatasync_us);
            figures.promises.extend(promises);
        }
        figures.lines.extend(lines);
        figures.half_load.extend(half);
    }
    stage.stop()?;
    if options.aims {
        writeln!(out)?;
    }
    for promise in &figures.promises {
        writeln!(out, "{promise}")?;
    }
    Ok(figures)
}

async fn take_turns(stage: &mut Stage, connections: usize, options: &Options) -> Result<Vec<Line>> {
    let targets = stage.targets(options);
    let mut rounds: Vec<(Target, Vec<Sample>)> = Vec::new();
    rounds.extend(targets.iter().map(|&target| (target, Vec::new())));
    // The first round of each is not counted: caches and connections become warm.
    for round in 0..=options.rounds() {
        for (target, samples) in &mut rounds {
            let sample = stage.round(*target, connections).await?;
            if round > 0 {
                samples.push(sample);
            }
        }
    }
    let mut lines: Vec<Line> = rounds
        .iter()
        .map(|(target, samples)| line(*target, connections, stage.conversations(), samples))
        .collect();
    let rate = |target| {
        let line = lines.iter().find(|line| line.target == target);
        line.map(|line| line.requests_per_second)
    };
    let (noop, floor) = (rate(Target::Noop), rate(Target::Floor));
    for line in &mut lines {
        line.of_noop = noop.map(|noop| line.requests_per_second / noop);
        line.of_floor = floor.map(|floor| line.requests_per_second / floor);
    }
    Ok(lines)
}

fn line(target: Target, connections: usize, conversations: u64, samples: &[Sample]) -> Line {
    let of = |value: fn(&Sample) -> f64| median(samples.iter().map(value));
    let maybe = |value: fn(&Sample) -> Option<f64>| -> Option<f64> {
        let values: Vec<f64> = samples.iter().filter_map(value).collect();
        (!values.is_empty()).then(|| median(values))
    };
    let peaks = samples.iter().filter_map(|sample| sample.server_peak_mib);
    Line {
        conversations,
        connections,
        target,
        requests_per_second: of(|sample| sample.requests_per_second),
        of_noop: None,
        of_floor: None,
        p50_us: of(|sample| sample.p50_us),
        p99_us: of(|sample| sample.p99_us),
        p999_us: of(|sample| sample.p999_us),
        server_cpu_us_per_request: maybe(|sample| sample.server_cpu_us),
        server_peak_mib: peaks.reduce(f64::max),
        after_accept_p50_us: maybe(|sample| sample.after_accept_p50_us),
    }
}

/// The send operation, at half of the rate that `send` found.
async fn half_load(stage: &mut Stage, send: &Line, rounds: u16) -> Result<HalfLoad> {
    let per_second = send.requests_per_second / 2.0;
    let (mut syncs, mut samples) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        // What the disk takes changes from minute to minute on a machine with neighbours.
        syncs.push(micros(stage.fdatasync()?));
        samples.push(stage.half_load(send.connections, per_second).await?);
    }
    let of = |value: fn(&Sample) -> f64| median(samples.iter().map(value));
    Ok(HalfLoad {
        conversations: send.conversations,
        connections: send.connections,
        requests_per_second: of(|sample| sample.requests_per_second),
        p50_us: of(|sample| sample.p50_us),
        p99_us: of(|sample| sample.p99_us),
        fdatasync_us: median(syncs),
    })
}
