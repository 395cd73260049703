//! `switchboard mcp`, as agents use it: over its standard input and output.

mod agent;
mod library;
mod versions;
mod wire;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use self::wire::{Client, Generation};
use crate::exam::RULES_FOR_BRIDGES;
use crate::support::client::signature;

/// The names of all tools.
const TOOLS: [&str; 8] = [
    "make_world",
    "say",
    "reply",
    "wait",
    "order_fault",
    "read_journal",
    "explain_refusal",
    "run_exam",
];

/// The generations of the protocol, each by its newest version.
const GENERATIONS: [Generation; 2] = [
    Generation::Handshake("2025-11-25"),
    Generation::Inline("2026-07-28"),
];

/// A request to a world with a signature that does not fit: that of the body with another blank.
fn misuse(world: &Value) {
    let text = |pointer: &str| world.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    let address = text("/base_url").replace("http://", "");
    let body = json!({ "event_type": "new_message", "payload": {} });
    let signature = signature(&text("/channel/secret"), body.to_string().as_bytes());
    let other_body = format!("{body:#}");
    let request = format!(
        "POST /v2/origin/custom/{} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         X-Signature: {signature}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{other_body}",
        text("/scope_id"),
        other_body.len()
    );
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
}

/// The whole way of an agent that tries a bridge: people speak, faults strike, and the journal has it all.
#[test]
fn an_agent_plays_with_a_world_by_the_tools_alone() {
    for generation in GENERATIONS {
        let mut client = Client::start(generation, &[]);
        let creation = client.document("make_world", &json!({ "name": "shop", "seed": 7 }));
        let world = &creation["world"];
        let id = &world["id"];
        assert_eq!(
            creation["environment"]["SWITCHBOARD_URL"],
            world["base_url"]
        );
        assert_eq!(world["seed"], 7);
        let message = json!({ "world": id, "customer": "bo", "text": "Have you any tulips?" });
        let receipt = client.document("say", &message);
        assert!(receipt["conversation_id"].is_string(), "{receipt}");
        let fault = json!({ "world": id, "on": "callbacks", "do": "status", "status": 503 });
        client.document("order_fault", &fault);
        client.document("reply", &json!({ "world": id, "text": "Red ones." }));
        let state = json!({ "world": id, "until": "callback.delivered" });
        let outcome = client.document("wait", &state);
        assert_eq!(outcome["met"], true, "{outcome:#}");
        let state =
            json!({ "world": id, "until": "callback.attempt", "count": 2, "match": "Red ones" });
        let outcome = client.document("wait", &state);
        assert_eq!(
            outcome["entries"].as_array().map(Vec::len),
            Some(2),
            "{outcome:#}"
        );
        misuse(world);
        let refusal = client.document("explain_refusal", &json!({ "world": id }));
        assert_eq!(refusal["status"], 403, "{refusal:#}");
        let hint = refusal["answer"]["hint"].as_str().unwrap();
        assert!(
            !hint.is_empty() && refusal["sent"].is_string(),
            "{refusal:#}"
        );
        let faults = refusal["faults_ordered_before"].to_string();
        assert!(faults.contains("503"), "{refusal:#}");
        let journal = client.text("read_journal", &json!({ "world": id }));
        for words in [
            "writes \"Have you any tulips?\"",
            "replies \"Red ones.\"",
            "→ 403",
        ] {
            assert!(journal.contains(words), "{words}: {journal}");
        }
        let form = json!({ "world": id, "form": "pytest" });
        let test = client.text("read_journal", &form);
        assert!(test.contains("def test_"), "{test}");
        client.end();
    }
}

#[test]
fn what_is_wrong_is_named_at_once_and_nothing_is_done() {
    let mut client = Client::start(GENERATIONS[1], &[]);
    let why = client.refusal("say", &json!({ "customer": 7, "colour": "red" }));
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!(lines.len(), 4, "{why}");
    for name in ["colour: ", "world: ", "customer: ", "text: "] {
        assert!(lines.iter().any(|line| line.starts_with(name)), "{why}");
    }
    // The world refuses the rest in words of its own.
    let why = client.refusal("make_world", &json!({ "subdomain": "www", "ttl": 0 }));
    assert!(
        why.contains("subdomain: ") && why.contains("ttl: "),
        "{why}"
    );
    let why = client.refusal(
        "say",
        &json!({ "world": "w9", "customer": "bo", "text": "Hi" }),
    );
    assert!(why.contains("w9"), "{why}");
    let why = client.refusal(
        "say",
        &json!({ "world": "../w1", "customer": "bo", "text": "Hi" }),
    );
    assert!(why.contains("w1"), "{why}");
    let creation = client.document("make_world", &json!({}));
    let world = json!({ "world": creation["world"]["id"] });
    let why = client.refusal("explain_refusal", &world);
    assert!(why.contains("has refused no request"), "{why}");
    let end = json!({ "world": creation["world"]["id"], "end": true, "on": "engine" });
    let why = client.refusal("order_fault", &end);
    assert!(why.starts_with("end: "), "{why}");
    client.end();
}

