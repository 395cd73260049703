//! The catalogue of what people and programs do to a service: every row of `tests/data/catalogue.txt`, which describes its
//! own format. That the tests it names exist is checked by `tests/project/main.rs`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::client::{Client, message, parsed, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, SECRET, Server};
use crate::users::team::{self, CLEO};

const CATALOGUE: &str = include_str!("../data/catalogue.txt");
const BAD_CHAT_BODIES: &str = include_str!("../data/bad_chat_requests.txt");
const BAD_ACCOUNT_BODIES: &str = include_str!("../data/bad_account_requests.json");

struct Row {
    name: String,
    lines: Vec<String>,
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let lines = CATALOGUE.lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.is_empty()) {
        match line.strip_prefix('[').filter(|_| line.contains("] ")) {
            Some(title) => rows.push(Row {
                name: title.split(']').next().unwrap().to_owned(),
                lines: Vec::new(),
            }),
            None => rows.last_mut().unwrap().lines.push(line.to_owned()),
        }
    }
    rows
}

/// A request of a row, and what has to come of it.
struct Ask {
    what: String,
    target: String,
    changes: Vec<String>,
    statuses: Vec<String>,
    words: String,
}

impl Ask {
    fn parse(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        if !matches!(kind, "chat" | "account" | "raw") {
            return None;
        }
        let (request, expected) = rest.rsplit_once(" => ").expect(line);
        let (statuses, words) = expected.split_once(' ').unwrap_or((expected, ""));
        let mut parts = request.split(" | ").map(str::to_owned);
        let target = if kind == "raw" {
            request.to_owned()
        } else {
            parts.next().unwrap()
        };
        Some(Self {
            what: kind.to_owned(),
            target,
            changes: parts.collect(),
            statuses: statuses.split(',').map(str::to_owned).collect(),
            words: words.to_owned(),
        })
    }

    /// Returns whether the request may succeed.
    fn may_work(&self) -> bool {
        self.statuses.iter().any(|status| status.starts_with('2'))
    }

    /// Asks, and gives status and body; the status of a connection that is closed without an answer is `cut`.
    async fn send(&self, client: &Client) -> (String, String) {
        let names = Names::for_client(client);
        if self.what == "raw" {
            let text = client.raw(&bytes(&names.filled(&self.target))).await;
            let status = text.split(' ').nth(1).unwrap_or("cut").to_owned();
            return (status, text);
        }
        let target = names.filled(&self.target);
        let (method, target) = target.split_once(' ').unwrap();
        let body = self
            .changes
            .iter()
            .find_map(|change| change.strip_prefix("body"))
            .map(|body| names.filled(body.strip_prefix(' ').unwrap_or(body)));
        let mut request = if self.what == "chat" {
            let body = body.unwrap_or_else(|| names.message.clone());
            client.signed(method, target, body)
        } else {
            let request = client.request(method, target).bearer(CLEO);
            match body {
                Some(body) => request
                    .header("Content-Type", "application/json")
                    .body(body),
                None => request,
            }
        };
        for change in &self.changes {
            let change = names.filled(change);
            if let Some(name) = change.strip_prefix('-') {
                request = request.without(name);
            } else if let Some(token) = change.strip_prefix("by ") {
                request = request.bearer(token);
            } else if let Some(header) = change.strip_prefix('+') {
                let (name, value) = header.split_once(':').unwrap();
                request = request.another(name, value.trim());
            } else if !change.starts_with("body") {
                let (name, value) = change.split_once(':').expect(&change);
                request = request.header(name, value.trim());
            }
        }
        let text = client.raw(&request.bytes()).await;
        if text.is_empty() {
            return ("cut".to_owned(), text);
        }
        let (method, target) = (method.to_owned(), target.to_owned());
        let target = if self.what == "chat" {
            format!("{}{target}", crate::support::answer::CHAT)
        } else {
            target
        };
        let path = target.split('?').next().unwrap();
        let answer = parsed(&method, path, &text);
        (answer.status.to_string(), answer.body)
    }
}

/// The values of the words that begin with a dollar.
struct Names {
    message: String,
    values: Vec<(&'static str, String)>,
}

impl Names {
    fn for_client(client: &Client) -> Self {
        let message = message("catalogue", "catalogue").to_string();
        let values = vec![
            ("$other_scope", scope(CHANNEL, OTHER_ACCOUNT)),
            ("$scope", scope(CHANNEL, ACCOUNT)),
            ("$channel", CHANNEL.to_owned()),
            ("$account", ACCOUNT.to_owned()),
            ("$host", client.host().to_owned()),
            ("$signature", signature(SECRET, message.as_bytes())),
            ("$length", message.len().to_string()),
            ("$message", message.clone()),
        ];
        Self { message, values }
    }

