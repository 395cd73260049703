//! The commands of docs/standby.md for PostgreSQL, run as they stand there: only the hosts, their network and the waits for the
//! network differ.

use std::path::PathBuf;
use std::process::Output;

use switchboard_bench::database::shell;
use tempfile::{TempDir, tempdir};

use super::Log;
use crate::support::client::message;
use crate::support::eventually;
use crate::support::limit::Limited as _;
use crate::support::port::HeldPort;
use crate::support::server::Setup;
use crate::support::skip::skipped;

/// The blocks for PostgreSQL, in their order, each with the machine that it is for.
const BLOCKS: [(&str, Machine); 6] = [
    ("standby-primary", Machine::One),
    ("standby-copy", Machine::Two),
    ("standby-name", Machine::One),
    ("standby-promote", Machine::Two),
    ("standby-again", Machine::One),
    ("standby-name-again", Machine::Two),
];

/// A machine of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    /// db-1
    One,
    /// db-2
    Two,
}

/// Two machines on this one: each has a directory and a port.
struct Machines {
    home: TempDir,
    ports: [HeldPort; 2],
    page: String,
}

impl Drop for Machines {
    fn drop(&mut self) {
        for machine in [Machine::One, Machine::Two] {
            let script = "pg_ctl stop --mode immediate || true";
            drop(self.run(machine, script));
        }
    }
}

impl Machines {
    /// With an empty server on the first one; none where PostgreSQL is not installed.
    fn start() -> Option<Self> {
        let program = std::env::current_exe().unwrap();
        let machines = Self {
            home: tempfile::tempdir_in(program.parent().unwrap()).unwrap(),
            ports: [HeldPort::take(), HeldPort::take()],
            page: include_str!("../../../docs/standby.md").to_owned(),
        };
        // As a package makes it; no rule lets anybody in over the network.
        let script = "initdb --auth=trust --encoding=UTF8 --no-locale --no-sync >/dev/null\n\
             printf 'local all all trust\\n' >\"$PGDATA/pg_hba.conf\"\n\
             printf \"unix_socket_directories = '%s'\\nshared_buffers = 32MB\\nwal_retrieve_retry_interval = 100ms\\n\" \"$PGHOST\" \
             >>\"$PGDATA/postgresql.conf\"\n\
             pg_ctl start --wait --silent --log \"$PGDATA/log\"";
        let reason = match machines.run(Machine::One, script) {
            Ok(output) if output.status.success() => return Some(machines),
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(error) => format!("{error:#}"),
        };
        skipped(
            &format!("PostgreSQL does not run: {reason}"),
            "install the package postgresql",
        );
        None
    }

    fn port(&self, machine: Machine) -> u16 {
        let [one, two] = &self.ports;
        match machine {
            Machine::One => one.number(),
            Machine::Two => two.number(),
        }
    }

    fn data(&self, machine: Machine) -> PathBuf {
        self.home.path().join(format!("{machine:?}"))
    }

    /// Runs a script on a machine, as the user of PostgreSQL.
    fn run(&self, machine: Machine, script: &str) -> anyhow::Result<Output> {
        let mut shell = shell(self.home.path(), script)?;
        shell
            .env("PGDATA", self.data(machine))
            .env("PGHOST", self.home.path())
            .env("PGPORT", self.port(machine).to_string());
        Ok(shell.limited_output()?)
    }

    /// A text of the page with the names of these machines.
    fn moved(&self, text: &str) -> String {
        let hosts = [("db-1", Machine::One), ("db-2", Machine::Two)];
        let local = hosts.iter().fold(text.to_owned(), |text, (name, machine)| {
            let port = self.port(*machine);
            let in_url = format!("127.0.0.1:{port}");
            let in_words = format!("host=127.0.0.1 port={port}");
            text.replace(&format!("host={name}"), &in_words)
                .replace(name, &in_url)
        });
        local
            .replace("10.0.0.0/24", "127.0.0.1/32")
            .replace("listen_addresses = '*'", "listen_addresses = '127.0.0.1'")
    }

