//! What people see of a running service: its log.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Logs to standard error from now on: readable on a terminal, plain elsewhere. `RUST_LOG` chooses what.
pub(crate) fn start_logging() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    // A second service in the same process keeps the first one's log.
    subscriber.try_init().unwrap_or_default();
}
