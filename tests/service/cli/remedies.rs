//! Remedies in refusals: the source of the value, and the next step in the case at hand.

use serde_json::json;

use crate::cli::send::{not_connected, target};
use crate::cli::{ID, SECRET, answering, run, switchboard, text};
use crate::support::limit::Limited as _;

/// Every value that a variable may give and that can be wrong, with a wrong one.
const WRONG: [(&str, &[&str], &str); 5] = [
    ("SWITCHBOARD_URL", &["channel", "list"], "ftp://h"),
    ("SWITCHBOARD_CHANNEL_ID", &["send", "Hi"], "a b"),
    ("SWITCHBOARD_ACCOUNT_ID", &["send", "Hi"], "x"),
    ("SWITCHBOARD_USER_TOKEN", &["reply", "Hi"], "a b"),
    ("SWITCHBOARD_OPERATOR__TOKEN", &["channel", "list"], "a b"),
];

#[test]
fn an_invalid_variable_is_named_and_not_the_flag() {
    let directory = tempfile::tempdir().unwrap();
    for (variable, args, value) in WRONG {
        let output = switchboard(directory.path(), args)
            .env(variable, value)
            .limited_output()
            .unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{variable}: {stderr}");
        assert!(
            stderr.contains(&format!("the variable {variable}:")),
            "{stderr}"
        );
        assert!(!stderr.contains("for --"), "{stderr}");
    }
    // Of a flag the flag is named, and a secret is not shown.
    let output = run(directory.path(), &["reply", "Hi", "--token", "s3 cret"]);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("invalid value for --token: "), "{stderr}");
    assert!(!stderr.contains("s3 cret"), "{stderr}");
}

#[test]
fn a_refused_token_is_named_by_its_source() {
    let directory = tempfile::tempdir().unwrap();
    let refusal = json!({ "detail": "send the operator's token" }).to_string();
    let token = ["--token", "of-the-flag"];
    for (variable, command) in [
        ("SWITCHBOARD_OPERATOR__TOKEN", ["channel", "list"]),
        ("SWITCHBOARD_USER_TOKEN", ["reply", "Hi"]),
    ] {
        for (flags, source) in [(&[][..], variable), (&token[..], "--token")] {
            let (url, asked) = answering(vec![(401, refusal.clone())]);
            let args = [&command[..], &["--url", &url], flags].concat();
            let output = switchboard(directory.path(), &args)
                .env(variable, "of-the-variable")
                .limited_output()
                .unwrap();
            asked.all();
            let stderr = text(&output.stderr);
            let last_line = format!("{source}\n");
            assert!(
                stderr.contains("401") && stderr.ends_with(&last_line),
                "{stderr}"
            );
        }
    }
}

/// The command that is to be copied has the channel, the account and the service at hand.
#[test]
fn an_account_is_connected_by_the_command_that_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let line = json!({ "timestamp": 1, "msgid": "m", "conversation_id": "c", "sender": { "id": "u",
        "name": "U", "avatar": "https://example.com/u.png" }, "message": { "type": "text", "text": "Hi" } });
    std::fs::write(directory.path().join("history.jsonl"), line.to_string()).unwrap();
    let scope = format!("second_{ID}");
    for command in [
        &["import", "history.jsonl", "--scope", &scope][..],
        &[
            "send",
            "Hi",
            "--no-connect",
            "--channel",
            "second",
            "--account",
            ID,
        ],
    ] {
        let (url, asked) = answering(vec![not_connected()]);
        let args = [command, &["--url", &url, "--secret", SECRET]].concat();
        let output = run(directory.path(), &args);
        asked.all();
        let stderr = text(&output.stderr);
        let remedy =
            format!("connect --channel second --account {ID} --url {url}/ --secret SECRET");
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(&remedy), "{stderr}");
        assert!(
            !stderr.contains("send \"Hello\"") && !stderr.contains(SECRET),
            "{stderr}"
        );
    }
    // What the environment names is said too.
    let (url, asked) = answering(vec![not_connected()]);
    let output = switchboard(directory.path(), &["send", "Hi", "--no-connect"])
        .env("SWITCHBOARD_URL", &url)
        .env("SWITCHBOARD_CHANNEL_ID", "demo")
        .env("SWITCHBOARD_CHANNEL_SECRET", SECRET)
        .env("SWITCHBOARD_ACCOUNT_ID", ID)
        .limited_output()
        .unwrap();
    asked.all();
    let stderr = text(&output.stderr);
    for part in [
        &format!("connect --channel demo --account {ID}\n"),
        "the channel is from the variable SWITCHBOARD_CHANNEL_ID, the account is from the variable SWITCHBOARD_ACCOUNT_ID",
    ] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    let (url, asked) = answering(vec![(200, "{}".into())]);
    let connected = run(
        directory.path(),
        &[&["connect", "--title", "Telegram"][..], &target(&url)].concat(),
    );
    assert!(connected.status.success(), "{connected:?}");
    let requests = asked.all();
    assert!(
        requests[0].contains("/v2/origin/custom/demo/connect ")
            && requests[0].contains("\"title\":\"Telegram\""),
        "{requests:?}"
    );
}

