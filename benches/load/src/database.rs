//! A PostgreSQL of its own, for the server that stores into one and for tests: in a scratch directory, and ended with its
//! processes when it is dropped.

mod replicated;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tokio::net::TcpSocket;

use crate::machine;

pub use replicated::Replicated;

/// The superuser of the cluster, who needs no password.
pub const USER: &str = "bench";
/// The database that every cluster has.
pub const NAME: &str = "postgres";
/// The version that is taken when there are several.
const PREFERRED: &str = "/usr/lib/postgresql/15/bin";
/// The directory in which Debian installs the others.
const VERSIONS: &str = "/usr/lib/postgresql";
/// The settings that a user changes first on a machine of a few GiB. All that concerns durability stays as it is by
/// default.
const SETTINGS: [&str; 3] = [
    "listen_addresses=",
    "shared_buffers=256MB",
    "max_wal_size=4GB",
];
/// The longest start, and the longest end.
const START_PATIENCE: Duration = Duration::from_secs(60);
const END_PATIENCE: Duration = Duration::from_secs(10);
const GLANCE: Duration = Duration::from_millis(5);

/// A server. It and its processes are ended when it is dropped.
#[derive(Debug)]
pub struct Database {
    programs: Programs,
    home: PathBuf,
    /// The directory of the cluster, in `home`.
    cluster: &'static str,
    settings: Vec<String>,
    /// Bound and never listening, so that no other program gets the number.
    port: Option<TcpSocket>,
    child: Option<Child>,
}

/// The socket of the server of a directory.
pub(crate) fn socket(home: &Path) -> PathBuf {
    home.join(".s.PGSQL.5432")
}

impl Database {
    /// Starts one in this directory, which nothing else uses, and waits until it is ready. It listens on a socket there.
    ///
    /// # Errors
    /// When it is not installed, or cannot run here.
    pub fn start(home: &Path) -> Result<Self> {
        let programs = Programs::find()?;
        programs.own(home)?;
        programs.init(home)?;
        let mut settings = SETTINGS.map(str::to_owned).to_vec();
        settings.push(format!("unix_socket_directories={}", home.display()));
        Self::run(programs, home, "cluster", settings, None)
    }

    /// Starts one in this directory, which nothing else uses, and waits until it is ready. It listens on a port of the
    /// loopback, see [`Self::url`].
    ///
    /// # Errors
    /// When it is not installed, or cannot run here.
    pub fn on_loopback(home: &Path) -> Result<Self> {
        let programs = Programs::find()?;
        programs.own(home)?;
        programs.init(home)?;
        Self::run_on_loopback(programs, home, "cluster", &[])
    }

    fn run_on_loopback(
        programs: Programs,
        home: &Path,
        cluster: &'static str,
        settings: &[String],
    ) -> Result<Self> {
        let port = TcpSocket::new_v4()?;
        port.set_reuseaddr(true)?;
        port.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let mut all = vec![
            "listen_addresses=127.0.0.1".to_owned(),
            "unix_socket_directories=".to_owned(),
            "shared_buffers=32MB".to_owned(),
            format!("port={}", port.local_addr()?.port()),
        ];
        all.extend_from_slice(settings);
        Self::run(programs, home, cluster, all, Some(port))
    }

    fn run(
        programs: Programs,
        home: &Path,
        cluster: &'static str,
        settings: Vec<String>,
        port: Option<TcpSocket>,
    ) -> Result<Self> {
        let mut database = Self {
            programs,
            home: home.to_owned(),
            cluster,
            settings,
            port,
            child: None,
        };
        database.start_again()?;
        Ok(database)
    }

