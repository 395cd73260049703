//! Programs that are no bridges: none of them harms the exam, and each gets a clear verdict.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::{exam, rules_with};
use crate::clients::run;
use crate::support::skip::skipped;

/// Listens on `PORT`, and treats each connection `c` as the code behind it says.
const LISTEN: &str = "import os,socket,sys,time\n\
                      s=socket.socket()\n\
                      s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)\n\
                      s.bind(('127.0.0.1',int(os.environ['PORT'])))\n\
                      s.listen(50)\n\
                      while True:\n\tc,_=s.accept()\n\ttry:\n\t\tpass\n";

fn examine(name: &str, connection: &str) -> (Value, Duration) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("program.py");
    let code = format!("{LISTEN}\t\t{connection}\n\texcept OSError:\n\t\tpass\n");
    std::fs::write(&file, code).unwrap();
    let start = Instant::now();
    let command = format!("python3 {}", file.display());
    let (document, output) = exam(&command, &["--only", "2,18", "--memory", "512"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{name}: {text}"
    );
    (document, start.elapsed())
}

#[test]
fn a_program_that_is_no_bridge_is_not_tried() {
    if let Err(why) = run(std::process::Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    for (name, connection) in [
        ("closes each connection", "c.close()"),
        (
            "answers without end",
            "c.recv(9999); c.send(b'HTTP/1.1 200 OK\\r\\n\\r\\n')\n\t\twhile c.send(b'x'*65536): pass",
        ),
        (
            "speaks no HTTP",
            "c.recv(9999); c.send(b'hello\\n'); c.close()",
        ),
    ] {
        let (document, _) = examine(name, connection);
        assert_eq!(
            rules_with(&document, "not_tried"),
            [2, 18],
            "{name}: {document:#}"
        );
        let why = document["rules"][0]["why"].as_str().unwrap();
        assert!(
            why.contains("no sign of a delivered message"),
            "{name}: {why}"
        );
    }
}

/// A program that takes too much of the machine is ended, and breaks the rule.
#[test]
fn a_program_that_takes_too_much_is_ended() {
    if let Err(why) = run(std::process::Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    for (name, connection, sentence) in [
        (
            "fills the memory",
            "a=[]\n\t\twhile True: a.append(b'x'*(1<<26))",
            "MiB of memory; at most 512 MiB are allowed",
        ),
        (
            "starts processes",
            "[os.fork() or time.sleep(60) for _ in range(400)]",
            "processes; at most 256 are allowed",
        ),
    ] {
        let (document, _) = examine(name, connection);
        assert_eq!(
            rules_with(&document, "breaks"),
            [2, 18],
            "{name}: {document:#}"
        );
        let why = document["rules"][0]["why"].as_str().unwrap();
        assert!(why.contains(sentence), "{name}: {why}");
    }
}

/// A program that does not even start gets the reason.
#[test]
fn a_program_that_does_not_start_gets_the_reason() {
    for command in ["/does/not/exist", "sh -c exit"] {
        let (document, _) = exam(command, &["--only", "9"]);
        let why = document["rules"][0]["why"].as_str().unwrap_or_default();
        let sentence = format!("the program «{command}» ended before it accepted connections");
        assert!(why.starts_with(&sentence), "{command}: {document:#}");
    }
}

/// The counterpart's own sample answers 200 to whatever it refuses: only what follows shows that it has refused.
#[test]
fn a_callback_that_is_refused_in_silence_is_not_accepted() {
    if let Err(why) = run(std::process::Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let (document, _) = exam("python3 exam/planted/silent.py", &["--only", "1,2,5"]);
    assert_eq!(rules_with(&document, "breaks"), [1], "{document:#}");
    assert_eq!(rules_with(&document, "holds"), [2, 5], "{document:#}");
    let rules = &document["rules"];
    let why = rules[0]["why"].as_str().unwrap();
    assert!(why.ends_with("and did nothing."), "{why}");
    assert_eq!(rules[2]["remark"], "It refuses signatures in upper case.");
}
