//! The real binary in a directory of its own, on a port of its own; gone when it is dropped.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use switchboard_bench::machine::allow_many_files;
use tempfile::TempDir;

use super::client::Client;
use super::eventually;
use super::oauth;
use super::receiver::Receiver;

/// The account of most tests.
pub const ACCOUNT: &str = "0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3";
/// An account that must never see anything of the first.
pub const OTHER_ACCOUNT: &str = "1b2f3c4d-5e6f-4b7c-9d8e-9fa0b1c2d3e4";
/// The token of an administrator of [`ACCOUNT`], called Ada.
pub const TOKEN: &str = "token-of-ada";
/// The token of an administrator of [`OTHER_ACCOUNT`], called Bob.
pub const OTHER_TOKEN: &str = "token-of-bob";
/// The token of the operator.
pub const OPERATOR_TOKEN: &str = "token-of-the-operator";
/// The channel of most tests, open to every account.
pub const CHANNEL: &str = "c0ffee00-1111-4222-8333-444455556666";
/// The secret of [`CHANNEL`].
pub const SECRET: &str = "secret-of-the-first-channel";
/// A channel that is open to [`OTHER_ACCOUNT`] only.
pub const OTHER_CHANNEL: &str = "c0ffee00-1111-4222-8333-777788889999";
/// The secret of [`OTHER_CHANNEL`].
pub const OTHER_SECRET: &str = "secret-of-the-second-channel";

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_switchboard");

/// The setup of a server: a configuration that works, and a test's changes of it.
#[derive(Clone, Debug)]
pub struct Setup {
    program: PathBuf,
    subcommand: &'static str,
    sections: BTreeMap<String, Vec<String>>,
    webhooks: [String; 2],
    uninstall_hook: String,
    tail: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    under: Vec<String>,
    config: Option<String>,
}

impl Default for Setup {
    fn default() -> Self {
        let dead = |version: &str| format!("http://127.0.0.1:9/{version}/:scope_id");
        let setup = Self {
            program: PathBuf::from(PROGRAM),
            subcommand: "serve",
            sections: BTreeMap::new(),
            webhooks: [dead("v1"), dead("v2")],
            uninstall_hook: dead("hook"),
            tail: String::new(),
            arguments: Vec::new(),
            environment: Vec::new(),
            under: Vec::new(),
            config: None,
        };
        setup
            .setting("server", "listen = \"127.0.0.1:0\"")
            .setting("server", "workers = 2")
            .setting("store", "path = \"data\"")
            .setting("store", "low_water_mib = 0")
            .setting("operator", &format!("token = \"{OPERATOR_TOKEN}\""))
            .setting("dispatch", "allow_private_networks = true")
            .setting("dispatch", "disk_reserve_mib = 0")
            // A busy machine is no reason to refuse a request: it gets its turn as long as its client has patience.
            .setting("actors", "turn_seconds = 110")
            // The addresses in most tests lead nowhere.
            .setting("media", "policy = \"off\"")
    }
}

impl Setup {
    /// One line of a section, such as `server` and `body_limit_bytes = 1024`. A later line outranks an earlier one of the
    /// same key.
    #[must_use]
    pub fn setting(mut self, section: &str, line: &str) -> Self {
        let key = line.split('=').next().unwrap_or_default().trim();
        let lines = self.sections.entry(section.to_owned()).or_default();
        lines.retain(|known| known.split('=').next().unwrap_or_default().trim() != key);
        lines.push(line.to_owned());
        self
    }

    /// Takes a key out of a section.
    #[must_use]
    pub fn without(mut self, section: &str, key: &str) -> Self {
        if let Some(lines) = self.sections.get_mut(section) {
            lines.retain(|known| known.split('=').next().unwrap_or_default().trim() != key);
        }
        self
    }

    /// Sets the address of the callbacks of [`CHANNEL`].
    #[must_use]
    pub fn webhook(mut self, receiver: &Receiver) -> Self {
        self.webhooks = [receiver.webhook("v1"), receiver.webhook("v2")];
        self
    }

