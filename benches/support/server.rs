//! The real binary on a data directory of its own, and what the operating system says of it.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The account that messages are for.
pub(crate) const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
/// The channel that messages come through.
pub(crate) const CHANNEL: &str = "f90ba33d-c9d9-44da-b76c-c349b0ecbe41";
/// The channel's secret.
pub(crate) const SECRET: &str = "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189";
/// The host that requests name.
pub(crate) const HOST: &str = "benchmark.example";

/// How long the server may take to become ready.
const START_PATIENCE: Duration = Duration::from_secs(120);

/// A running server; killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// From the start of the process to readiness.
    pub(crate) ready_after: Duration,
}

/// A directory for data below the build directory, so on a real disk; removed at the end.
pub(crate) struct Home {
    directory: tempfile::TempDir,
    /// Accounts, channels and what else a server there is started with.
    pub(crate) config: String,
}

impl Home {
    /// A fresh one, for servers with one account and one channel whose integration is away.
    pub(crate) fn new() -> Self {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        fs::create_dir_all(parent).expect("the build directory can be written to");
        let directory = tempfile::tempdir_in(parent);
        let directory = directory.expect("the build directory can be written to");
        let config = format!(
            r#"[[accounts]]
id = "{ACCOUNT}"
name = "Benchmark"

[[channels]]
id = "{CHANNEL}"
name = "Benchmark"
secret = "{SECRET}"
webhook_v2 = "http://127.0.0.1:9/:scope_id"
accounts = ["*"]

[media]
policy = "off"

[dispatch]
allow_private_networks = true
"#
        );
        Self { directory, config }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    fn write_config(&self) -> PathBuf {
        let path = self.path().join("config.toml");
        let data = self.data();
        let text = format!(
            r#"[server]
listen = "127.0.0.1:0"
workers = 2
public_url = "http://{HOST}"

[limits]
channel_requests_per_second = 0
user_requests_per_second = 0

[store]
path = "{}"

{}
"#,
            data.display(),
            self.config
        );
        fs::write(&path, text).expect("the configuration can be written");
        path
    }
}

impl Server {
    /// Starts this binary, or the one built with the benchmark, with two HTTP workers, and waits until it is ready.
    pub(crate) fn start(home: &Home, binary: Option<&Path>) -> Self {
        let binary = binary.unwrap_or_else(|| Path::new(env!("CARGO_BIN_EXE_switchboard")));
        let ready = home.path().join("ready.json");
        fs::remove_file(&ready).ok();
        let log = fs::File::create(home.path().join("log")).expect("the log can be written");
        let begun = Instant::now();
        let mut child = Command::new(binary)
            .args(["serve", "--config"])
            .arg(home.write_config())
            .arg("--ready-file")
            .arg(&ready)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the server can be started");
        while !ready.exists() {
            let ended = child.try_wait().expect("the server can be waited for");
            let log = || fs::read_to_string(home.path().join("log")).unwrap_or_default();
            assert!(ended.is_none(), "the server ended: {}", log());
            assert!(
                begun.elapsed() < START_PATIENCE,
                "the server is not ready: {}",
                log()
            );
            thread::sleep(Duration::from_millis(1));
        }
        let ready_after = begun.elapsed();
        let text = fs::read_to_string(&ready).expect("the ready file can be read");
        let told: serde_json::Value = serde_json::from_str(&text).expect("the ready file is JSON");
        let address = told["address"].as_str().expect("it holds the address");
        Self {
            child,
            address: address.parse().expect("the address is one"),
            ready_after,
        }
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks the server to stop and waits until it has.
    pub(crate) fn stop(mut self) {
        let pid = i32::try_from(self.pid()).expect("process numbers are small");
        let pid = rustix::process::Pid::from_raw(pid).expect("process numbers are not zero");
        rustix::process::kill_process(pid, rustix::process::Signal::TERM)
            .expect("the server can be told to stop");
        let status = self.child.wait().expect("the server can be waited for");
        assert!(status.success(), "the server ended with {status}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After a stop there is nothing to kill any more.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
