//! The program that a scenario tests.

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::file::TestedProgram;

/// The names of the variables by which the program learns of its world.
#[derive(Clone, Copy, Debug)]
pub struct WorldVariables {
    /// The address.
    pub url: &'static str,
    /// The id of the account.
    pub account_id: &'static str,
    /// The id of the channel.
    pub channel_id: &'static str,
    /// The id of the scope.
    pub scope_id: &'static str,
    /// The secret of the channel.
    pub channel_secret: &'static str,
    /// The token of a user.
    pub user_token: &'static str,
    /// The id of the OAuth client.
    pub client_id: &'static str,
    /// The secret of the OAuth client.
    pub client_secret: &'static str,
    /// The redirect URI of the OAuth client.
    pub redirect_uri: &'static str,
    /// An authorization code.
    pub code: &'static str,
}

impl WorldVariables {
    /// Each variable, and where the description of the world has its value.
    fn places(&self) -> [(&'static str, &'static str); 10] {
        [
            (self.url, "/base_url"),
            (self.account_id, "/account/id"),
            (self.channel_id, "/channel/id"),
            (self.scope_id, "/scope_id"),
            (self.channel_secret, "/channel/secret"),
            (self.user_token, "/users/0/token"),
            (self.client_id, "/oauth_client/id"),
            (self.client_secret, "/oauth_client/secret"),
            (self.redirect_uri, "/oauth_client/redirect_uri"),
            (self.code, "/oauth_client/code"),
        ]
    }
}

/// How long the program may take until it accepts connections.
const STARTS_WITHIN: Duration = Duration::from_secs(30);
/// How often that is tried.
const EACH: Duration = Duration::from_millis(20);

/// The program while it runs; it is killed when this is dropped.
pub(super) struct Program(Child);

impl Program {
    /// Starts it with what it needs to know of the world, and waits until it accepts connections.
    ///
    /// # Errors
    /// When it cannot be started, or does not accept connections in time.
    pub(super) async fn start(
        program: &TestedProgram,
        port: u16,
        world: &Value,
        variables: &WorldVariables,
    ) -> Result<Self> {
        let text = |pointer: &str| {
            let value = world.pointer(pointer).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        let shown = program.command.join(" ");
        let (name, arguments) = program.command.split_first().context("no program")?;
        let child = Command::new(name)
            .args(arguments)
            .env("PORT", port.to_string())
            .envs(
                variables
                    .places()
                    .map(|(name, pointer)| (name, text(pointer))),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("the program «{shown}» does not start"))?;
        let mut started = Self(child);
        let deadline = Instant::now() + STARTS_WITHIN;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port))
            .await
            .is_err()
        {
            if let Some(end) = started.ended() {
                bail!("{end}, before it accepted connections on port {port} (PORT)");
            }
            if Instant::now() >= deadline {
                bail!("the program «{shown}» accepts no connection on port {port} (PORT)");
            }
            tokio::time::sleep(EACH).await;
        }
        Ok(started)
    }

    /// How it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<String> {
        let status = self.0.try_wait().ok()??;
        Some(format!("the program ended ({status})"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
}

/// A port that the program can listen on: nothing else is likely to take it before.
pub(super) fn free_port() -> Result<u16> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|socket| socket.local_addr());
    Ok(free.context("no port is free")?.port())
}