    /// Sets the addresses of the callbacks of [`CHANNEL`], by version.
    #[must_use]
    pub fn webhooks(mut self, address: impl Fn(&str) -> String) -> Self {
        self.webhooks = [address("v1"), address("v2")];
        self
    }

    /// Sets the address to which uninstallations of the first OAuth client are reported.
    #[must_use]
    pub fn uninstall_hook(mut self, address: &str) -> Self {
        self.uninstall_hook = address.to_owned();
        self
    }

    /// The service keeps its data here.
    #[must_use]
    pub fn data(self, path: &std::path::Path) -> Self {
        self.setting("store", &format!("path = \"{}\"", path.display()))
    }

    /// The service keeps an archive in this directory.
    #[must_use]
    pub fn archive(self, path: &std::path::Path) -> Self {
        self.setting("archive", &format!("to = \"file://{}\"", path.display()))
    }

    /// The service runs under this command, which must become the service's process itself; none: as it is.
    #[must_use]
    pub fn under(mut self, command: &[&str]) -> Self {
        self.under = command.iter().map(|&word| word.to_owned()).collect();
        self
    }

    /// The service is this program, such as one of another version.
    #[must_use]
    pub fn program(mut self, program: &std::path::Path) -> Self {
        self.program = program.to_owned();
        if program == std::path::Path::new(PROGRAM) {
            return self;
        }
        // Another version may not have this setting, which only spares requests a refusal on a busy machine.
        self.without("actors", "turn_seconds")
    }

    /// Text at the end of the configuration, such as another `[[channels]]`.
    #[must_use]
    pub fn lines(mut self, text: &str) -> Self {
        self.tail.push_str(text);
        self.tail.push('\n');
        self
    }

    /// The service with the proxy for the development of integrations, on a free port.
    #[must_use]
    pub fn with_proxy(mut self) -> Self {
        self.subcommand = "dev";
        self.argument("--proxy").argument("127.0.0.1:0")
    }

    /// The same with the TLS listener instead, on a free port.
    #[must_use]
    pub fn with_tls(mut self) -> Self {
        self.subcommand = "dev";
        self.argument("--tls").argument("127.0.0.1:0")
    }

    /// The service with worlds.
    #[must_use]
    pub fn with_worlds(mut self) -> Self {
        self.subcommand = "dev";
        self
    }

    /// An argument more.
    #[must_use]
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// A variable of the environment.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// This text instead of a configuration that works.
    #[must_use]
    pub fn config(mut self, text: &str) -> Self {
        self.config = Some(text.to_owned());
        self
    }

    /// Starts the service and waits until it is ready.
    pub async fn start(self) -> Server {
        Server::launch(self, fresh_directory()).await
    }

    /// Starts a node of a shared log, which is ready once it owns the log.
    pub fn stand_by(self) -> Server {
        let directory = fresh_directory();
        std::fs::write(directory.path().join("switchboard.toml"), self.text()).unwrap();
        let child = spawn(&self, &directory);
        Server {
            setup: self,
            directory,
            child,
            ready: Value::Null,
            client: Client::new("http://127.0.0.1:9"),
        }
    }

    /// Starts what is expected not to come up, and gives what it said.
    pub async fn start_and_fail(self) -> ExitError {
        self.start_and_fail_in(fresh_directory()).await
    }

    /// As [`Self::start_and_fail`], in a directory that may be in use.
    pub async fn start_and_fail_in(self, directory: impl AsRef<std::path::Path>) -> ExitError {
        let directory = directory.as_ref();
        let (config, log) = (directory.join("second.toml"), directory.join("second.log"));
        std::fs::write(&config, self.text()).unwrap();
        let ready = directory.join("second.ready.json");
        let mut child = Owned(
            self.command(directory, &config, &ready, &log)
                .spawn()
                .unwrap(),
        );
        let status = eventually("the process ends by itself", async || {
            assert!(!ready.exists(), "it came up: {}", read(&log));
            child.0.try_wait().unwrap()
        })
        .await;
        ExitError {
            status,
            said: read(&log),
        }
    }