    /// Starts the server of a cluster that has ended or was killed, and waits until it is ready.
    ///
    /// # Errors
    /// When it cannot run here.
    pub fn start_again(&mut self) -> Result<()> {
        let data = self.home.join(self.cluster);
        let log = self.home.join(format!("{}.log", self.cluster));
        // That of a server that was killed.
        fs::remove_file(data.join("postmaster.pid")).unwrap_or_default();
        let mut server = self.programs.command("postgres", &self.home);
        for setting in &self.settings {
            server.args(["-c", setting]);
        }
        server
            .args(["-D", self.cluster])
            .stdout(Stdio::null())
            .stderr(File::create(&log)?);
        let child = self
            .child
            .insert(server.spawn().context("cannot start postgres")?);
        let start = Instant::now();
        loop {
            let log_text = || fs::read_to_string(&log).unwrap_or_default();
            if let Some(status) = child.try_wait()? {
                bail!("postgres ended with {status}: {}", log_text());
            }
            let text = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
            if text
                .lines()
                .any(|line| matches!(line.trim(), "ready" | "standby"))
            {
                return Ok(());
            }
            if start.elapsed() > START_PATIENCE {
                bail!(
                    "postgres is not ready after {START_PATIENCE:?}: {}",
                    log_text()
                );
            }
            thread::sleep(GLANCE);
        }
    }

    /// The number of its port; 0 if it listens on a socket.
    #[must_use]
    pub fn port(&self) -> u16 {
        let address = self.port.as_ref().and_then(|port| port.local_addr().ok());
        address.map_or(0, |address| address.port())
    }

    /// The address for clients on this machine, as its superuser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{NAME}", self.port())
    }

    /// Runs statements, each on its own, and returns what they answer, a row a line.
    ///
    /// # Errors
    /// When one fails; with what the server said.
    pub fn query(&self, statements: &[&str]) -> Result<String> {
        let mut command = self.programs.command("psql", &self.home);
        command.args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1"]);
        command.args(["-d", &self.url()]);
        for statement in statements {
            command.args(["-c", statement]);
        }
        output(command)
    }

    /// Makes a user who may log in with this password only.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn create_user(&self, name: &str, password: &str) -> Result<()> {
        let rules = self.home.join(self.cluster).join("pg_hba.conf");
        let others = fs::read_to_string(&rules)?;
        let rule = format!("host all {name} 127.0.0.1/32 scram-sha-256\n");
        fs::write(&rules, rule + &others)?;
        self.query(&[
            &format!("CREATE ROLE {name} LOGIN PASSWORD '{password}'"),
            "SELECT pg_reload_conf()",
        ])
        .map(drop)
    }

    /// Offers TLS with this certificate from now on; both are in PEM.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn offer_tls(&self, certificate: &str, key: &str) -> Result<()> {
        let cluster = self.home.join(self.cluster);
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let file = cluster.join(name);
            fs::write(&file, text)?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
            self.programs.own(&file)?;
        }
        self.query(&["ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()"])
            .map(drop)
    }

    /// The processor time of all its processes so far, those that have ended too.
    pub(crate) fn cpu_time(&self) -> Result<Duration> {
        machine::cpu_time_of_family(self.child.as_ref().context("it has ended")?.id())
    }

    /// Kills all its processes at once, as a power cut would.
    pub fn kill(&mut self) {
        // None of them may act on the end of another.
        self.freeze();
        self.signal(Signal::KILL);
        if let Some(mut child) = self.child.take() {
            child.wait().map(drop).unwrap_or_default();
        }
    }

    /// Stops all its processes where they are.
    pub fn freeze(&self) {
        // The first one starts no more once it is stopped; a second round stops what it started last.
        self.signal(Signal::STOP);
        self.signal(Signal::STOP);
    }

    /// Lets all its processes go on.
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// Each of its processes is a session of its own, so they have no group in common.
    fn signal(&self, signal: Signal) {
        let Some(first) = self.child.as_ref().map(Child::id) else {
            return;
        };
        let path = format!("/proc/{first}/task/{first}/children");
        let list = fs::read_to_string(path).unwrap_or_default();
        let others = list
            .split_ascii_whitespace()
            .filter_map(|it| it.parse().ok());
        let all = i32::try_from(first).into_iter().chain(others);
        for process in all.filter_map(Pid::from_raw) {
            kill_process(process, signal).unwrap_or_default();
        }
    }

    fn end(&mut self) {
        let Some(child) = &mut self.child else {
            return;
        };
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // It ends its other processes at once too, and does not save the data, which is removed next.
        if let Some(pid) = pid {
            kill_process(pid, Signal::QUIT).unwrap_or_default();
        }
        let start = Instant::now();
        while matches!(child.try_wait(), Ok(None)) && start.elapsed() < END_PATIENCE {
            thread::sleep(GLANCE);
        }
        child.kill().unwrap_or_default();
        child.wait().map(drop).unwrap_or_default();
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A stopped process gets no signal but that which kills it.
        self.thaw();
        self.end();
    }
}