    /// The fenced block with this mark.
    fn block(&self, mark: &str) -> String {
        let (_, behind) = self
            .page
            .split_once(&format!("```sh {mark}\n"))
            .unwrap_or_else(|| panic!("no block {mark}"));
        self.moved(behind.split_once("\n```").unwrap().0)
    }

    /// Runs the block with this mark, and gives what it says.
    fn run_block(&self, mark: &str) -> String {
        let (_, machine) = BLOCKS.iter().find(|(name, _)| *name == mark).unwrap();
        let script = self.block(mark);
        let output = self.run(*machine, &script).unwrap();
        let log = std::fs::read_to_string(self.data(*machine).join("log"));
        assert!(
            output.status.success(),
            "{mark}: {output:?}\n{}",
            log.unwrap_or_default()
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Waits until commits on this machine wait for the standby of this name.
    async fn is_followed_by(&self, machine: Machine, standby: &str) {
        let query =
            "psql -At -c 'SELECT application_name, sync_state FROM pg_stat_replication' postgres";
        eventually("the standby is synchronous", async || {
            let output = self.run(machine, query).unwrap();
            let stdout = String::from_utf8(output.stdout).unwrap();
            (stdout.trim() == format!("{standby}|sync")).then_some(())
        })
        .await;
    }

    /// The address of the log in the page.
    fn url(&self) -> String {
        let line = self
            .page
            .lines()
            .find(|line| line.contains("postgres://switchboard:"));
        let (_, url) = line.unwrap().split_once("postgres://").unwrap();
        let end = url.find(['"', '\'', ' ']).unwrap_or(url.len());
        self.moved(&format!("postgres://{}", &url[..end]))
    }
}

/// From two empty machines to a log that survived the loss of one and has a standby again.
#[tokio::test]
async fn the_commands_of_the_page_make_and_mend_a_log_in_postgresql() {
    let Some(machines) = Machines::start() else {
        return;
    };
    let marks: Vec<&str> = machines
        .page
        .lines()
        .filter_map(|line| line.strip_prefix("```sh standby-"))
        .collect();
    let names: Vec<&str> = BLOCKS
        .iter()
        .map(|(mark, _)| &mark["standby-".len()..])
        .collect();
    assert_eq!(marks, names, "a block was added, taken away or moved");
    machines.run_block("standby-primary");
    machines.run_block("standby-copy");
    machines.run_block("standby-name");
    machines.is_followed_by(Machine::One, "db_2").await;

    let place = tempdir().unwrap();
    let log = Log::postgres(&machines.url(), &place.path().join("archive")).patient();
    // The address has a password: it comes from a file.
    let secret = place.path().join("shared-log");
    std::fs::write(&secret, format!("{}\n", machines.url())).unwrap();
    log.begin("a").await;
    let setup = log
        .setup("a", Setup::default())
        .without("shared_log", "to")
        .variable("SWITCHBOARD_SHARED_LOG__TO_FILE", secret.to_str().unwrap());
    let mut server = setup.stand_by();
    server.takes_over().await;
    let client = server.client().clone();
    client.connect("v2").await;
    client.sent(&message("m1", "c1")).await;
    let unreplicated = async |expected: u8| {
        let series = format!("switchboard_shared_log_unreplicated {expected}\n");
        eventually(
            "the metric says how many servers have the log",
            async || {
                let metrics = client.request("GET", "/metrics").attempt().await?.body;
                metrics.contains(&series).then_some(())
            },
        )
        .await;
    };
    unreplicated(0).await;

    // The first machine is lost.
    drop(machines.run(Machine::One, "pg_ctl stop --mode immediate"));
    machines.run_block("standby-promote");
    eventually("the service acknowledges again", async || {
        let answer = client.send(&message("m2", "c1")).await;
        (answer.status == 200).then_some(())
    })
    .await;
    unreplicated(1).await;
    machines.run_block("standby-again");
    machines.run_block("standby-name-again");
    machines.is_followed_by(Machine::Two, "db_1").await;
    unreplicated(0).await;
    assert_eq!(client.send(&message("m1", "c1")).await.status, 200);
    assert_eq!(client.send(&message("m3", "c1")).await.status, 200);
    let log = server.log();
    assert!(!log.contains("first-secret"), "{log}");
}