    fn command(
        &self,
        directory: &std::path::Path,
        config: &std::path::Path,
        ready: &std::path::Path,
        log: &std::path::Path,
    ) -> Command {
        let log = OpenOptions::new().create(true).append(true).open(log);
        let mut words = self
            .under
            .iter()
            .map(OsStr::new)
            .chain([self.program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap());
        command
            .args(words)
            .arg(self.subcommand)
            .arg("--config")
            .arg(config)
            .arg("--ready-file")
            .arg(ready)
            .args(&self.arguments)
            .envs(self.environment.iter().cloned())
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(log.unwrap()));
        command
    }

    /// The configuration.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(text) = &self.config {
            return text.clone();
        }
        let mut text = String::new();
        for (section, lines) in &self.sections {
            text.push_str(&format!("[{section}]\n{}\n", lines.join("\n")));
        }
        let [v1, v2] = &self.webhooks;
        text.push_str(&account(ACCOUNT, "First", "Ada", TOKEN));
        text.push_str(&account(OTHER_ACCOUNT, "Second", "Bob", OTHER_TOKEN));
        text.push_str(&format!(
            "[[channels]]\nid = \"{CHANNEL}\"\nname = \"First messenger\"\nsecret = \"{SECRET}\"\n\
             webhook_v1 = \"{v1}\"\nwebhook_v2 = \"{v2}\"\naccounts = [\"*\"]\n\
             [[channels]]\nid = \"{OTHER_CHANNEL}\"\nname = \"Second messenger\"\nsecret = \"{OTHER_SECRET}\"\n\
             webhook_v1 = \"{v1}\"\nwebhook_v2 = \"{v2}\"\naccounts = [\"{OTHER_ACCOUNT}\"]\n{}{}",
            oauth::clients(&self.uninstall_hook, OTHER_ACCOUNT),
            self.tail
        ));
        text
    }
}

fn account(id: &str, name: &str, user: &str, token: &str) -> String {
    format!(
        "[[accounts]]\nid = \"{id}\"\nname = \"{name}\"\nlang = \"en\"\nplan = \"enterprise\"\n\
         [[accounts.users]]\nname = \"{user}\"\nemail = \"{user}@example.com\"\npassword = \"Secr3tive\"\n\
         is_admin = true\ntoken = \"{token}\"\n"
    )
}

/// The end of a process that was not to come up.
#[derive(Debug)]
pub struct ExitError {
    /// Its exit status.
    pub status: ExitStatus,
    /// The text that it wrote to standard error.
    pub said: String,
}

/// A running service.
pub struct Server {
    setup: Setup,
    directory: TempDir,
    child: Owned,
    ready: Value,
    client: Client,
}

/// A process that does not outlive the test.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.kill().unwrap_or_default();
        self.0.wait().ok();
    }
}

impl Server {
    /// A service that nothing was changed in.
    pub async fn start() -> Self {
        Setup::default().start().await
    }

    /// A service whose callbacks go to this receiver.
    pub async fn calling(receiver: &Receiver) -> Self {
        Setup::default().webhook(receiver).start().await
    }

    async fn launch(setup: Setup, directory: TempDir) -> Self {
        std::fs::write(directory.path().join("switchboard.toml"), setup.text()).unwrap();
        let (child, ready) = run(&setup, &directory).await;
        let client = Client::new(ready["url"].as_str().unwrap());
        Self {
            setup,
            directory,
            child,
            ready,
            client,
        }
    }

    /// The address of the server, without a slash at the end.
    pub fn url(&self) -> &str {
        self.ready["url"].as_str().unwrap()
    }

    /// The ready file.
    pub fn ready(&self) -> &Value {
        &self.ready
    }

