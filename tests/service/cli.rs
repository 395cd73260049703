//! The client commands as real processes: what they print, and how they end.

mod about;
mod asked;
mod first_hour;
mod remedies;
mod send;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

use crate::support::PATIENCE;
use crate::support::limit::{Limit, Limited as _};

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
    switchboard(directory, args).limited_output().unwrap()
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
    let _limit = Limit::on(&child);
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
    _limit: Limit,
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
        let limit = Limit::of_a_test(&child);
        let mut text = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut text).unwrap();
        let address = text
            .split("http://")
            .nth(1)
            .expect(&text)
            .split(' ')
            .next()
            .unwrap()
            .to_owned();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            _limit: limit,
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
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
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

/// A receiver refuses what is invalid, marks duplicates, and ends at its count.
#[test]
fn a_receiver_refuses_invalid_callbacks_and_marks_duplicates() {
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
fn a_receiver_prints_one_line_each_and_answers_as_configured() {
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
    let text = format!(
        r#"v2 text "a\u{{1b}}[2J\nb" to "Ada" in conversation "c-1", message "{ID}", attempt 1"#
    );
    assert_eq!(line, text);
    assert_eq!(listener.exit_code(), Some(0));
}

/// A server that gives these answers, one per connection, and then what it was asked.
fn answering(answers: Vec<(u16, String)>) -> (String, Requests) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    let (sender, requests) = channel();
    thread::spawn(move || {
        let answer = |(status, body): (u16, String)| {
            let (stream, _) = server.accept().unwrap();
            let request = read_request(&mut BufReader::new(&stream));
            let length = body.len();
            write!(
                &stream,
                "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .unwrap();
            request
        };
        let requests: Vec<_> = answers.into_iter().map(answer).collect();
        // A test that looks at none of them drops the other end.
        sender.send(requests).unwrap_or_default();
    });
    (url, Requests(requests))
}

/// The requests that came, once all of them have.
struct Requests(Receiver<Vec<String>>);

impl Requests {
    /// Waits for them; fails when fewer requests came than there are answers.
    fn all(self) -> Vec<String> {
        let requests = self.0.recv_timeout(PATIENCE);
        requests.expect("as many requests as answers")
    }
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
fn a_picture_is_downloaded_and_its_path_is_printed() {
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
    let line = listener.json();
    let saved = Path::new(line["saved"].as_str().expect("saved"));
    assert_eq!(std::fs::read(saved).unwrap(), b"pixels");
    assert!(saved.ends_with("1-.._cat.png"), "{saved:?}");
    std::fs::remove_dir_all(saved.parent().unwrap()).unwrap();
    assert!(asked.all()[0].starts_with("GET /cat.png "));
    assert_eq!(listener.exit_code(), Some(0));
}
