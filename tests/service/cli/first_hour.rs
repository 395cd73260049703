//! The first hour with the program alone: a file to begin with, and the commands that need nothing but it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cli::{run, text};
use crate::support::limit::{Limit, Limited as _};
use crate::support::port::HeldPort;

/// A process that ends with its test.
struct Running(
    Child,
    #[expect(dead_code, reason = "held until its end")] Limit,
);

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
        let output = first.command(&["init"]).limited_output().unwrap();
        assert_eq!(text(&output.stdout), "wrote config.toml\n", "{output:?}");
        first.says(&text(&output.stderr));
        first
    }

    /// Checks that each printed command works as it is copied.
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
        let output = self.command(args).limited_output().unwrap();
        assert!(output.status.success(), "{args:?} {output:?}");
        text(&output.stdout)
    }

    /// Starts a command that runs on, and waits for a line on its standard error.
    fn start(&self, args: &[&str], wanted: &str) -> (Running, String) {
        let child = self.command(args).spawn().unwrap();
        let limit = Limit::of_a_test(&child);
        let mut running = Running(child, limit);
        let mut text = String::new();
        let mut lines = BufReader::new(running.0.stderr.take().unwrap());
        while !text.contains(wanted) {
            assert!(lines.read_line(&mut text).unwrap() > 0, "{text}");
        }
        // The test does not read the rest; the pipe must not fill.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        (running, text)
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
    let output = first.done(&["conversation", "list"]);
    assert!(
        output.contains(" c-clara ") && output.contains(" Hello"),
        "{output}"
    );
    let unknown = first
        .command(&["reply", "--conversation", "c-bo", "Hi"])
        .limited_output()
        .unwrap();
    let stderr = text(&unknown.stderr);
    assert_eq!(unknown.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("conversation list"), "{stderr}");
    // By the integration's id, as the list and `send` show it.
    let replied = first.done(&["reply", "--conversation", "c-clara", "Yes, it is!"]);
    let id = replied.trim_end().rsplit(' ').next().unwrap();
    assert!(output.contains(id), "{output}: {replied}");
    let mut output_text = String::new();
    let stdout = listener.0.stdout.as_mut().unwrap();
    stdout.read_to_string(&mut output_text).unwrap();
    assert!(
        output_text.contains("v2 text \"Yes, it is!\""),
        "{output_text}"
    );
    // What the integration asked is recorded.
    let requests = first.done(&["request", "list"]);
    assert!(
        requests.contains("/connect ") && requests.contains(" 200 "),
        "{requests}"
    );
    let newest = requests.lines().nth(1).unwrap().split(' ').next().unwrap();
    let command_output = first.done(&["request", "get", newest]);
    assert!(command_output.contains("\nanswer:\n{"), "{command_output}");
    let refusals = first.done(&["request", "list", "--outcome", "refused"]);
    assert_eq!(refusals, "no such requests are recorded\n");
}

#[test]
fn an_existing_file_stays_and_commands_name_another_place() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    std::fs::write(&file, "mine").unwrap();
    for place in [&["init"][..], &["init", "config.toml"], &["init", "."]] {
        let output = run(directory.path(), place);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let stderr = text(&output.stderr);
        assert!(
            stderr.contains("is there already") && stderr.contains("init trial.toml"),
            "{stderr}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
    let command_output = run(directory.path(), &["init", "trial.toml"]);
    assert!(command_output.status.success(), "{command_output:?}");
    let stderr = text(&command_output.stderr);
    for words in ["serve", "listen", "send \"Hello\"", "reply \"Hello!\""] {
        assert!(
            stderr.contains(&format!("{words} --config trial.toml")),
            "{words}: {stderr}"
        );
    }
    let toml = std::fs::read_to_string(directory.path().join("trial.toml")).unwrap();
    assert_eq!(toml, switchboard::config::SHIPPED);
    assert_eq!(mode(&directory.path().join("trial.toml")), 0o600);
    let nowhere = run(directory.path(), &["init", "nowhere/config.toml"]);
    assert_eq!(nowhere.status.code(), Some(1));
    let stderr = text(&nowhere.stderr);
    assert!(
        stderr.contains("cannot write nowhere/config.toml"),
        "{stderr}"
    );
}

fn mode(file: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}
