//! The requests that people send by mistake in their first hour, and what each of them is answered.
//!
//! `cargo test --test service mistaken_requests -- --nocapture` prints the table.

mod requests;
mod signatures;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::support::client::{Client, Request, content_md5, date, message, scope, signature};
use crate::support::server::{
    ACCOUNT, CHANNEL, OPERATOR_TOKEN, OTHER_ACCOUNT, OTHER_CHANNEL, OTHER_SECRET, SECRET, Server,
    TOKEN,
};

const JSON: &str = "application/json";
const UNKNOWN: &str = "c0ffee00-0000-4000-8000-000000000000";
const NO_ACCOUNT: &str = "deadbeef-0000-4000-8000-000000000000";

/// A mistake, the request that makes it, and the expected answer: a status and words.
struct Case<'a>(&'static str, Request<'a>, u16, &'static str);

/// The material of the cases.
struct Kit<'a> {
    client: &'a Client,
    scope: String,
    path: String,
    body: String,
}

impl<'a> Kit<'a> {
    fn new(client: &'a Client) -> Self {
        let scope = scope(CHANNEL, ACCOUNT);
        Self {
            client,
            path: format!("/v2/origin/custom/{scope}"),
            scope,
            body: message("mistake", "mistaken").to_string(),
        }
    }

    /// A right message of the 2019 generation.
    fn right(&self) -> Request<'a> {
        self.client.signed("POST", &self.scope, self.body.clone())
    }

    /// A right message but for its signature, which is of these bytes under this key.
    fn keyed(&self, key: &str, text: &str) -> Request<'a> {
        let wrong = signature(key, text.as_bytes());
        self.right().header("X-Signature", &wrong)
    }

    /// A message of the current generation, with the five parts signed as this makes them.
    fn canonical(&self, sign: impl Fn([String; 5]) -> String) -> Request<'a> {
        let request = self
            .client
            .canonical("POST", &self.scope, self.body.clone());
        let text = sign([
            "POST".to_owned(),
            content_md5(self.body.as_bytes()),
            JSON.to_owned(),
            request.value("Date"),
            self.path.clone(),
        ]);
        request.header("X-Signature", &signature(SECRET, text.as_bytes()))
    }

    /// The same with another value at one place.
    fn with(&self, place: usize, other: &str) -> Request<'a> {
        self.canonical(|mut parts| {
            parts[place] = other.to_owned();
            parts.join("\n")
        })
    }

    /// A rightly signed message, changed.
    fn changed(&self, change: impl Fn(&mut Value)) -> Request<'a> {
        let mut event: Value = serde_json::from_str(&self.body).unwrap();
        change(&mut event);
        self.client.signed("POST", &self.scope, event.to_string())
    }

    fn dated(&self, text: &str) -> Request<'a> {
        let request = self
            .client
            .canonical("POST", &self.scope, self.body.clone());
        request.header("Date", text).canonically_signed(SECRET)
    }

    fn to(&self, method: &str, tail: &str) -> Request<'a> {
        self.client.signed(method, tail, self.body.clone())
    }

    fn asks_for(&self, target: &str, token: &str) -> Request<'a> {
        self.client.request("GET", target).bearer(token)
    }
}

/// These hexadecimal digits in base64.
fn base64(digits: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes = hex::decode(digits).unwrap();
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(*group.get(at).unwrap_or(&0))
        });
        for at in 0..4 {
            let letter = LETTERS[bits >> (18 - 6 * at) & 63];
            text.push(if at > group.len() {
                '='
            } else {
                char::from(letter)
            });
        }
    }
    text
}

/// The HMAC-SHA256 of a body, in place of the one with SHA-1.
fn sha256(body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(body.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

fn seconds() -> i64 {
    jiff::Timestamp::now().as_second()
}

#[tokio::test]
async fn mistaken_requests_are_answered_with_a_remedy() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let kit = Kit::new(client);
    let groups = [
        signatures::raw_signatures(&kit),
        signatures::canonical_signatures(&kit),
        requests::addresses(&kit),
        requests::bodies(&kit),
    ];
    let (mut faults, mut asked) = (Vec::new(), 0);
    println!("| Mistake | Status | Told |\n|---|---|---|");
    for Case(mistake, request, status, words) in groups.into_iter().flatten() {
        let answer = request.send_exactly().await;
        let hint = told(&answer.json);
        println!(
            "| {mistake} | {} | {} |",
            answer.status,
            hint.replace('|', "\\|")
        );
        asked += 1;
        let secret = [SECRET, OTHER_SECRET]
            .iter()
            .any(|secret| answer.body.contains(secret));
        if answer.status != status || !hint.contains(words) || secret {
            faults.push(format!(
                "{mistake}: expected {status} «{words}», got {} {}",
                answer.status, answer.body
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(asked >= 55, "{asked} requests");
}

/// Returns the hint of an answer, or else its list of mistakes.
fn told(answer: &Value) -> String {
    let text = |key: &str| answer[key].as_str().map(str::to_owned);
    let errors = answer["errors"].as_array().into_iter().flatten();
    let wrong_lines: Vec<String> = errors
        .map(|wrong| {
            format!(
                "{}: {}",
                wrong["path"].as_str().unwrap(),
                wrong["detail"].as_str().unwrap()
            )
        })
        .collect();
    let wrong = (!wrong_lines.is_empty()).then(|| wrong_lines.join("; "));
    let hint = text("hint").or(wrong).or_else(|| text("error_description"));
    hint.or_else(|| text("detail")).unwrap_or_default()
}

#[tokio::test]
async fn hints_without_a_valid_signature_reveal_no_scope() {
    let server = Server::start().await;
    let client = server.client();
    let connected = client.connect("v2").await;
    let apart = scope(CHANNEL, OTHER_ACCOUNT);
    for tail in ["", "/", "/message", "/typing", "/a/b/c/d/e"] {
        let mut answers = Vec::new();
        for scope in [&connected, &apart, &scope(CHANNEL, NO_ACCOUNT)] {
            let request = client
                .signed("POST", &format!("{scope}{tail}"), "{}")
                .header("X-Signature", &"0".repeat(40));
            let answer = request.send_exactly().await;
            answers.push((answer.status, answer.body));
        }
        assert!(
            answers.windows(2).all(|two| two[0] == two[1]),
            "{tail}: {answers:?}"
        );
    }
    // A path that nothing is at is the same for a channel that is there and one that is not.
    for tail in ["/", "/message", "_x"] {
        let mut hints = Vec::new();
        for channel in [CHANNEL, UNKNOWN] {
            let target = format!("{channel}{tail}");
            let answer = client.signed("POST", &target, "{}").without("X-Signature");
            hints.push(answer.send_exactly().await.is(404).body);
        }
        assert_eq!(hints[0], hints[1], "{tail}");
    }
}