/// A shell that runs this script in this directory, which is given to the user of PostgreSQL, with the programs of PostgreSQL at hand.
///
/// # Errors
/// When PostgreSQL is not installed, or cannot run here.
pub fn shell(home: &Path, script: &str) -> Result<Command> {
    let programs = Programs::find()?;
    programs.own(home)?;
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(programs.directory.clone()).chain(std::env::split_paths(&inherited));
    let mut shell = Command::new("sh");
    shell
        .args(["-ec", script])
        .current_dir(home)
        .env("PATH", std::env::join_paths(path)?)
        .stdin(Stdio::null());
    if let Some((user, group)) = programs.owner {
        shell.uid(user).gid(group);
    }
    Ok(shell)
}

/// The directory of its programs, and the user that they run as.
#[derive(Clone, Debug)]
struct Programs {
    directory: PathBuf,
    owner: Option<(u32, u32)>,
}

impl Programs {
    fn find() -> Result<Self> {
        let directory = programs(&std::env::var_os("PATH").unwrap_or_default())
            .context("PostgreSQL is not installed: there is no initdb")?;
        let owner = owner()?;
        Ok(Self { directory, owner })
    }

    /// Gives a directory to the user of the programs.
    fn own(&self, home: &Path) -> Result<()> {
        match self.owner {
            Some((user, group)) => {
                chown(home, Some(user), Some(group)).context("cannot give away a directory")
            }
            None => Ok(()),
        }
    }

    /// A program that runs in this directory.
    fn command(&self, program: &str, home: &Path) -> Command {
        let mut command = Command::new(self.directory.join(program));
        command.current_dir(home).stdin(Stdio::null());
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        command
    }

    /// Makes a cluster in this directory.
    fn init(&self, home: &Path) -> Result<()> {
        let mut command = self.command("initdb", home);
        // The cluster is as durable as any other, but an empty one need not outlive a power cut.
        command
            .args(["--pgdata=cluster", "--auth=trust", "--encoding=UTF8"])
            .args(["--no-locale", "--no-sync", "--username", USER]);
        output(command).map(drop)
    }
}

/// Runs a program and returns what it says.
fn output(mut command: Command) -> Result<String> {
    let name = command.get_program().to_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", name.display()))?;
    if !output.status.success() {
        bail!(
            "{} failed: {}",
            name.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The directory of its programs.
fn programs(path: &OsStr) -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> = fs::read_dir(VERSIONS)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect();
    versions.sort_unstable();
    let preferred = [PathBuf::from(PREFERRED)].into_iter();
    let places = preferred
        .chain(std::env::split_paths(path))
        .chain(versions.into_iter().rev());
    places
        .filter_map(|place| fs::canonicalize(place.join("initdb")).ok())
        .filter_map(|initdb| initdb.parent().map(Path::to_owned))
        .find(|place| place.join("postgres").is_file())
}

/// The user and the group that it runs as, where that is not the caller: it refuses to be root.
fn owner() -> Result<Option<(u32, u32)>> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let candidate = ["postgres", "nobody"].into_iter().find_map(|name| {
        let mut lines = users.lines().map(|line| line.split(':'));
        let mut line = lines.find(|line| line.clone().next() == Some(name))?;
        let user = line.nth(2)?.parse().ok()?;
        Some((user, line.next()?.parse().ok()?))
    });
    let owner = candidate.context("PostgreSQL refuses to run as root, and there is no other user");
    owner.map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_initdb_and_postgres_beside_it() {
        if Path::new(VERSIONS).is_dir() {
            assert!(programs(OsStr::new("")).is_some());
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        File::create(directory.path().join("initdb")).unwrap();
        assert_eq!(programs(directory.path().as_os_str()), None);
        File::create(directory.path().join("postgres")).unwrap();
        let directory_of_programs = programs(directory.path().as_os_str()).unwrap();
        assert_eq!(
            directory_of_programs,
            fs::canonicalize(directory.path()).unwrap()
        );
    }
}
