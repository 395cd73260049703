//! The program that a scenario tests.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::file::TestedProgram;

/// The variables by which a tested program learns of its world, and where the description of the world has their values.
/// The commands read the same names; a test of theirs compares.
pub const WORLD_VARIABLES: [(&str, &str); 10] = [
    ("SWITCHBOARD_URL", "/base_url"),
    ("SWITCHBOARD_ACCOUNT_ID", "/account/id"),
    ("SWITCHBOARD_CHANNEL_ID", "/channel/id"),
    ("SWITCHBOARD_SCOPE_ID", "/scope_id"),
    ("SWITCHBOARD_CHANNEL_SECRET", "/channel/secret"),
    ("SWITCHBOARD_USER_TOKEN", "/users/0/token"),
    ("SWITCHBOARD_CLIENT_ID", "/oauth_client/id"),
    ("SWITCHBOARD_CLIENT_SECRET", "/oauth_client/secret"),
    ("SWITCHBOARD_REDIRECT_URI", "/oauth_client/redirect_uri"),
    ("SWITCHBOARD_CODE", "/oauth_client/code"),
];
/// The longest time until the program accepts connections.
const STARTS_WITHIN: Duration = Duration::from_secs(30);
/// The ports of programs: above those of services, below those of connections.
const PORT_FIRST: u16 = 15_000;
const PORT_LAST: u16 = 32_000;
/// The ports that are tried until one is free.
const PORT_TRIES: usize = 100;
/// The pause between two attempts to connect.
const EACH: Duration = Duration::from_millis(20);

/// The program while it runs; it is killed when this is dropped.
pub(super) struct Program(Child);

impl Program {
    /// Starts it with what it needs to know of the world, and waits until it accepts connections.
    ///
    /// # Errors
    /// When it cannot be started, or does not accept connections in time.
    pub(super) async fn start(program: &TestedProgram, port: u16, world: &Value) -> Result<Self> {
        let command_line = program.command.join(" ");
        let (name, arguments) = program.command.split_first().context("no program")?;
        let child = Command::new(name)
            .args(arguments)
            .envs(variables(world, port))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("the program «{command_line}» does not start"))?;
        let mut process = Self(child);
        let deadline = Instant::now() + STARTS_WITHIN;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port))
            .await
            .is_err()
        {
            if let Some(end) = process.ended() {
                bail!("{end}, before it accepted connections on port {port} (PORT)");
            }
            if Instant::now() >= deadline {
                bail!("the program «{command_line}» accepts no connection on port {port} (PORT)");
            }
            tokio::time::sleep(EACH).await;
        }
        Ok(process)
    }

    /// Returns the end of the program in words; `None` while it runs.
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

/// The variables of a program that receives callbacks on this port.
pub(crate) fn variables(world: &Value, port: u16) -> Vec<(&'static str, String)> {
    let text = |pointer: &str| {
        let value = world.pointer(pointer).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    let of_world = WORLD_VARIABLES.map(|(name, pointer)| (name, text(pointer)));
    let port = [("PORT", port.to_string())];
    port.into_iter().chain(of_world).collect()
}

/// A port that the program can listen on. It is below those that systems choose for connections, so nothing else is likely to
/// take it before.
///
/// # Errors
/// When no port is free.
pub fn free_port() -> Result<u16> {
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    let mut chances = (0..PORT_TRIES).map(|_| chance_port());
    chances.find(is_free).context("no port is free")
}

/// Returns whether a program accepts connections at this port.
pub fn accepts(port: u16) -> bool {
    std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// A port by chance.
fn chance_port() -> u16 {
    let chance = RandomState::new().build_hasher().finish() % u64::from(PORT_LAST - PORT_FIRST);
    PORT_FIRST.saturating_add(u16::try_from(chance).unwrap_or_default())
}
