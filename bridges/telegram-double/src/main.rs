//! The double as a program.

use std::io::Write as _;
use std::net::SocketAddr;

use anyhow::{Context as _, Result};
use clap::Parser;
use telegram_double::Double;

/// A stand-in for the Telegram Bot API, for the tests of bots and bridges.
///
/// Bots call /bot<token>/<method> and /file/bot<token>/<path> on this address in place of api.telegram.org. Tests give orders
/// below /double: who says what, what goes wrong, and what time it is. GET /double lists them.
#[derive(Debug, Parser)]
#[command(name = "telegram-double", version)]
struct Arguments {
    /// The address on loopback; port 0 selects a free one, which the first line of the output names.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// A token to register from the beginning. It may be repeated; POST /double/bots registers others.
    #[arg(long, value_name = "TOKEN", hide_env_values = true)]
    token: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let double = Double::listen(arguments.listen)
        .await
        .with_context(|| format!("cannot listen on {}", arguments.listen))?;
    for (at, token) in arguments.token.iter().enumerate() {
        // The error names no token: it may be a real one.
        let number = at + 1;
        double
            .register(token)
            .with_context(|| format!("--token number {number} is refused"))?;
    }
    let mut output = std::io::stdout();
    writeln!(output, "telegram-double listens on {}", double.url())?;
    output.flush()?;
    tokio::select! {
        outcome = tokio::signal::ctrl_c() => outcome.context("cannot wait for the signal"),
        () = double.serve() => Ok(()),
    }
}
