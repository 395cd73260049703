//! `switchboard mcp`: worlds and the exam as tools of an agent, by the Model Context Protocol on standard input and output.
//!
//! The worlds are in this process, as those of `switchboard dev run` are. The client of an agent starts the process and ends it,
//! so there is no address and no token to configure, and no other program can reach these orders. Each tool gives
//! one order in the form of `/dev/v1`, through the door that its requests come through (`Worlds::order`): it can do nothing that they
//! cannot. The one exception is the exam, which `switchboard exam` runs in the same way; the flags of the command name its program.
//!
//! `rmcp` speaks both generations of the protocol: those with a handshake (2024-11-05 to 2025-11-25), and those whose requests name
//! their version themselves (from 2026-07-28).

mod answer;
mod exam;
mod journal;
mod orders;
mod parameter;
mod server;
mod tools;

use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio;
use switchboard_worlds::dev::Worlds;
use switchboard_worlds::dev::worlds_key::WorldsKey;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use self::exam::Exam;
pub(crate) use self::exam::ExamProgram;
use self::server::Server;

/// The longest message of a client, in bytes: more than an order may have. Longer ones are dropped.
const MESSAGE_MAX: usize = 1 << 20;

/// Serves the agent at standard input and output until its input ends. The secrets of worlds follow from the key; without one, from
/// chance.
///
/// # Errors
/// When no world can be had, or the client does not speak the protocol.
pub(crate) fn serve(program: ExamProgram, key: Option<WorldsKey>) -> Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("there is no event loop")?;
    let outcome = LocalSet::new().block_on(&runtime, serve_agent(program, key));
    // A read of standard input cannot be ended.
    runtime.shutdown_background();
    outcome
}

async fn serve_agent(program: ExamProgram, key: Option<WorldsKey>) -> Result<()> {
    let worlds = Worlds::drawn(key).await?;
    let exam = Arc::new(Exam::new(program));
    let server = Arc::new(Server::new(worlds, Arc::clone(&exam)));
    let (input, output) = stdio();
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MESSAGE_MAX);
    let outcome = match rmcp::serve_server(Arc::clone(&server), transport).await {
        Ok(running) => running.waiting().await.map(drop).map_err(Into::into),
        // A client that only looks whether the program starts.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(why) => Err(anyhow!("the client does not speak the protocol: {why}")),
    };
    exam.end().await;
    server.end().await;
    outcome
}
