//! `switchboard shared-log begin`: the order to begin a log.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use switchboard_engine::runtime::clock::SystemClock;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_replication::position::Position;
use switchboard_replication::shared_log::{LogStanding, RetryPause, begin, forget};
use switchboard_replication::store::IDENTITY;

use super::super::key::ConfigArgs;
use super::super::output::{CliError, print};
use super::node;
use crate::config::Settings;
use crate::serve::lock;
use crate::shared_log::{self, followed};

/// So many attempts are made to store the order.
const ATTEMPTS: u32 = 5;
/// The pause between two of them.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub(super) struct BeginArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The node that is to own the log first [default: `shared_log.node`, else the name of this machine]
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Begin a new log in place of one that is lost or damaged, with everything that this data directory has; the node must be stopped
    #[arg(long)]
    new: bool,
    /// The data directory of this node [store.path]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A few attempts, one behind the other.
#[derive(Debug)]
struct Attempts;

impl RetryPause for Attempts {
    fn wait(&mut self, attempts: u32, _reason: &str) -> bool {
        thread::sleep(PAUSE);
        attempts < ATTEMPTS
    }
}

fn failed(error: &dyn std::fmt::Display) -> CliError {
    CliError::Failed(error.to_string())
}

pub(super) fn run(args: &BeginArgs) -> Result<(), CliError> {
    let settings = args.config.settings_or_variables()?;
    let configured = node(&settings)?;
    let name = args.node.as_deref().unwrap_or(&configured.name);
    let directory = args.data_dir.as_deref().unwrap_or(&settings.store.path);
    let to = shared_log::place(&settings, configured);
    if args.new {
        // Held to the end: the node must not follow the old log meanwhile.
        let _locked = stopped(directory)?;
        order(&settings, name)?;
        let disk = FileDisk::open(directory).map_err(|error| failed(&error))?;
        forget(&disk).map_err(|error| failed(&error))?;
    } else {
        has_followed_none(directory)?;
        order(&settings, name)?;
    }
    print(&if args.json {
        json!({ "log": to, "node": name }).to_string()
    } else {
        text(args.new, name, &to)
    })
}

/// Leaves the order at the log.
fn order(settings: &Settings, name: &str) -> Result<(), CliError> {
    let node = node(settings)?;
    shared_log::make(settings, node).map_err(|problem| failed(&problem))?;
    let mut log = shared_log::open(settings, node, &LogStanding::default())
        .map_err(|problem| failed(&problem))?;
    begin(log.as_mut(), &mut Attempts, name, &SystemClock).map_err(|error| failed(&error))
}

/// The lock of a data directory that has records to begin with.
fn stopped(directory: &Path) -> Result<lock::Locked, CliError> {
    let place = directory.display();
    if !directory.join(IDENTITY).exists() {
        return Err(CliError::Failed(format!(
            "there is no data in {place}: a new log begins with what a node has\n  help: run this on the node that has the most \
             records, and name its data directory with --data-dir"
        )));
    }
    lock::take(directory).map_err(|error| CliError::Failed(format!("{error:#}")))
}

/// Refuses a node that has followed a log: what it does not find now may be there.
fn has_followed_none(directory: &Path) -> Result<(), CliError> {
    // A directory that this user may not read says nothing; the node itself waits then.
    let Ok(Some(Position(place))) = followed(directory) else {
        return Ok(());
    };
    let path = directory.display();
    Err(CliError::Failed(format!(
        "the data directory {path} has followed a shared log up to place {place}\n  help: start the node, which goes on with that log; \
         mount its disk or correct its address if the node does not find it. If it is lost, stop the node with the most records and run \
         this command there with --new"
    )))
}

fn text(is_new: bool, name: &str, to: &str) -> String {
    let first_sentence = format!(
        "node {name} begins the shared log at {to}: within a second if it runs, else with its next start"
    );
    if !is_new {
        return first_sentence;
    }
    format!(
        "{first_sentence}\nStart it, wait until it is ready, and start the others with empty data directories: their own may have what the new log \
         lacks. Keep the old ones until you have compared"
    )
}
