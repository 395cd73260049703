//! Messages that are sent, and the service they are sent to.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{ID, SECRET, answering, run, switchboard, text};
use crate::support::limit::Limited as _;

pub(super) fn target(url: &str) -> [&str; 8] {
    [
        "--url",
        url,
        "--channel",
        "demo",
        "--secret",
        SECRET,
        "--account",
        ID,
    ]
}

/// The answer of the chat interface when the account is not connected.
pub(super) fn not_connected() -> (u16, String) {
    let body = json!({ "error_type": "ORIGIN_NOT_REGISTERED", "error_description": "NOT_FOUND" });
    (404, body.to_string())
}

/// The path of a request, and its body.
fn posted(request: &str) -> (&str, Value) {
    let path = request.split(' ').nth(1).unwrap();
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    (path, serde_json::from_str(body).unwrap())
}

/// The request is signed as the current generation wants it, as the program itself judges.
#[track_caller]
fn is_signed(directory: &Path, request: &str) {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        let value = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
        value.expect(name).1
    };
    std::fs::write(directory.join("body"), body).unwrap();
    let output = run(
        directory,
        &[
            [
                "sign",
                "body",
                "--secret",
                SECRET,
                "--path",
                posted(request).0,
            ],
            [
                "--verify",
                header("X-Signature"),
                "--date",
                header("Date"),
                "--content-md5",
                header("Content-MD5"),
            ],
        ]
        .concat(),
    );
    assert!(
        text(&output.stdout).contains("(current generation)"),
        "{output:?}"
    );
    assert_eq!(header("Content-Type"), "application/json");
}

#[test]
fn sending_signs_a_message_and_connects_the_account_if_needed() {
    let directory = tempfile::tempdir().unwrap();
    let acceptance =
        json!({ "new_message": { "conversation_id": "our-c", "msgid": "our-m", "ref_id": "m-1" } });
    let (url, asked) = answering(vec![
        not_connected(),
        (200, "{}".into()),
        (200, acceptance.to_string()),
    ]);
    let message = [
        "send",
        "Is it",
        "in stock?",
        "--from",
        "Zoë B",
        "--msgid",
        "m-1",
        "--silent",
    ];
    let output = run(
        directory.path(),
        &[message.as_slice(), &target(&url)].concat(),
    );
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        text(&output.stdout),
        "accepted: message our-m in conversation our-c (c-zoë-b)\n"
    );
    assert!(text(&output.stderr).starts_with("connected: account "));

    let requests = asked.all();
    let scope = format!("/v2/origin/custom/demo_{ID}");
    let [first, connected, again] = [0, 1, 2].map(|at| posted(&requests[at]));
    assert_eq!(
        (first.0, connected.0),
        (scope.as_str(), "/v2/origin/custom/demo/connect")
    );
    assert_eq!(first, again, "the same message, once it can be taken");
    assert_eq!(
        connected.1,
        json!({ "account_id": ID, "hook_api_version": "v2" })
    );
    for request in &requests {
        is_signed(directory.path(), request);
    }
    let event = first.1;
    assert_eq!(event["event_type"], "new_message");
    let payload = &event["payload"];
    assert_eq!(
        payload["message"],
        json!({ "type": "text", "text": "Is it in stock?" })
    );
    assert_eq!(
        (&payload["msgid"], &payload["silent"]),
        (&json!("m-1"), &json!(true))
    );
    assert_eq!(payload["sender"]["name"], "Zoë B");
    assert!(payload["timestamp"].is_i64());
}

#[test]
fn a_refusal_is_printed_in_the_words_of_the_service() {
    let directory = tempfile::tempdir().unwrap();
    let refusal = json!({ "status": 0, "error_code": 400, "error_type": "ORIGIN_INVALID_REQUEST",
        "error_description": "the body is wrong", "hint": "look again",
        "errors": [{ "path": "payload.message.text", "code": "FieldMissing", "detail": "is required" }] });
    for json in [false, true] {
        let (url, asked) = answering(vec![(400, refusal.to_string())]);
        let mut args = [["send", "Hi", "--no-connect"].as_slice(), &target(&url)].concat();
        args.extend(json.then_some("--json"));
        let output = run(directory.path(), &args);
        assert_eq!(output.status.code(), Some(1));
        let stderr = text(&output.stderr);
        for part in [
            "send was answered 400: ORIGIN_INVALID_REQUEST: the body is wrong",
            "payload.message.text (FieldMissing): is required",
            "hint: look again",
        ] {
            assert!(stderr.contains(part), "{stderr}");
        }
        let data = serde_json::from_slice::<Value>(&output.stdout).ok();
        assert_eq!(data, json.then(|| refusal.clone()));
        assert_eq!(asked.all().len(), 1);
    }
}

