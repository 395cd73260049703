//! The log of a running service.

mod by_clients;

use std::error::Error;
use std::io::IsTerminal;

use switchboard_network::printable::PrintableWriter;
use tracing_subscriber::filter::{LevelFilter, ParseError};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use self::by_clients::ByClients;

use crate::config::Log;
use crate::config::values::LogFormat;

/// The filter of the log unless `RUST_LOG` has another one.
const USUAL: &str = "info";

/// Logs to standard error from now on; `RUST_LOG` chooses what.
pub(crate) fn start_logging(log: Log) {
    let (filter, wrong) = match EnvFilter::try_from_default_env() {
        Ok(filter) => (filter, None),
        Err(error) => {
            let is_wrong = error.source().is_some_and(|cause| cause.is::<ParseError>());
            (EnvFilter::new(USUAL), is_wrong.then_some(error))
        }
    };
    let by_clients = ByClients {
        shown: filter.max_level_hint() >= Some(LevelFilter::DEBUG),
    };
    let is_terminal = std::io::stderr().is_terminal();
    let layer = fmt::layer()
        .with_writer(move || PrintableWriter::with_colours(std::io::stderr(), is_terminal))
        .with_ansi(is_terminal)
        .with_target(false);
    let lines = match log.format {
        LogFormat::Text => layer.boxed(),
        LogFormat::Json => layer.json().flatten_event(true).boxed(),
    };
    // A second service in the same process keeps the first one's log.
    tracing_subscriber::registry()
        .with(lines)
        .with(by_clients)
        .with(filter)
        .try_init()
        .unwrap_or_default();
    if let Some(error) = wrong {
        tracing::warn!(%error, "RUST_LOG is invalid and ignored; write it as in RUST_LOG=debug");
    }
}
