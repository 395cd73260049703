//! The first hour with the program alone: a file to begin with, and the commands that need nothing but it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cli::{run, text};
use crate::support::port::HeldPort;

/// A process that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
}

/// A directory with the program's first configuration, whose ports are free ones.
struct FirstHour {
    directory: tempfile::TempDir,
    ports: [HeldPort; 2],
}

impl FirstHour {
    fn begin() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let ports = [HeldPort::take(), HeldPort::take()];
        let first = Self { directory, ports };
        let told = first.command(&["init"]).output().unwrap();
        assert_eq!(text(&told.stdout), "wrote config.toml\n", "{told:?}");
        first.says(&text(&told.stderr));
        first
    }

    /// Whatever is to be copied works as it is printed.
    fn says(&self, told: &str) {
        let url = format!("http://127.0.0.1:{}/", self.ports[0].number());
        for part in [
            url.as_str(),
            "ada@example.com with the password Passw0rd",
            " serve\n",
            " send \"Hello\"  ",
            " reply \"Hello!\"  ",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        assert!(!told.contains("--config"), "{told}");
    }

    /// The program, in this directory; only the ports differ from what people have.
    fn command(&self, args: &[&str]) -> Command {
        let [service, webhook] = self.ports.each_ref().map(HeldPort::number);
        let webhook = format!("http://127.0.0.1:{webhook}/v2/:scope_id");
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command
            .args(args)
            .env("SWITCHBOARD_SERVER__LISTEN", format!("127.0.0.1:{service}"))
            .env("SWITCHBOARD_CHANNELS__0__WEBHOOK_V2", webhook)
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn done(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?} {output:?}");
        text(&output.stdout)
    }

    /// Starts a command that runs on, and waits for a line on its standard error.
    fn start(&self, args: &[&str], wanted: &str) -> (Running, String) {
        let mut running = Running(self.command(args).spawn().unwrap());
        let mut said = String::new();
        let mut lines = BufReader::new(running.0.stderr.take().unwrap());
        while !said.contains(wanted) {
            assert!(lines.read_line(&mut said).unwrap() > 0, "{said}");
        }
        // The test does not read the rest; the pipe must not fill.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        (running, said)
    }
}

#[test]
fn a_file_of_the_program_alone_leads_to_the_first_callback() {
    let first = FirstHour::begin();
    let (_service, _) = first.start(&["serve"], "reply \"Hello!\"");
    let (mut listener, _) = first.start(&["listen", "--once"], "listening on");
    let connected = first.done(&["connect"]);
    assert!(connected.starts_with("connected: account "), "{connected}");
    assert!(first.done(&["send", "Hello"]).starts_with("accepted: "));
    let listed = first.done(&["conversation", "list"]);
    assert!(
        listed.contains(" c-clara ") && listed.contains(" Hello"),
        "{listed}"
    );
    let unknown = first
        .command(&["reply", "--conversation", "c-bo", "Hi"])
        .output()
        .unwrap();
    let told = text(&unknown.stderr);
    assert_eq!(unknown.status.code(), Some(1), "{told}");
    assert!(told.contains("conversation list"), "{told}");
    // By the integration's id, as the list and `send` show it.
    let replied = first.done(&["reply", "--conversation", "c-clara", "Yes, it is!"]);
    let id = replied.trim_end().rsplit(' ').next().unwrap();
    assert!(listed.contains(id), "{listed}: {replied}");
    let mut received = String::new();
    let stdout = listener.0.stdout.as_mut().unwrap();
    stdout.read_to_string(&mut received).unwrap();
    assert!(received.contains("v2 text \"Yes, it is!\""), "{received}");
    // What the integration asked is recorded.
    let requests = first.done(&["request", "list"]);
    assert!(
        requests.contains("/connect ") && requests.contains(" 200 "),
        "{requests}"
    );
    let newest = requests.lines().nth(1).unwrap().split(' ').next().unwrap();
    let shown = first.done(&["request", "show", newest]);
    assert!(shown.contains("\nanswer:\n{"), "{shown}");
    let refused = first.done(&["request", "list", "--outcome", "refused"]);
    assert_eq!(refused, "no such requests are recorded\n");
}

#[test]
fn an_existing_file_stays_and_commands_name_another_place() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    std::fs::write(&file, "mine").unwrap();
    for place in [&["init"][..], &["init", "config.toml"], &["init", "."]] {
        let refused = run(directory.path(), place);
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        let told = text(&refused.stderr);
        assert!(
            told.contains("is there already") && told.contains("init trial.toml"),
            "{told}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
    let made = run(directory.path(), &["init", "trial.toml"]);
    assert!(made.status.success(), "{made:?}");
    let told = text(&made.stderr);
    for words in ["serve", "listen", "send \"Hello\"", "reply \"Hello!\""] {
        assert!(
            told.contains(&format!("{words} --config trial.toml")),
            "{words}: {told}"
        );
    }
    let written = std::fs::read_to_string(directory.path().join("trial.toml")).unwrap();
    assert_eq!(written, switchboard::config::SHIPPED);
    assert_eq!(mode(&directory.path().join("trial.toml")), 0o600);
    let nowhere = run(directory.path(), &["init", "nowhere/config.toml"]);
    assert_eq!(nowhere.status.code(), Some(1));
    let told = text(&nowhere.stderr);
    assert!(told.contains("cannot write nowhere/config.toml"), "{told}");
}

fn mode(file: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}