    /// A client of it.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The directory it runs in; the data is in `data`.
    pub fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    /// The directory of its data.
    pub fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.0.id()
    }

    /// Returns the text that it wrote to standard error so far.
    pub fn log(&self) -> String {
        read(&self.directory.path().join("log"))
    }

    /// Ends it without any chance to tidy up.
    pub fn kill_9(&mut self) {
        self.child.0.kill().unwrap();
        self.child.0.wait().unwrap();
    }

    /// Sends a signal and does not wait.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Asks it to stop (SIGTERM) and gives the exit code; `None` when a signal ended it.
    pub async fn terminate(&mut self) -> Option<i32> {
        self.signal(Signal::TERM);
        self.ended().await
    }

    /// Waits for its end and gives the exit code; `None` when a signal ended it.
    pub async fn ended(&mut self) -> Option<i32> {
        let child = &mut self.child.0;
        let status = eventually("the service ends", async || child.try_wait().unwrap()).await;
        status.code()
    }

    /// Changes the setup of the next start.
    pub fn change(&mut self, change: impl FnOnce(Setup) -> Setup) {
        self.setup = change(self.setup.clone());
        let config = self.directory.path().join("switchboard.toml");
        std::fs::write(config, self.setup.text()).unwrap();
    }

    /// As [`Self::restart`], but it may end by itself instead: gives the exit code then, and what it said.
    pub async fn try_restart(&mut self) -> Result<(), ExitError> {
        let before = self.log().len();
        let (child, ready) = launch(&self.setup, &self.directory)
            .await
            .map_err(|status| ExitError {
                status,
                said: self.log().get(before..).unwrap_or_default().to_owned(),
            })?;
        self.client = Client::new(ready["url"].as_str().unwrap());
        (self.child, self.ready) = (child, ready);
        Ok(())
    }

    /// Starts a node of a shared log again; the old process must have ended.
    pub fn stand_by_again(&mut self) {
        self.child = spawn(&self.setup, &self.directory);
    }

    /// Waits until this node owns its shared log and is ready.
    pub async fn takes_over(&mut self) {
        let path = self.directory.path().join("ready.json");
        let child = &mut self.child.0;
        let text = eventually("the node owns the shared log", async || {
            let status = child.try_wait().unwrap();
            assert!(status.is_none(), "the node ended: {status:?}");
            std::fs::read_to_string(&path).ok()
        })
        .await;
        self.ready = serde_json::from_str(&text).unwrap();
        self.client = Client::new(self.ready["url"].as_str().unwrap());
    }

    /// Starts it again on the same data, on another port; the old process must have ended.
    pub async fn restart(&mut self) {
        let (child, ready) = run(&self.setup, &self.directory).await;
        self.client = Client::new(ready["url"].as_str().unwrap());
        (self.child, self.ready) = (child, ready);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("--- what the service said ---\n{}---", self.log());
        }
    }
}

async fn run(setup: &Setup, directory: &TempDir) -> (Owned, Value) {
    match launch(setup, directory).await {
        Ok(running) => running,
        Err(status) => {
            let log = read(&directory.path().join("log"));
            panic!("the service ended with {status}: {log}")
        }
    }
}

fn spawn(setup: &Setup, directory: &TempDir) -> Owned {
    // With a test on each of many cores, the crowds of some are more files than a process may usually open.
    allow_many_files().unwrap_or_default();
    let path = directory.path();
    let (ready, log) = (path.join("ready.json"), path.join("log"));
    if ready.exists() {
        std::fs::remove_file(&ready).unwrap();
    }
    let config = path.join("switchboard.toml");
    Owned(setup.command(path, &config, &ready, &log).spawn().unwrap())
}

async fn launch(setup: &Setup, directory: &TempDir) -> Result<(Owned, Value), ExitStatus> {
    let ready = directory.path().join("ready.json");
    let mut child = spawn(setup, directory);
    let text = eventually("the service is ready", async || {
        if let Some(status) = child.0.try_wait().unwrap() {
            return Some(Err(status));
        }
        std::fs::read_to_string(&ready).ok().map(Ok)
    })
    .await?;
    Ok((child, serde_json::from_str(&text).unwrap()))
}

fn fresh_directory() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn read(path: &std::path::Path) -> String {
    let mut text = String::new();
    if let Ok(mut file) = File::open(path) {
        std::io::Read::read_to_string(&mut file, &mut text).unwrap_or_default();
    }
    text
}
