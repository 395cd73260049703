//! The real program as a child on a data directory of its own.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::database::Database;
use crate::machine::{cpu_time, peak_mib};
use crate::options::Target;

/// The account that messages are for.
pub const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
/// The channel that messages come through.
pub const CHANNEL: &str = "f90ba33d-c9d9-44da-b76c-c349b0ecbe41";
/// The secret of every channel.
pub const SECRET: &str = "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189";
/// The bearer token of the account's administrator.
pub const TOKEN: &str = "token-of-the-benchmark";
/// The host that requests name.
pub const HOST: &str = "benchmark.example";

/// The number of HTTP workers of a server.
pub const WORKERS: usize = 2;
/// The longest start of the server.
const START_PATIENCE: Duration = Duration::from_secs(120);
/// The pause between two looks at whether it is ready.
const GLANCE: Duration = Duration::from_millis(1);
/// Nothing is left to be done for earlier requests when the processor time stays what it is for this long.
const QUIET: Duration = Duration::from_millis(200);
/// The most that it may rise by meanwhile: two ticks of the kernel's clock.
const STILL: Duration = Duration::from_millis(20);
/// The longest time for which something may be left to do.
const REST_PATIENCE: Duration = Duration::from_secs(600);

/// The moment of an answer, as `store.durability` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// After its records are on disk.
    #[default]
    Always,
    /// After the operating system has them.
    Interval,
}

impl Durability {
    fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Interval => "interval",
        }
    }
}

/// A directory for a server's data and what else it writes; removed at the end.
#[derive(Debug)]
pub struct Home {
    directory: TempDir,
    /// Accounts, channels and what else a server there is started with.
    pub config: String,
    /// The moment of its answers.
    pub durability: Durability,
}

impl Home {
    /// A fresh one below `parent`, which should be on a disk: the system's directory for temporary files is often memory.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn below(parent: &Path, config: String) -> Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix("switchboard-bench-")
            .tempdir_in(parent)
            .with_context(|| format!("cannot make a directory in {}", parent.display()))?;
        Ok(Self {
            directory,
            config,
            durability: Durability::default(),
        })
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The server's data directory.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    fn write_config(&self) -> Result<PathBuf> {
        let path = self.path().join("config.toml");
        let text = format!(
            r#"[server]
listen = "127.0.0.1:0"
workers = {WORKERS}
public_url = "http://{HOST}"

[limits]
channel_requests_per_second = 0
user_requests_per_second = 0
requests_in_flight_max = 0

[store]
path = {data}
durability = "{durability}"

{rest}
"#,
            data = toml::Value::String(self.data().display().to_string()),
            durability = self.durability.name(),
            rest = self.config
        );
        fs::write(&path, text).context("cannot write the configuration of the server")?;
        Ok(path)
    }
}

/// The configuration of an account with users, and of channels that every account may use: the id and the callback
/// address of each. No quota of callbacks limits the measurement, and the service does not check the files that
/// messages name.
#[must_use]
pub fn config(users: usize, channels: &[(String, String)]) -> String {
    let mut text = format!("[[accounts]]\nid = \"{ACCOUNT}\"\nname = \"Benchmark\"\n\n");
    for number in 0..users {
        text.push_str(&format!(
            "[[accounts.users]]\nname = \"User {number}\"\nemail = \"user{number}@example.com\"\npassword = \"Secr3tive\"\n"
        ));
        if number == 0 {
            text.push_str(&format!("is_admin = true\ntoken = \"{TOKEN}\"\n"));
        }
        text.push('\n');
    }
    for (id, webhook) in channels {
        text.push_str(&format!(
            "[[channels]]\nid = \"{id}\"\nname = \"Benchmark\"\nsecret = \"{SECRET}\"\nwebhook_v2 = \"{webhook}\"\naccounts = [\"*\"]\n\n"
        ));
    }
    text.push_str(
        r#"[media]
policy = "off"

[dispatch]
allow_private_networks = true
queued_per_conversation_max = 100000
queued_per_scope_max = 100000000
queued_per_endpoint_max = 100000000
queued_max = 100000000
"#,
    );
    text
}

/// One channel, whose integration is away.
#[must_use]
pub fn away() -> Vec<(String, String)> {
    vec![(
        CHANNEL.to_owned(),
        "http://127.0.0.1:9/:scope_id".to_owned(),
    )]
}