#[test]
fn a_scope_outranks_variables_and_contradicts_flags() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("none.jsonl"), "").unwrap();
    let scope = format!("demo_{ID}");
    let import = [
        "import",
        "none.jsonl",
        "--url",
        "127.0.0.1:1",
        "--secret",
        SECRET,
        "--scope",
        &scope,
    ];
    let other = "00000000-0000-4000-8000-000000000001";
    let output = switchboard(directory.path(), &import)
        .env("SWITCHBOARD_ACCOUNT_ID", other)
        .env("SWITCHBOARD_CHANNEL_ID", "another")
        .limited_output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    for (flag, value) in [("--account", other), ("--channel", "another")] {
        let command_output = run(directory.path(), &[&import[..], &[flag, value]].concat());
        let stderr = text(&command_output.stderr);
        assert_eq!(command_output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains(&format!("--scope contradicts {flag}")),
            "{stderr}"
        );
    }
}

/// A configuration without accounts, as a package installs it: what is missing there is not to be declared there.
#[test]
fn what_a_configuration_lacks_is_named_with_the_file() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("config.toml"),
        "[operator]\ntoken = \"t\"\n",
    )
    .unwrap();
    for (args, parts) in [
        (
            &["send", "Hi"][..],
            [
                "config.toml declares no account",
                "SWITCHBOARD_ACCOUNT_ID",
                "account list",
            ],
        ),
        (
            &["send", "Hi", "--account", ID],
            [
                "config.toml declares no channel",
                "SWITCHBOARD_CHANNEL_ID",
                "channel list",
            ],
        ),
        (
            &["reply", "Hi"],
            [
                "declares no user with a bearer token",
                "SWITCHBOARD_USER_TOKEN",
                "token create",
            ],
        ),
    ] {
        let output = run(directory.path(), args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
    }
}

#[test]
fn flags_before_serve_are_those_of_serve() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["--config", "none.toml", "serve"]);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("cannot read none.toml"), "{stderr}");
    let output = run(directory.path(), &["--ephemeral", "channel", "list"]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr.contains("unexpected argument '--ephemeral'"),
        "{stderr}"
    );
}

/// On a terminal, our own errors have the colours of those of the parser.
#[test]
fn errors_look_alike_on_a_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let on_a_terminal = |args: &str| {
        let program = env!("CARGO_BIN_EXE_switchboard");
        let terminal_output = std::process::Command::new("script")
            .args(["-qec", &format!("{program} {args}"), "/dev/null"])
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .current_dir(directory.path())
            .stdin(std::process::Stdio::null())
            .limited_output();
        terminal_output.ok().map(|output| text(&output.stdout))
    };
    let (Some(parser), Some(ours)) = (on_a_terminal("sign --nonsense"), on_a_terminal("send Hi"))
    else {
        return crate::support::skip::skipped("there is no script", "apt-get install bsdutils");
    };
    let head = |text: &str| text.split("error:").next().unwrap().to_owned();
    assert!(head(&parser).starts_with('\u{1b}'), "{parser:?}");
    assert_eq!(head(&ours), head(&parser), "{ours:?}");
}
