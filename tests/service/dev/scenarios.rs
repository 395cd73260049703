//! `switchboard dev run`: scenario files.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::limit::Limited as _;
use crate::support::skip::skipped;

/// Runs a file with this text, and gives the report in XML too.
fn run(text: &str) -> (Output, String) {
    let directory = tempfile::tempdir().unwrap();
    let (file, junit) = (
        directory.path().join("a.toml"),
        directory.path().join("r.xml"),
    );
    std::fs::write(&file, text).unwrap();
    let output = program(&file)
        .arg("--junit")
        .arg(&junit)
        .limited_output()
        .unwrap();
    (output, std::fs::read_to_string(junit).unwrap_or_default())
}

fn program(file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.args(["dev", "run"]).arg(file);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_scenarios_of_the_echo_bot_pass() {
    if Command::new("python3")
        .arg("--version")
        .limited_output()
        .is_err()
    {
        return skipped("there is no python3", "install Python 3");
    }
    let output = program(Path::new("examples/scenarios/echo_bot.toml"))
        .limited_output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"3 passed, 0 failed\n");
}

/// A name, an answer and a journal are texts of others: no terminal obeys them, and the report stays XML.
#[test]
fn what_a_scenario_says_moves_no_cursor() {
    let text = r#"
[[scenarios]]
name = "red \u001B[31m \u009B2J \u202E \u007F"
world = {}
steps = [
  { order = "POST /customers/bo/say", body = { text = "clear \u001B[2J" } },
  { order = "GET /customers/bo/messages", expect = { messages = [] } },
]
"#;
    let (output, _) = run(text);
    assert_eq!(output.status.code(), Some(1));
    let report = said(&output);
    let obeyed = report.chars().filter(|it| it.is_control() && *it != '\n');
    assert_eq!(obeyed.collect::<String>(), "", "{report:?}");
    let name = "red \\u001b[31m \\u009b2J \\u202e \\u007f";
    assert!(report.contains(name), "{report}");
}

const HABITS: &str = r#"
[[scenarios]]
name = "Ada answers by herself, sometimes later than the customer likes"
world = { redirect_uri = "https://bridge.example/cb" }
steps = [
  { order = "PUT /users/ada/habits", body = { do = "answers", after = 2, text = "One moment." } },
  { order = "POST /faults", body = { on = "callbacks", do = "drop", probability = 1, seed = 7 } },
  { order = "POST /customers/bo/say", body = { text = "Have you any tulips?" } },
  { order = "GET /wait?until=quiet", expect = { met = true } },
  { order = "GET /customers/bo/messages", expect = { messages = [{ direction = "in" }, { text = "One moment." }] } },
  { order = "DELETE /users/ada/habits", expect = { habits = [] } },
  { order = "PUT /users/ada/habits", body = { do = "sleeps", after = 2 }, status = 400 },
  { order = "POST /users/ada/consent" },
]
"#;

/// The orders of people's habits and of the OAuth client are steps, too.
#[test]
fn habits_and_consents_are_steps() {
    let (output, _) = run(HABITS);
    assert_eq!(output.stdout, b"1 passed, 0 failed\n", "{output:?}");
}

const FAILING: &str = r#"
[[scenarios]]
name = "Tulips & <roses>"
world = { clock = "frozen" }
[[scenarios.steps]]
order = "POST /customers/bo/say"
body = { text = "Have you any?" }
[[scenarios.steps]]
order = "GET /customers/bo/messages"
expect = { messages = [{ text = "Others." }] }
[[scenarios]]
name = "An unknown fault is refused"
[[scenarios.steps]]
order = "POST /faults"
body = { on = "moon", do = "drop" }
status = 400
"#;

/// A failure names the step, what was expected and what happened; the report in XML has the same.
#[test]
fn a_failure_is_explained() {
    let (output, junit) = run(FAILING);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(output.stdout, b"1 passed, 1 failed\n");
    let text = said(&output);
    for words in [
        "failed  Tulips & <roses>",
        "step 2 (GET /customers/bo/messages): /messages/0/text has to be \"Others.\", and is \"Have you any?\"",
        "customer bo writes \"Have you any?\"",
        "passed  An unknown fault is refused",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for words in [
        "tests=\"2\" failures=\"1\"",
        "name=\"Tulips &amp; &lt;roses&gt;\"",
        "<failure message=\"step 2",
        "customer bo writes",
    ] {
        assert!(junit.contains(words), "{words}: {junit}");
    }
}

/// A program that ends or does not start fails its scenario, and says so.
#[test]
fn a_program_that_is_not_there_is_named() {
    for (command, words) in [
        (r#"["no-such-program"]"#, "«no-such-program» does not start"),
        (
            r#"["true"]"#,
            "the program ended (exit status: 0), before it accepted",
        ),
    ] {
        let text = format!(
            "[program]\ncommand = {command}\n[[scenarios]]\nname = \"a\"\n[[scenarios.steps]]\norder = \"GET /wait?until=quiet\"\n"
        );
        let (output, _) = run(&text);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(said(&output).contains(words), "{output:?}");
    }
}

/// All errors of a file are named at once, and nothing is run.
#[test]
fn wrong_files_are_refused_with_all_their_errors() {
    for (text, words) in [
        ("", vec!["there is no [[scenarios]]"]),
        ("scenarios = 7", vec!["invalid type", "line 1"]),
        (
            "[program]\ncommand = []\npath = \"x\"\n[[scenarios]]\nname = \"a\"\nworld = { webhook = \"http://x/\" }\nsteps = [{ order = \"say\" }]\n[[scenarios]]\nname = \"b\"\nsteps = []\n",
            vec![
                "program.command is empty",
                "program.path begins with /",
                "scenario «a»: the program receives the callbacks",
                "scenario «a», step 1: order is a method and a path",
                "scenario «b» has no steps",
            ],
        ),
    ] {
        let (output, junit) = run(text);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let report = said(&output);
        for words in words {
            assert!(report.contains(words), "{words}: {report}");
        }
        assert_eq!(junit, "");
    }
    let missing = program(Path::new("no/such/file.toml"))
        .limited_output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        said(&missing).contains("no/such/file.toml: "),
        "{missing:?}"
    );
}