    fn filled(&self, text: &str) -> String {
        let mut text = repeated(text);
        for (name, value) in &self.values {
            text = text.replace(name, value);
        }
        text
    }
}

/// `${T*N}` stands for the text T repeated N times.
fn repeated(text: &str) -> String {
    let Some((before, rest)) = text.split_once("${") else {
        return text.to_owned();
    };
    let (what, rest) = rest.split_once('*').unwrap();
    let (times, after) = rest.split_once('}').unwrap();
    let middle = what.repeat(times.parse().unwrap());
    format!("{before}{middle}{}", repeated(after))
}

/// The bytes that a text with escapes stands for.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            bytes.extend(letter.to_string().as_bytes());
            continue;
        }
        bytes.push(match letters.next().unwrap() {
            'r' => b'\r',
            'n' => b'\n',
            't' => b'\t',
            '0' => 0,
            'x' => {
                let digits: String = letters.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).unwrap()
            }
            other => panic!("\\{other}"),
        });
    }
    bytes
}

/// Everything that a refused request must not change.
async fn state(client: &Client) -> String {
    let mut state = String::new();
    for target in [
        "/inbox/v1/conversations?limit=250",
        "/api/v4/leads?limit=250",
        "/api/v4/contacts?limit=250",
    ] {
        state.push_str(&client.get(target).await.when_read().body);
    }
    for target in ["/api/v4/users?limit=250", "/api/v4/roles?limit=250"] {
        state.push_str(&client.get_as(CLEO, target).await.is(200).body);
    }
    let audit = client.operate("GET", "/admin/v1/audit?limit=1");
    state.push_str(&audit.send().await.is(200).body);
    state
}

/// Every row of the catalogue is answered as it says, and refusals have no effect.
#[tokio::test]
async fn every_catalogue_row_answers_as_written_and_refusals_are_pure() {
    let server: Server = team::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut faults = Vec::new();
    let mut requests = 0;
    let mut before = state(client).await;
    for row in rows() {
        let asks: Vec<_> = row
            .lines
            .iter()
            .filter_map(|line| Ask::parse(line))
            .collect();
        for ask in &asks {
            let (status, said) = ask.send(client).await;
            requests += 1;
            let has_words = said.contains(&ask.words);
            if !ask.statuses.contains(&status) || !has_words {
                let excerpt: String = said.chars().take(300).collect();
                let target: String = ask.target.chars().take(200).collect();
                faults.push(format!("[{}] {target}\n    {status}: {excerpt}", row.name));
            }
        }
        if asks.is_empty() {
            continue;
        }
        let after = state(client).await;
        if after != before && !asks.iter().any(Ask::may_work) {
            faults.push(format!("[{}] had an effect:\n    {after}", row.name));
        }
        before = after;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(requests > 120, "{requests} requests");
}

/// The catalogue has every row, and each is covered by something that exists.
#[test]
fn the_catalogue_is_complete_and_each_row_has_a_test() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let counts = [
        ('T', 28),
        ('S', 17),
        ('J', 23),
        ('C', 30),
        ('D', 9),
        ('K', 10),
        ('U', 27),
        ('R', 11),
        ('W', 24),
        ('X', 16),
    ];
    for (family, count) in counts {
        for number in 1..=count {
            let name = format!("{family}{number}");
            assert!(names.contains(name.as_str()), "{name} is missing");
        }
    }
    assert_eq!((names.len(), rows.len()), (195, 195));
    let chat: BTreeSet<&str> = BAD_CHAT_BODIES.lines().collect();
    let account_file: Value = serde_json::from_str(BAD_ACCOUNT_BODIES).unwrap();
    let account = account_file["cases"].as_array().unwrap();
    let mut later = 0;
    for row in &rows {
        assert!(!row.lines.is_empty(), "{} says nothing", row.name);
        for line in &row.lines {
            let Some((operation, case)) = line
                .strip_prefix("table ")
                .map(|case| case.split_once(": ").expect(line))
            else {
                let (kind, _) = line.split_once(' ').expect(line);
                let kinds = ["test", "later", "chat", "account", "raw"];
                assert!(kinds.contains(&kind), "[{}] {line}", row.name);
                later += usize::from(kind == "later");
                continue;
            };
            let fits = |name: &str| match case.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == case,
            };
            let is_known = chat.contains(format!("[{operation}] {case}").as_str())
                || account
                    .iter()
                    .any(|it| it["operation"] == operation && fits(it["name"].as_str().unwrap()));
            assert!(
                is_known,
                "[{}] there is no case {operation}: {case}",
                row.name
            );
        }
    }
    assert!(later <= 9, "{later} rows wait for something");
}