/// The texts that an agent reads may steer it, so its worlds reach no other machine.
#[test]
fn a_world_sends_nothing_to_other_machines() {
    let mut client = Client::start(GENERATIONS[0], &[]);
    for webhook in ["https://example.com/hooks", "http://169.254.169.254/", "bo"] {
        let why = client.refusal("make_world", &json!({ "webhook": webhook }));
        assert!(why.starts_with("webhook: "), "{why}");
    }
    let creation = client.document("make_world", &json!({ "webhook": "http://127.0.0.1:9/" }));
    assert_eq!(creation["world"]["webhook"], "http://127.0.0.1:9/");
    client.end();
}

#[test]
fn a_fault_that_lasts_ends_on_order() {
    let mut client = Client::start(GENERATIONS[1], &[]);
    let creation = client.document("make_world", &json!({}));
    let id = &creation["world"]["id"];
    let fault = json!({ "world": id, "on": "engine", "do": "disk_full" });
    client.document("order_fault", &fault);
    let message = json!({ "world": id, "customer": "bo", "text": "Hi" });
    client.refusal("say", &message);
    client.document("order_fault", &json!({ "world": id, "end": true }));
    client.document("say", &message);
    client.end();
}

#[test]
fn a_long_journal_is_read_in_pages() {
    let mut client = Client::start(GENERATIONS[0], &[]);
    let creation = client.document("make_world", &json!({}));
    let id = &creation["world"]["id"];
    for number in 0..120 {
        let text = format!("{number}{}", "я".repeat(500));
        client.document(
            "say",
            &json!({ "world": id, "customer": "bo", "text": text }),
        );
    }
    let (mut lines, mut skip, mut pages) = (Vec::new(), 0, 0);
    loop {
        let arguments = json!({ "world": id, "form": "json", "skip": skip });
        let page = client.text("read_journal", &arguments);
        assert!(page.len() <= 64 << 10, "{} bytes", page.len());
        pages += 1;
        let entries = page.lines().filter(|line| line.starts_with('{'));
        lines.extend(entries.map(|line| serde_json::from_str::<Value>(line).unwrap()));
        let Some(next) = page.lines().find(|line| line.starts_with('…')) else {
            break;
        };
        skip = next.rsplit(' ').next().unwrap().parse().unwrap();
    }
    assert!(pages > 2, "{pages} pages");
    let cursors: Vec<u64> = lines
        .iter()
        .map(|line| line["cursor"].as_u64().unwrap())
        .collect();
    let all: Vec<u64> = (1..=cursors.last().copied().unwrap()).collect();
    assert_eq!(cursors, all);
    client.end();
}

#[test]
fn the_exam_runs_no_program_that_its_owner_has_not_named() {
    let mut client = Client::start(GENERATIONS[0], &[]);
    let why = client.refusal("run_exam", &json!({ "only": [9] }));
    assert!(why.contains("switchboard mcp --command"), "{why}");
    let why = client.refusal("run_exam", &json!({ "command": "touch /tmp/x" }));
    assert!(
        why.starts_with("command: there is no such parameter"),
        "{why}"
    );
    client.end();
    let mut client = Client::start(GENERATIONS[0], &["--allow-any-command"]);
    let report = client.document("run_exam", &json!({ "command": "false", "only": [9] }));
    assert_eq!(report["rules"][0]["verdict"], "not tried", "{report:#}");
    let why = client.refusal("run_exam", &json!({ "command": " ", "only": [9] }));
    assert!(why.contains("names no program"), "{why}");
    client.end();
}

#[test]
fn the_exam_reports_each_verdict_and_fits_into_an_answer() {
    for generation in GENERATIONS {
        let mut client = Client::start(generation, &["--command", "false"]);
        let why = client.refusal(
            "run_exam",
            &json!({ "only": [9, 45, 200], "waive": { "x": "no" } }),
        );
        for words in [
            "there is no rule 200",
            "rule 45 is for bots",
            "waive: there is no rule x",
        ] {
            assert!(why.contains(words), "{why}");
        }
        let report = client.document(
            "run_exam",
            &json!({ "waive": { "5": "it has no wrong answer" } }),
        );
        let rules = report["rules"].as_array().unwrap();
        assert_eq!(rules.len(), RULES_FOR_BRIDGES, "{report:#}");
        assert_eq!(report["passes"], true, "{report:#}");
        let numbers: Vec<f64> = client
            .progress()
            .map(|it| it["progress"].as_f64().unwrap())
            .collect();
        let rules = u32::try_from(RULES_FOR_BRIDGES).unwrap();
        assert_eq!(numbers, (1..=rules).map(f64::from).collect::<Vec<_>>());
        let strict = client.document("run_exam", &json!({ "only": [9], "strict": true }));
        assert_eq!(strict["passes"], false, "{strict:#}");
        client.end();
    }
}
