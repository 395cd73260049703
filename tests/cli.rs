//! The client commands as real processes: what they print, and how they end.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "an integration test binary"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

const ID: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
const SECRET: &str = "s3cret";

/// The program, away from any configuration but the one that is named.
fn switchboard(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::null());
    command
}

fn run(directory: &Path, args: &[&str]) -> Output {
    switchboard(directory, args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The signature, by the program itself; `signing` compares it with the RFC's vectors.
fn signed(directory: &Path, body: &str) -> String {
    let mut child = switchboard(directory, &["sign", "--secret", SECRET, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(body.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    text(&output.stdout).trim().to_owned()
}

/// A running `listen`; killed when the test is over, whatever its end.
struct Listener {
    child: Child,
    lines: BufReader<ChildStdout>,
    address: String,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Listener {
    fn start(directory: &Path, args: &[&str]) -> Self {
        let all = [&["listen", "--port", "0"], args].concat();
        let mut child = switchboard(directory, &all)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).expect(&said);
        let address = address.split(' ').next().unwrap().to_owned();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            lines,
            address,
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn json(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

/// One request, over a connection of its own; gives status and body.
fn request(address: &str, method: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    exchange(address, method, headers, body.len(), body)
}

/// As `request`, the length being announced apart from the body.
fn exchange(
    address: &str,
    method: &str,
    headers: &[(&str, &str)],
    length: usize,
    body: &str,
) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let mut head = format!("{method} /v2/x HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    head.push_str(&format!("Content-Length: {length}\r\n"));
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream
        .write_all(format!("{head}\r\n{body}").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, body.to_owned())
}

fn callback(kind: &str, extra: &Value) -> String {
    let mut message = json!({ "id": ID, "type": kind, "text": "On its way!", "media": "",
        "thumbnail": "", "file_name": "", "file_size": 0 });
    for (key, value) in extra.as_object().unwrap() {
        message
            .as_object_mut()
            .unwrap()
            .insert(key.clone(), value.clone());
    }
    let receiver = json!({ "id": ID, "phone": "", "client_id": "u-ada", "name": "Ada" });
    json!({ "account_id": ID, "time": 2, "message": { "receiver": receiver,
        "conversation": { "id": ID, "client_id": "c-1" }, "timestamp": 1, "message": message } })
    .to_string()
}

#[test]
fn a_receiver_refuses_what_is_invalid_tells_duplicates_and_ends_at_its_count() {
    let directory = tempfile::tempdir().unwrap();
    let mut listener = Listener::start(
        directory.path(),
        &["--secret", SECRET, "--count", "2", "--json"],
    );
    let address = listener.address.clone();
    let body = callback("text", &json!({}));
    let signature = signed(directory.path(), &body);

    let (status, why) = request(&address, "POST", &[("X-Signature", "00ff")], &body);
    assert_eq!(status, 403);
    assert!(why.contains("not the signature of the body"), "{why}");
    assert_eq!(listener.json()["status"], 403);
    assert_eq!(
        request(&address, "PUT", &[("X-Signature", &signature)], &body).0,
        405
    );
    assert_eq!(listener.json()["status"], 405);
    assert_eq!(request(&address, "POST", &[], "").0, 400);
    assert_eq!(listener.json()["refused"], "the body is missing");
    let too_long = exchange(
        &address,
        "POST",
        &[("X-Signature", &signature)],
        (1 << 20) + 1,
        "",
    );
    assert_eq!(too_long.0, 413);
    assert_eq!(listener.json()["status"], 413);

    assert_eq!(
        request(&address, "POST", &[("X-Signature", &signature)], &body),
        (200, String::new())
    );
    let first = listener.json();
    assert_eq!(
        (&first["duplicate"], &first["attempt"]),
        (&json!(false), &json!(1))
    );
    assert_eq!(
        (&first["message_id"], &first["text"]),
        (&json!(ID), &json!("On its way!"))
    );
    let again = [
        ("X-Signature", signature.as_str()),
        ("X-Delivery-Attempt", "2"),
    ];
    assert_eq!(request(&address, "POST", &again, &body).0, 200);
    let second = listener.json();
    assert_eq!(
        (&second["duplicate"], &second["attempt"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(listener.exit_code(), Some(0));
}

#[test]
fn a_receiver_prints_one_readable_line_and_answers_what_it_is_told_to() {
    let directory = tempfile::tempdir().unwrap();
    let mut listener = Listener::start(
        directory.path(),
        &["--secret", SECRET, "--once", "--status", "500"],
    );
    let body = callback("text", &json!({ "text": "a\u{1b}[2J\nb" }));
    let signature = signed(directory.path(), &body);
    assert_eq!(
        request(
            &listener.address,
            "POST",
            &[("X-Signature", &signature)],
            &body
        )
        .0,
        500
    );
    let line = listener.line();
    let wanted = format!(
        r#"v2 text "a\u{{1b}}[2J\nb" to "Ada" in conversation "c-1", message "{ID}", attempt 1"#
    );
    assert_eq!(line, wanted);
    assert_eq!(listener.exit_code(), Some(0));
}

/// A server that gives these answers, one per connection, and then what it was asked.
fn answering(answers: Vec<(u16, String)>) -> (String, JoinHandle<Vec<String>>) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    let asked = thread::spawn(move || {
        let answer = |(status, body): (u16, String)| {
            let (stream, _) = server.accept().unwrap();
            let asked = read_request(&mut BufReader::new(&stream));
            let length = body.len();
            write!(
                &stream,
                "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .unwrap();
            asked
        };
        answers.into_iter().map(answer).collect()
    });
    (url, asked)
}

fn read_request(stream: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let length = |line: &str| {
        line.to_lowercase()
            .strip_prefix("content-length: ")?
            .parse()
            .ok()
    };
    let mut body = vec![0; head.lines().find_map(length).unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    head + &text(&body)
}

#[test]
fn a_picture_is_downloaded_and_its_place_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (url, asked) = answering(vec![(200, "pixels".into())]);
    let mut listener = Listener::start(directory.path(), &["--secret", SECRET, "--once", "--json"]);
    let media =
        json!({ "media": format!("{url}/cat.png"), "thumbnail": url, "file_name": "../cat.png" });
    let body = callback("picture", &media);
    let signature = signed(directory.path(), &body);
    assert_eq!(
        request(
            &listener.address,
            "POST",
            &[("X-Signature", &signature)],
            &body
        )
        .0,
        200
    );
    let told = listener.json();
    let saved = Path::new(told["saved"].as_str().expect("saved"));
    assert_eq!(std::fs::read(saved).unwrap(), b"pixels");
    assert!(saved.ends_with("1-.._cat.png"), "{saved:?}");
    std::fs::remove_dir_all(saved.parent().unwrap()).unwrap();
    assert!(asked.join().unwrap()[0].starts_with("GET /cat.png "));
    assert_eq!(listener.exit_code(), Some(0));
}

fn target(url: &str) -> [&str; 8] {
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

/// What the chat interface answers where the account is not connected.
fn not_connected() -> (u16, String) {
    let body = json!({ "error_type": "ORIGIN_NOT_REGISTERED", "error_description": "NOT_FOUND" });
    (404, body.to_string())
}

/// The path of a request, and its body.
fn posted(request: &str) -> (&str, Value) {
    let path = request.split(' ').nth(1).unwrap();
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    (path, serde_json::from_str(body).unwrap())
}

#[test]
fn a_message_is_signed_and_sent_and_an_account_that_is_not_connected_is_connected() {
    let directory = tempfile::tempdir().unwrap();
    let accepted =
        json!({ "new_message": { "conversation_id": "our-c", "msgid": "our-m", "ref_id": "m-1" } });
    let (url, asked) = answering(vec![
        not_connected(),
        (200, "{}".into()),
        (200, accepted.to_string()),
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

    let asked = asked.join().unwrap();
    let scope = format!("/v2/origin/custom/demo_{ID}");
    let [first, connected, again] = [0, 1, 2].map(|at| posted(&asked[at]));
    assert_eq!(
        (first.0, connected.0),
        (scope.as_str(), "/v2/origin/custom/demo/connect")
    );
    assert_eq!(first, again, "the same message, once it can be taken");
    assert_eq!(
        connected.1,
        json!({ "account_id": ID, "hook_api_version": "v2" })
    );
    for request in &asked {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.expect(name).1
        };
        std::fs::write(directory.path().join("body"), body).unwrap();
        let judged = run(
            directory.path(),
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
            text(&judged.stdout).contains("(current generation)"),
            "{judged:?}"
        );
        assert_eq!(header("Content-Type"), "application/json");
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
fn a_refusal_is_told_in_the_services_words() {
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
        let told = text(&output.stderr);
        for part in [
            "send was answered 400: ORIGIN_INVALID_REQUEST: the body is wrong",
            "payload.message.text (FieldMissing): is required",
            "hint: look again",
        ] {
            assert!(told.contains(part), "{told}");
        }
        let data = serde_json::from_slice::<Value>(&output.stdout).ok();
        assert_eq!(data, json.then(|| refusal.clone()));
        assert_eq!(asked.join().unwrap().len(), 1);
    }
}

#[test]
fn a_service_that_is_not_there_is_named() {
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
        let told = text(&output.stderr);
        assert!(
            told.starts_with("error: nothing listens on 127.0.0.1:1\n  help: start the service"),
            "{told}"
        );
    }
}

#[test]
fn the_service_and_the_token_come_from_variables_and_flags_win() {
    let directory = tempfile::tempdir().unwrap();
    let (url, asked) = answering(vec![
        (200, r#"{"channels":[]}"#.into()),
        (201, r#"{"id":"m-1"}"#.into()),
        (200, "{}".into()),
    ]);
    let host = url.strip_prefix("http://").unwrap();
    let run = |args: &[&str]| {
        let mut command = switchboard(directory.path(), args);
        command
            .env("SWITCHBOARD_URL", host)
            .env("SWITCHBOARD_TOKEN", "of-the-variable")
            .env("SWITCHBOARD_CHANNEL_ID", "demo")
            .env("SWITCHBOARD_CHANNEL_SECRET", SECRET);
        let output = command.output().unwrap();
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
    let asked = asked.join().unwrap();
    for (request, part) in asked.iter().zip([
        "authorization: bearer of-the-variable",
        "authorization: bearer of-the-flag",
        &format!("/demo_{ID} "),
    ]) {
        assert!(request.to_lowercase().contains(part), "{request}");
    }
    let refused = switchboard(directory.path(), &["channel", "list"])
        .env("SWITCHBOARD_URL", "ftp://h")
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(told.contains("as in http://127.0.0.1:8080"), "{told}");
}

#[test]
fn channel_and_addresses_come_from_the_configuration() {
    let directory = tempfile::tempdir().unwrap();
    let (url, asked) = answering(vec![(200, "{}".into())]);
    let shipped = switchboard::config::SHIPPED.replace("http://127.0.0.1:8080", &url);
    std::fs::write(directory.path().join("config.toml"), shipped).unwrap();
    std::fs::write(directory.path().join("body"), "{}").unwrap();
    let sent = run(directory.path(), &["send", "Hi"]);
    assert!(sent.status.success(), "{sent:?}");
    let asked = asked.join().unwrap();
    assert!(
        asked[0].contains(&format!("f90ba33d-c9d9-44da-b76c-c349b0ecbe41_{ID}")),
        "{asked:?}"
    );
    let signed = run(directory.path(), &["sign", "body"]);
    // HMAC-SHA1 of `{}` under the shipped channel's secret, as openssl computes it.
    assert_eq!(
        text(&signed.stdout).trim(),
        "6cf82ac0eec9a8bdc2a72e2e8ce2237b4b66c45f"
    );
    let unknown = run(directory.path(), &["sign", "body", "--channel", "other"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("has no channel other"));
}

#[test]
fn a_signature_is_judged_and_its_signers_mistake_is_named() {
    let directory = tempfile::tempdir().unwrap();
    // Published with its signature by the vendor of the interface.
    let body = r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","title":"ChatsIntegration","hook_api_version":"v2"}"#;
    std::fs::write(directory.path().join("body"), body).unwrap();
    let path = "/v2/origin/custom/344a5002-f8ca-454d-af3d-396180102ac7/connect";
    let request = [
        "body",
        "--secret",
        "f2d7f8704eff95087ed45b23ba99c0b5aac8278e",
        "--path",
        path,
        "--date",
        "Wed, 15 Dec 2021 23:12:55 +0000",
    ];
    let sign = |more: &[&str]| {
        let args: Vec<&str> = ["sign"]
            .into_iter()
            .chain(request)
            .chain(more.to_vec())
            .collect();
        run(directory.path(), &args)
    };
    let published = "81211856ce0c5095f3e1a90c0a38dc9d736cfd55";
    assert_eq!(text(&sign(&[]).stdout).trim(), published);
    let md5 = ["--content-md5", "2fbcb3c652b61e24e004daddfc73d0ce"];
    let raw = "3fa5856b066091e4112361eb781a044085cebba5";
    for (signature, more, code, said) in [
        (
            raw,
            &[][..],
            0,
            "right: the signature of the raw body (2019 generation)",
        ),
        // Right when it was made.
        (published, &md5, 1, "counts for 15"),
        (published, &[], 1, "there is no Content-MD5 header"),
        (
            &format!("sha1={published}"),
            &md5,
            1,
            "something stands around it",
        ),
        (
            &"0".repeat(40),
            &md5,
            1,
            "none of the known mistakes explains it",
        ),
        // What a shell or an editor left around it is no part of it.
        (
            &format!(" {raw}\n"),
            &[][..],
            0,
            "right: the signature of the raw body (2019 generation)",
        ),
        ("abc", &[][..], 1, "a signature has 40 hexadecimal digits"),
    ] {
        let judged = sign(&[&["--verify", signature], more].concat());
        assert_eq!(judged.status.code(), Some(code), "{judged:?}");
        let told = format!("{}{}", text(&judged.stdout), text(&judged.stderr));
        assert!(told.contains(said), "{told}");
        assert!(!told.contains("f2d7f870"), "{told}");
    }
    std::fs::write(
        directory.path().join("config.toml"),
        switchboard::config::SHIPPED,
    )
    .unwrap();
    let foreign = ["sign", "--verify", raw, "body"];
    let other = run(directory.path(), &[&foreign[..], &["--json"]].concat());
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    let told: Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!(told["right"], false);
    assert!(other.stderr.is_empty(), "{other:?}");
}

#[test]
fn a_command_asked_wrongly_ends_with_2_and_says_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("bad.toml"), "[server]\nlisen = 1\n").unwrap();
    for (args, told) in [
        (&["sign"][..], "give --secret"),
        (&["listen", "--once"], "give --secret"),
        (&["send", "Hi", "--secret", "x"], "give --url"),
        (
            &[
                "send",
                "--url",
                "http://h",
                "--channel",
                "c",
                "--secret",
                "x",
                "--account",
                ID,
            ],
            "needs a TEXT",
        ),
        (
            &[
                "send",
                "--type",
                "picture",
                "--url",
                "http://h",
                "--channel",
                "c",
                "--secret",
                "x",
                "--account",
                ID,
            ],
            "needs --media",
        ),
        (&["listen", "--status", "100"], "100 is not in 200..=599"),
        (&["lisen"], "unrecognized subcommand"),
        (&["serve", "--config", "bad.toml"], "did you mean `listen`?"),
        (&["--listen", "here"], "--listen = \"here\" is not valid"),
        (&["--ephemeral", "--data-dir", "d"], "cannot be used with"),
    ] {
        let output = run(directory.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?} {output:?}");
        assert!(text(&output.stderr).contains(told), "{args:?} {output:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_configuration_is_checked_and_shown_with_the_source_of_each_value() {
    let directory = tempfile::tempdir().unwrap();
    let missing = run(directory.path(), &["config", "check"]);
    assert_eq!(missing.status.code(), Some(2));
    let shipped = switchboard::config::SHIPPED;
    std::fs::write(directory.path().join("config.toml"), shipped).unwrap();
    let right = run(directory.path(), &["config", "check"]);
    assert_eq!(right.status.code(), Some(0), "{right:?}");
    let told = "config.toml: valid, declares 1 account and 1 channel\n";
    assert_eq!(text(&right.stdout), told);

    let shown = switchboard(directory.path(), &["config", "show"])
        .env("SWITCHBOARD_SERVER__WORKERS", "3")
        .output()
        .unwrap();
    let shown = text(&shown.stdout);
    let table: toml::Table = shown.parse().expect(&shown);
    assert_eq!(table["server"]["workers"].as_integer(), Some(3));
    let line = |key: &str| {
        let mut lines = shown.lines().filter(|line| line.starts_with(key));
        lines.next().expect(key).split_once(" # ").unwrap().1
    };
    assert_eq!(line("workers"), "SWITCHBOARD_SERVER__WORKERS");
    assert_eq!(line("drain_seconds"), "default");
    let number = shipped
        .lines()
        .position(|line| line.starts_with("webhook_v2"));
    assert_eq!(
        line("webhook_v2"),
        format!("config.toml:{}", number.unwrap() + 1)
    );
    for secret in ["change-me", "demo-admin-token", "5a44c5d", "Passw0rd"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    let told = run(directory.path(), &["config", "show", "--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let settings = told["settings"].as_array().unwrap();
    let keys: std::collections::BTreeSet<String> = settings
        .iter()
        .map(|it| it["key"].as_str().unwrap().replace("[0]", ""))
        .collect();
    assert_eq!(keys, switchboard::config::load::keys(), "every key once");

    std::fs::write(directory.path().join("bad.toml"), "[server]\nlisen = 1\n").unwrap();
    let wrong = run(directory.path(), &["config", "check", "bad.toml"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean `listen`?"));
    let wrong = run(directory.path(), &["config", "check", "bad.toml", "--json"]);
    assert_eq!(wrong.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&wrong.stdout).unwrap();
    let problem = &told["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["line"]),
        (&json!("unknown-key"), &json!(2))
    );
}

#[test]
fn shells_complete_commands_and_programs_read_the_version_and_the_interface() {
    let directory = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = run(directory.path(), &["completions", shell]);
        let script = text(&script.stdout);
        assert!(script.contains("rotate-secret"), "{shell}");
    }
    let version = run(directory.path(), &["version", "--json"]);
    let version: Value = serde_json::from_slice(&version.stdout).unwrap();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["chat_generations"], json!(["2019", "current"]));
    let document = run(directory.path(), &["openapi"]);
    let document: Value = serde_json::from_slice(&document.stdout).unwrap();
    assert!(document["paths"]["/api/v4/leads"]["get"].is_object());
}