/// A running server; killed when it is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// The database that it stores into, where that is not a part of it.
    database: Option<Database>,
    /// The address on which it listens.
    pub address: SocketAddr,
    /// From the start of the process to readiness.
    pub ready_after: Duration,
}

impl Server {
    /// Starts the service and waits until it is ready.
    ///
    /// # Errors
    /// When it does not start; with what it said.
    pub fn start(home: &Home, binary: &Path) -> Result<Self> {
        let mut command = Command::new(binary);
        command.args(["serve", "--config"]);
        command.arg(home.write_config()?);
        Self::launch(home, command)
    }

    /// Starts a server that the service is compared with: this program once more.
    ///
    /// # Errors
    /// When it does not start; with what it said.
    pub fn compared(home: &Home, target: Target) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut command = Command::new(program);
        command.args(["--compared", &target.to_string()]);
        let database = match target == Target::Postgres {
            true => Some(Database::start(home.path())?),
            false => None,
        };
        let mut server = Self::launch(home, command)?;
        server.database = database;
        Ok(server)
    }

    /// Starts a server that writes a file when it is ready.
    fn launch(home: &Home, mut command: Command) -> Result<Self> {
        let ready = home.path().join("ready.json");
        if ready.exists() {
            fs::remove_file(&ready).context("cannot remove the ready file of the last start")?;
        }
        let log = home.path().join("log");
        let stderr = fs::File::create(&log).context("cannot write the log of the server")?;
        let start = Instant::now();
        let child = command
            .arg("--ready-file")
            .arg(&ready)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        // From here on it is killed whatever happens.
        let mut server = Self {
            child,
            database: None,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            ready_after: Duration::ZERO,
        };
        while !ready.exists() {
            let log_text = || fs::read_to_string(&log).unwrap_or_default();
            if let Some(status) = server.child.try_wait()? {
                bail!("the server ended with {status}: {}", log_text());
            }
            if start.elapsed() > START_PATIENCE {
                bail!(
                    "the server is not ready after {START_PATIENCE:?}: {}",
                    log_text()
                );
            }
            thread::sleep(GLANCE);
        }
        server.ready_after = start.elapsed();
        let text = fs::read_to_string(&ready).context("cannot read the ready file")?;
        let announcement: serde_json::Value = serde_json::from_str(&text)?;
        let address = announcement
            .get("address")
            .and_then(serde_json::Value::as_str);
        server.address = address
            .context("the ready file names no address")?
            .parse()
            .context("the ready file names no address")?;
        Ok(server)
    }

    /// Waits until the server has nothing left to do for earlier requests, as checkpoints are; gives its processor time.
    ///
    /// # Errors
    /// When there is no end of it in ten minutes, or the server has ended.
    pub async fn settled(&self) -> Result<Duration> {
        let start = Instant::now();
        let mut before = self.cpu_time()?;
        loop {
            tokio::time::sleep(QUIET).await;
            let now = self.cpu_time()?;
            if now.saturating_sub(before) <= STILL {
                return Ok(now);
            }
            if start.elapsed() > REST_PATIENCE {
                bail!("the server does not come to rest");
            }
            before = now;
        }
    }

    /// The processor time so far, with that of its database.
    ///
    /// # Errors
    /// When it has ended.
    pub fn cpu_time(&self) -> Result<Duration> {
        let own = cpu_time(self.pid())?;
        let database = self.database.as_ref().map(Database::cpu_time).transpose()?;
        Ok(own + database.unwrap_or_default())
    }

    /// The most memory that it had since its start, or since `forget_peak`, in MiB; `None` with a database, whose processes
    /// share most of theirs.
    ///
    /// # Errors
    /// When it has ended.
    pub fn peak_mib(&self) -> Result<Option<f64>> {
        match self.database {
            Some(_) => Ok(None),
            None => peak_mib(self.pid()).map(Some),
        }
    }

    /// The process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks the server to stop and waits until it has.
    ///
    /// # Errors
    /// When it ends in another way than it should.
    pub fn stop(mut self) -> Result<()> {
        let pid = i32::try_from(self.pid())
            .ok()
            .and_then(Pid::from_raw)
            .context("the server has no process number")?;
        kill_process(pid, Signal::TERM).context("cannot send SIGTERM to the server")?;
        let status = self.child.wait()?;
        if !status.success() {
            bail!("the server ended with {status}");
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After a stop there is nothing to kill any more.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
