//! The service with an integration, as `compose.yaml` starts them: the same configuration and variables, without containers.

use std::process::Command;

use super::{of_project, python};
use crate::support::limit::Limited as _;
use crate::support::server::Setup;
use crate::support::skip::skipped;

/// A folder with a compose file, and the name of its other service.
struct Composition {
    folder: &'static str,
    neighbour: &'static str,
}

const ECHO: Composition = Composition {
    folder: "packaging/compose",
    neighbour: "echo",
};
const TELEGRAM: Composition = Composition {
    folder: "bridges/telegram/packaging",
    neighbour: "telegram",
};

impl Composition {
    fn text(&self, name: &str) -> String {
        let path = format!("{}/{name}", self.folder);
        std::fs::read_to_string(of_project(&path)).unwrap()
    }
}

/// The secrets that `init` writes, as variables of the service.
fn secrets(composition: &Composition) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("init");
    std::fs::write(&script, composition.text("init")).unwrap();
    let run = || {
        let mut shell = Command::new("sh");
        shell.arg(&script).env("TELEGRAM_BOT_TOKEN", "42:TOKEN");
        shell.limited_output().unwrap()
    };
    let text = String::from_utf8(run().stdout).unwrap();
    assert!(text.starts_with("Sign in as ada@example.com with the password "));
    assert!(!run().status.success(), "it must not replace secrets");
    let file = std::fs::read_to_string(folder.path().join(".env")).unwrap();
    let compose = composition.text("compose.yaml");
    let (service, _) = compose
        .split_once(&format!("\n  {}:", composition.neighbour))
        .unwrap();
    let lines = service.lines().map(str::trim);
    let variables: Vec<_> = lines
        .filter(|line| line.starts_with("SWITCHBOARD_"))
        .map(|line| {
            let (name, value) = line.split_once(": \"${").unwrap();
            let (from, _) = value.split_once(":?").unwrap();
            let secret = file
                .lines()
                .find_map(|line| line.strip_prefix(from)?.strip_prefix('='));
            (name.to_owned(), secret.unwrap().to_owned())
        })
        .collect();
    assert_eq!(variables.len(), 3);
    variables
}

async fn starts(composition: &Composition) {
    let config = composition.text("switchboard.toml");
    let bare_setup = Setup::default().config(&config);
    let setup = secrets(composition)
        .into_iter()
        .fold(bare_setup, |setup, (name, value)| {
            setup.variable(&name, &value)
        });
    let server = setup
        .variable("SWITCHBOARD_SERVER__LISTEN", "127.0.0.1:0")
        .start()
        .await;
    let ready = server.ready().to_string();
    assert!(
        ready.contains("f90ba33d-c9d9-44da-b76c-c349b0ecbe41"),
        "{ready}"
    );
}

#[tokio::test]
async fn the_service_of_the_compose_file_starts() {
    starts(&ECHO).await;
}

#[tokio::test]
async fn the_service_beside_the_telegram_bridge_starts() {
    starts(&TELEGRAM).await;
}

#[test]
fn secrets_beside_the_telegram_bridge_need_its_token() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("init");
    std::fs::write(&script, TELEGRAM.text("init")).unwrap();
    let mut shell = Command::new("sh");
    shell.arg(&script).env_remove("TELEGRAM_BOT_TOKEN");
    let output = shell.limited_output().unwrap();
    assert!(!output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("@BotFather"), "{stderr}");
    assert!(!folder.path().join(".env").exists());
}

#[test]
fn the_compose_files_pass_their_linter() {
    for composition in [ECHO, TELEGRAM] {
        let file = of_project(&format!("{}/compose.yaml", composition.folder));
        match python(|python| python.args(["-m", "compose_lint", "check"]).arg(file)) {
            Ok(linted) => assert!(linted.is_ok(), "{linted:?}"),
            Err(why) => skipped(&why, "install Python 3 with pip; fetches from PyPI"),
        }
    }
}

/// Images that podman builds in its own form have no health command, and the integration waits for a healthy service.
#[test]
fn the_compose_files_have_the_health_command_of_the_image() {
    let image = std::fs::read_to_string(of_project("packaging/Containerfile")).unwrap();
    let (_, command) = image.split_once("--start-period=60s CMD [").unwrap();
    let (command, _) = command.split_once(']').unwrap();
    let test = format!("test: [\"CMD\", {command}]");
    for composition in [ECHO, TELEGRAM] {
        let compose = composition.text("compose.yaml");
        assert!(compose.contains(&test), "{test}");
        assert!(compose.contains("condition: service_healthy"));
    }
}

/// A variable that the bridge does not know would be ignored in silence.
#[test]
fn the_files_of_the_telegram_bridge_name_its_settings() {
    let page = std::fs::read_to_string(of_project("bridges/telegram/README.md")).unwrap();
    let compose = TELEGRAM.text("compose.yaml");
    let (_, bridge) = compose.split_once("\n  telegram:").unwrap();
    let texts = [
        bridge.to_owned(),
        TELEGRAM.text("Containerfile"),
        TELEGRAM.text("switchboard-telegram.service"),
    ];
    let mut count = 0;
    for text in &texts {
        let words = text.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_');
        let variables =
            words.filter(|word| word.starts_with("TELEGRAM_") || word.starts_with("SWITCHBOARD_"));
        for variable in variables {
            count += 1;
            let name = variable.trim_end_matches("_FILE");
            assert!(page.contains(&format!("`{name}`")), "{variable}");
        }
    }
    assert!(count > 8, "{count}");
}

#[test]
fn the_integration_of_the_compose_file_is_the_bot_of_the_guide() {
    let bot = std::fs::read_to_string(of_project("examples/echo.py")).unwrap();
    assert_eq!(bot.trim_end(), crate::guide::block("python bot"));
}
