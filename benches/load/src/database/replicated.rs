//! A primary and the standby that each of its commits waits for.

use std::fs::{self, File};
use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::{Database, GLANCE, NAME, Programs, START_PATIENCE, USER, output};

/// A primary that answers a commit when its standby has it on disk, too.
#[derive(Debug)]
pub struct Replicated {
    /// The server that takes writes first.
    pub primary: Database,
    /// The server that follows it. Where it was promoted, it answers alone: its own `synchronous_standby_names` is empty, as
    /// an operator would make it until there is another standby.
    pub standby: Database,
}

impl Replicated {
    /// Starts both in this directory, which nothing else uses, and waits until commits wait for the standby.
    ///
    /// # Errors
    /// When PostgreSQL is not installed, or cannot run here.
    pub fn start(home: &Path) -> Result<Self> {
        // What the standby has not read yet stays.
        let primary = Database::on_loopback(home)?;
        primary.query(&["ALTER SYSTEM SET wal_keep_size = '256MB'"])?;
        let programs = Programs::find()?;
        let mut copy = programs.command("pg_basebackup", home);
        copy.args([
            "--pgdata=standby",
            "--checkpoint=fast",
            "--wal-method=stream",
        ])
        .args(["--no-sync", "--dbname", &primary.url()]);
        output(copy)?;
        let signal = home.join("standby/standby.signal");
        File::create(&signal).context("cannot mark the standby as one")?;
        programs.own(&signal)?;
        let settings = [
            format!(
                "primary_conninfo=host=127.0.0.1 port={} user={USER} application_name=standby",
                primary.port()
            ),
            "wal_retrieve_retry_interval=100ms".to_owned(),
        ];
        let standby = Database::run_on_loopback(programs, home, "standby", &settings)?;
        // Behind the copy: the standby itself waits for none.
        primary.query(&[
            "ALTER SYSTEM SET synchronous_standby_names = 'standby'",
            "SELECT pg_reload_conf()",
        ])?;
        let servers = Self { primary, standby };
        servers.wait_for_standby()?;
        Ok(servers)
    }

    /// Waits until the commits of the primary wait for the standby.
    ///
    /// # Errors
    /// When they still do not after a minute.
    pub fn wait_for_standby(&self) -> Result<()> {
        let start = Instant::now();
        while self
            .primary
            .query(&["SELECT sync_state FROM pg_stat_replication"])?
            != "sync"
        {
            if start.elapsed() > START_PATIENCE {
                let log = fs::read_to_string(self.standby.home.join("standby.log"));
                bail!("the standby does not follow: {}", log.unwrap_or_default());
            }
            thread::sleep(GLANCE);
        }
        Ok(())
    }

    /// The address for clients on this machine, of whichever server takes writes: the primary stands first.
    #[must_use]
    pub fn url(&self) -> String {
        format!(
            "postgres://{USER}@127.0.0.1:{},127.0.0.1:{}/{NAME}",
            self.primary.port(),
            self.standby.port()
        )
    }

    /// Makes the standby a server that takes writes, and returns when it does. The primary is not asked.
    ///
    /// # Errors
    /// When it does not within a minute.
    pub fn promote_standby(&self) -> Result<()> {
        match self
            .standby
            .query(&["SELECT pg_promote(true, 60)"])?
            .as_str()
        {
            "t" => Ok(()),
            other => bail!("the standby was not promoted: {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit at the primary is at the standby, which takes writes once it is promoted.
    #[test]
    fn a_promoted_standby_has_what_was_committed() {
        let program = std::env::current_exe().unwrap();
        let home = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
        let mut servers = match Replicated::start(home.path()) {
            Ok(servers) => servers,
            Err(error) if std::env::var_os("REQUIRE_ALL").is_none() => {
                println!("skipped: {error:#}");
                return;
            }
            Err(error) => panic!("{error:#}"),
        };
        let make = "CREATE TABLE one AS SELECT 7 AS number";
        servers.primary.query(&[make]).unwrap();
        assert!(servers.standby.query(&[make]).is_err());
        servers.primary.kill();
        servers.promote_standby().unwrap();
        let add = "INSERT INTO one VALUES (8)";
        let sum = "SELECT sum(number) FROM one";
        assert_eq!(servers.standby.query(&[add, sum]).unwrap(), "15");
    }
}
