//! The kit for Rust with a program: a world on a port, in the process of the test.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use switchboard_worlds::served_world::{Launch, Program, ServedWorld};

use super::root;
use crate::clients::run;
use crate::support::PATIENCE;
use crate::support::skip::skipped;

/// A program that accepts connections and nothing else.
const LISTENS: &str = "import os, socket, subprocess\ns = socket.create_server(('127.0.0.1', int(os.environ['PORT'])))\n";

fn python() -> bool {
    let python = run(Command::new("python3").arg("--version"));
    if let Err(why) = &python {
        skipped(why, "install Python 3");
    }
    python.is_ok()
}

/// A program in Python of these lines, which listens first.
fn listening<'w>(world: &'w ServedWorld, lines: &str) -> Program<'w> {
    world.program(["python3", "-c", &format!("{LISTENS}{lines}")])
}

/// The text with which this fails.
fn failure(test: impl FnOnce()) -> String {
    let failed = catch_unwind(AssertUnwindSafe(test)).unwrap_err();
    *failed.downcast::<String>().unwrap()
}

/// The bot of the examples answers the reply of a user, also when its answer is lost, and when the world has ids of its own.
#[test]
fn a_program_speaks_with_a_world_of_a_rust_test() {
    if !python() {
        return;
    }
    let world = ServedWorld::with(&json!({ "channel_id": "built-in", "seed": 7 }));
    let launch = Launch::new(["python3", "examples/python/echo_bot.py"]).directory(root());
    let bot = world.program(launch.variable("PYTHONDONTWRITEBYTECODE", "1"));
    world.says("bo", "Have you any tulips?");
    world.order(
        "POST",
        "/faults",
        &json!({ "on": "answers", "do": "lost_after_commit" }),
    );
    world.replies("ada", "Red ones.");
    world.wait("until=callback.delivered");
    assert_eq!(
        world.texts("bo"),
        ["Have you any tulips?", "Red ones.", "echo: Red ones."]
    );
    assert_eq!(world.facts()["channel"]["id"], "built-in");
    assert!(
        world.journal().contains("POST /v2/origin/custom/"),
        "{}",
        world.journal()
    );
    assert!(bot.output().starts_with(&bot.port().to_string()));
    bot.stop();
    world.replies("ada", "Are you there?");
    world.advance(Duration::from_secs(1));
    let unmet = failure(|| drop(world.wait("until=callback.delivered&count=2&timeout=60")));
    assert!(unmet.contains("no answer (Refused)"), "{unmet}");
    let error = failure(|| drop(world.order("POST", "/faults", &json!({ "on": "moon" }))));
    assert!(error.contains("on: expected one of answers"), "{error}");
}

/// A bot of a Rust test answers each message once: it heeds the id of the request, and ignores what bots have written.
const BOT: &str = r#"
import json, os, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
seen = set()

class Bot(BaseHTTPRequestHandler):
    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers['Content-Length'])).decode()))
        id = self.headers['X-Amocrm-Requestid']
        if 'message[add][0][talk_id]' in form and id not in seen:
            seen.add(id)
            talk = form['message[add][0][talk_id]']
            url = f"{os.environ['SWITCHBOARD_URL']}/api/v4/talks/{talk}/send_message"
            headers = {'Authorization': 'Bearer ' + os.environ['SWITCHBOARD_USER_TOKEN'], 'Content-Type': 'application/json'}
            body = json.dumps({'text': 'One moment.'}).encode()
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            opener.open(urllib.request.Request(url, body, headers)).read()
        self.send_response(200)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def log_message(self, *args):
        pass

ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Bot).serve_forever()
"#;

/// Each customer has one answer, though the answer to the hook is lost and it comes again.
#[test]
fn an_account_bot_answers_once_and_ends() {
    if !python() {
        return;
    }
    let world = ServedWorld::start();
    let bot = world.program(["python3", "-c", BOT]);
    let events = ["add_message", "add_outgoing_message"];
    world.subscribes(Some(bot.url()), &events);
    world.order(
        "POST",
        "/faults",
        &json!({ "on": "hooks", "do": "answer_lost", "match": "add_message" }),
    );
    world.says("bo", "Have you any tulips?");
    world.wait("until=hook.delivered&count=2");
    world.wait("until=quiet");
    assert_eq!(world.texts("bo"), ["Have you any tulips?", "One moment."]);
    let attempts = world.wait("until=hook.attempt&match=add_message&count=2");
    assert_eq!(attempts["entries"][1]["attempt"], 2);
    let outgoing = world.wait("until=hook.attempt&match=add_outgoing_message");
    assert_eq!(outgoing["entries"].as_array().unwrap().len(), 1);
    assert_eq!(outgoing["entries"][0]["item"]["author"]["type"], "bot");
}

/// A program ends with all processes that it started, also when it does not heed SIGTERM.
#[test]
fn a_program_ends_with_all_that_it_started() {
    if !python() {
        return;
    }
    let world = ServedWorld::start();
    let child =
        "child = subprocess.Popen(['sleep', '600'])\nprint(child.pid, flush=True)\nchild.wait()";
    let program = listening(&world, child);
    let start = Instant::now();
    while !program.output().ends_with('\n') {
        assert!(start.elapsed() < PATIENCE, "it has not begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = program.output().trim().to_owned();
    let of_child = Path::new("/proc").join(&pid).join("cmdline");
    let is_there = || std::fs::read(&of_child).is_ok_and(|line| line.starts_with(b"sleep"));
    assert!(is_there());
    drop(program);
    // The system may end it a little later than it takes the signal.
    let start_time = Instant::now();
    while is_there() {
        assert!(
            start_time.elapsed() < PATIENCE,
            "{pid} has outlived its program"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A failed start names the program and shows what it wrote; so does a failed test, which has the journal too.
#[test]
fn a_failed_test_shows_the_output_of_its_program() {
    let world = ServedWorld::start();
    let ends = failure(|| drop(world.program(["sh", "-c", "echo no configuration >&2; exit 3"])));
    assert!(
        ends.contains("ended before it accepted connections on port"),
        "{ends}"
    );
    assert!(ends.contains("no configuration"), "{ends}");
    let launch = Launch::new(["sleep", "600"]).within(Duration::from_millis(200));
    let late = failure(|| drop(world.program(launch)));
    assert!(
        late.contains("«sleep 600» accepted no connection within 0.2 s"),
        "{late}"
    );
    let wrong = failure(|| drop(ServedWorld::with(&json!({ "seed": -1 }))));
    assert!(wrong.contains("seed: expected a whole number"), "{wrong}");
}
