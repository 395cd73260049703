//! A PostgreSQL of its own, for the server that stores into one: in a scratch directory, reachable by a socket there.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::machine;

/// The superuser of the cluster, and the database that every cluster has.
pub(crate) const USER: &str = "bench";
pub(crate) const NAME: &str = "postgres";
/// The version that is taken when there are several.
const PREFERRED: &str = "/usr/lib/postgresql/15/bin";
/// Where Debian installs the others.
const VERSIONS: &str = "/usr/lib/postgresql";
/// What a user sets first on a machine of a few GiB. All that concerns durability stays as it is by default.
const SETTINGS: [&str; 3] = [
    "listen_addresses=",
    "shared_buffers=256MB",
    "max_wal_size=4GB",
];
/// How long it may take to start, and to end.
const START_PATIENCE: Duration = Duration::from_secs(60);
const END_PATIENCE: Duration = Duration::from_secs(10);
const GLANCE: Duration = Duration::from_millis(5);

/// A running server; ended when it is dropped.
#[derive(Debug)]
pub(crate) struct Database(Child);

/// Where the server of a directory listens.
pub(crate) fn socket(home: &Path) -> PathBuf {
    home.join(".s.PGSQL.5432")
}

impl Database {
    /// Starts one in this directory, which nothing else uses, and waits until it is ready.
    ///
    /// # Errors
    /// When it is not installed, or cannot run here.
    pub(crate) fn start(home: &Path) -> Result<Self> {
        let programs = programs(&std::env::var_os("PATH").unwrap_or_default());
        let programs = programs.context("PostgreSQL is not installed: there is no initdb")?;
        let owner = owner()?;
        if let Some((user, group)) = owner {
            chown(home, Some(user), Some(group)).context("cannot give away a directory")?;
        }
        let command = |program: &str| {
            let mut command = Command::new(programs.join(program));
            command.current_dir(home).stdin(Stdio::null());
            if let Some((user, group)) = owner {
                command.uid(user).gid(group);
            }
            command
        };
        // The cluster is as durable as any other, but an empty one need not outlive a power cut.
        let made = command("initdb")
            .args(["--pgdata=cluster", "--auth=trust", "--encoding=UTF8"])
            .args(["--no-locale", "--no-sync", "--username", USER])
            .output()
            .context("cannot start initdb")?;
        if !made.status.success() {
            bail!("initdb failed: {}", String::from_utf8_lossy(&made.stderr));
        }
        let log = home.join("database.log");
        let mut server = command("postgres");
        for setting in SETTINGS {
            server.args(["-c", setting]);
        }
        server
            .arg("-c")
            .arg(format!("unix_socket_directories={}", home.display()))
            .args(["-D", "cluster"])
            .stdout(Stdio::null())
            .stderr(File::create(&log)?);
        let mut database = Self(server.spawn().context("cannot start postgres")?);
        database.ready(home, &log)?;
        Ok(database)
    }

    fn ready(&mut self, home: &Path, log: &Path) -> Result<()> {
        let begun = Instant::now();
        let status = home.join("cluster/postmaster.pid");
        loop {
            let said = || fs::read_to_string(log).unwrap_or_default();
            if let Some(status) = self.0.try_wait()? {
                bail!("postgres ended with {status}: {}", said());
            }
            let text = fs::read_to_string(&status).unwrap_or_default();
            if text.lines().any(|line| line.trim() == "ready") {
                return Ok(());
            }
            if begun.elapsed() > START_PATIENCE {
                bail!("postgres is not ready after {START_PATIENCE:?}: {}", said());
            }
            thread::sleep(GLANCE);
        }
    }

    /// How much processor time all its processes have had, those that have ended too.
    pub(crate) fn cpu_time(&self) -> Result<Duration> {
        machine::cpu_time_of_family(self.0.id())
    }

    fn end(&mut self) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        // It ends its other processes at once too, and does not save the data, which is removed next.
        if let Some(pid) = pid {
            kill_process(pid, Signal::QUIT).unwrap_or_default();
        }
        let begun = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) && begun.elapsed() < END_PATIENCE {
            thread::sleep(GLANCE);
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            self.end();
        }
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
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
    let found = ["postgres", "nobody"].into_iter().find_map(|name| {
        let mut lines = users.lines().map(|line| line.split(':'));
        let mut line = lines.find(|line| line.clone().next() == Some(name))?;
        let user = line.nth(2)?.parse().ok()?;
        Some((user, line.next()?.parse().ok()?))
    });
    let found = found.context("PostgreSQL refuses to run as root, and there is no other user");
    found.map(Some)
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
        let found = programs(directory.path().as_os_str()).unwrap();
        assert_eq!(found, fs::canonicalize(directory.path()).unwrap());
    }
}