#[test]
fn an_unreachable_service_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let scope = format!("demo_{ID}");
    let import = ["import", "history.jsonl", "--scope", &scope];
    let message = json!({ "timestamp": 1, "msgid": "m", "conversation_id": "c", "sender": {
        "id": "u", "name": "U", "avatar": "https://example.com/u.png" },
        "message": { "type": "text", "text": "Hi" } });
    std::fs::write(directory.path().join("history.jsonl"), message.to_string()).unwrap();
    // Without a scheme, too.
    let url = ["--url", "127.0.0.1:1"];
    for args in [
        [&["send", "Hi"][..], &target("127.0.0.1:1")].concat(),
        [&import[..], &["--secret", SECRET], &url].concat(),
        [&["channel", "list", "--token", "t"][..], &url].concat(),
        [&["reply", "Hi", "--token", "t"][..], &url].concat(),
    ] {
        let output = run(directory.path(), &args);
        assert_eq!(output.status.code(), Some(3), "{args:?} {output:?}");
        let stderr = text(&output.stderr);
        assert!(
            stderr.starts_with("error: nothing listens on 127.0.0.1:1\n  help: start the service"),
            "{stderr}"
        );
    }
}

#[test]
fn service_and_token_come_from_variables_unless_flags_are_given() {
    let directory = tempfile::tempdir().unwrap();
    let (url, asked) = answering(vec![
        (200, r#"{"channels":[]}"#.into()),
        (200, format!(r#"{{"conversations":[{{"id":"{ID}"}}]}}"#)),
        (201, r#"{"id":"m-1"}"#.into()),
        (200, "{}".into()),
    ]);
    let host = url.strip_prefix("http://").unwrap();
    let run = |args: &[&str]| {
        let mut command = switchboard(directory.path(), args);
        command
            .env("SWITCHBOARD_URL", host)
            .env("SWITCHBOARD_OPERATOR__TOKEN", "of-the-variable")
            .env("SWITCHBOARD_USER_TOKEN", "another")
            .env("SWITCHBOARD_CHANNEL_ID", "demo")
            .env("SWITCHBOARD_CHANNEL_SECRET", SECRET);
        let output = command.limited_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    run(&["channel", "list"]);
    run(&[
        "reply",
        "Hi",
        "--conversation",
        ID,
        "--token",
        "of-the-flag",
    ]);
    run(&["send", "Hi", "--account", ID]);
    let requests = asked.all();
    for (request, part) in requests.iter().zip([
        "authorization: bearer of-the-variable",
        "authorization: bearer of-the-flag",
        &format!("/{ID}/messages "),
        &format!("/demo_{ID} "),
    ]) {
        assert!(request.to_lowercase().contains(part), "{request}");
    }
    let command_output = switchboard(directory.path(), &["channel", "list"])
        .env("SWITCHBOARD_URL", "ftp://h")
        .limited_output()
        .unwrap();
    assert_eq!(command_output.status.code(), Some(2));
    let stderr = text(&command_output.stderr);
    assert!(stderr.contains("as in http://127.0.0.1:8080"), "{stderr}");
    assert!(stderr.contains("the variable SWITCHBOARD_URL:"), "{stderr}");
    let command_output = switchboard(directory.path(), &["channel", "list", "--url", "ftp://h"])
        .env("SWITCHBOARD_URL", host)
        .limited_output()
        .unwrap();
    assert!(
        !text(&command_output.stderr).contains("variable"),
        "{command_output:?}"
    );
}

/// Shells and files of containers leave empty variables behind.
#[test]
fn an_empty_variable_counts_as_none() {
    let directory = tempfile::tempdir().unwrap();
    let (url, asked) = answering(vec![(200, r#"{"channels":[]}"#.into())]);
    let mut command = switchboard(
        directory.path(),
        &["channel", "list", "--token", "t", "--url", &url],
    );
    for name in ["URL", "CHANNEL_ID", "CHANNEL_SECRET", "CONFIG"] {
        command.env(format!("SWITCHBOARD_{name}"), "");
    }
    let output = command.limited_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    asked.all();
    let command_output = switchboard(directory.path(), &["channel", "list", "--token", "t"])
        .env("SWITCHBOARD_URL", "")
        .limited_output()
        .unwrap();
    let stderr = text(&command_output.stderr);
    assert!(!stderr.contains("invalid value"), "{stderr}");
}

#[test]
fn channel_and_addresses_come_from_the_configuration() {
    let directory = tempfile::tempdir().unwrap();
    let (url, asked) = answering(vec![(200, "{}".into())]);
    let shipped = switchboard::config::SHIPPED.replace(
        "# public_url = \"none\"",
        &format!("public_url = \"{url}\""),
    );
    std::fs::write(directory.path().join("config.toml"), shipped).unwrap();
    std::fs::write(directory.path().join("body"), "{}").unwrap();
    let output = run(directory.path(), &["send", "Hi"]);
    assert!(output.status.success(), "{output:?}");
    let requests = asked.all();
    assert!(
        requests[0].contains(&format!("f90ba33d-c9d9-44da-b76c-c349b0ecbe41_{ID}")),
        "{requests:?}"
    );
    let command_output = run(directory.path(), &["sign", "body"]);
    // HMAC-SHA1 of `{}` under the shipped channel's secret, as openssl computes it.
    assert_eq!(
        text(&command_output.stdout).trim(),
        "6cf82ac0eec9a8bdc2a72e2e8ce2237b4b66c45f"
    );
    let unknown = run(directory.path(), &["sign", "body", "--channel", "other"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("has no channel other"));
}
