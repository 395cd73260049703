//! The requests that people send by mistake in their first hour, and what each of them is answered.
//!
//! `cargo test --test service mistaken_requests -- --nocapture` prints the table.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::client::{Client, Request, content_md5, date, message, scope, signature};
use crate::support::server::{
    ACCOUNT, CHANNEL, OPERATOR_TOKEN, OTHER_ACCOUNT, OTHER_CHANNEL, OTHER_SECRET, SECRET, Server,
    TOKEN,
};

const JSON: &str = "application/json";
const UNKNOWN: &str = "c0ffee00-0000-4000-8000-000000000000";
const NO_ACCOUNT: &str = "deadbeef-0000-4000-8000-000000000000";

/// A mistake, the request that it makes, and what has to be told: a status and words.
struct Case<'a>(&'static str, Request<'a>, u16, &'static str);

/// What the cases are made of.
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

/// Signed another body than was sent, or in another way.
fn raw_signatures<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let spaced = kit.body.replace("\":", "\": ").replace(",\"", ", \"");
    let turned = kit.client.signed("POST", &kit.scope, spaced.clone());
    let turned = turned.header("X-Signature", &signature(SECRET, kit.body.as_bytes()));
    let right = signature(SECRET, kit.body.as_bytes());
    let dashes: Vec<&str> = (0..20).map(|at| &right[at * 2..at * 2 + 2]).collect();
    let sent = |header: &str| kit.right().header("X-Signature", header);
    let twice = json!(kit.body).to_string();
    vec![
        Case(
            "no signature",
            kit.right().without("X-Signature"),
            403,
            "there is no X-Signature header",
        ),
        Case(
            "a wrong secret",
            kit.keyed("not the secret", &kit.body),
            403,
            "compare the secret",
        ),
        Case(
            "the secret of another channel",
            kit.keyed(OTHER_SECRET, &kit.body),
            403,
            "the secret of the channel",
        ),
        Case(
            "body written anew before it is signed",
            kit.keyed(SECRET, &spaced),
            403,
            "another form of the same JSON",
        ),
        Case(
            "body written anew before it is sent",
            turned,
            403,
            "another form of the same JSON",
        ),
        Case(
            "body made a string twice",
            kit.keyed(SECRET, &twice),
            403,
            "made a JSON string once more",
        ),
        Case(
            "a newline signed behind the body",
            kit.keyed(SECRET, &format!("{}\n", kit.body)),
            403,
            "another line end",
        ),
        Case(
            "an empty body signed",
            kit.keyed(SECRET, ""),
            403,
            "an empty body was signed",
        ),
        Case(
            "the secret with a space",
            kit.keyed(&format!("{SECRET} "), &kit.body),
            403,
            "a space or a quotation mark",
        ),
        Case(
            "the secret in quotes",
            kit.keyed(&format!("\"{SECRET}\""), &kit.body),
            403,
            "a space or a quotation mark",
        ),
        Case(
            "the secret in upper case",
            kit.keyed(&SECRET.to_uppercase(), &kit.body),
            403,
            "in another case",
        ),
        Case(
            "the channel's id as the key",
            kit.keyed(CHANNEL, &kit.body),
            403,
            "the id of the channel was used",
        ),
        Case(
            "the account's id as the key",
            kit.keyed(ACCOUNT, &kit.body),
            403,
            "the id of the account",
        ),
        Case(
            "the signature in base64",
            sent(&base64(&right)),
            403,
            "send it in hexadecimal",
        ),
        Case(
            "SHA-256",
            sent(&sha256(&kit.body)),
            403,
            "this is HMAC-SHA256",
        ),
        Case(
            "sha1= before the digest",
            sent(&format!("sha1={right}")),
            403,
            "something stands around it",
        ),
        Case(
            "dashes in the digest",
            sent(&dashes.join("-")),
            403,
            "between its digits",
        ),
        Case(
            "a digest cut short",
            sent(&right[1..]),
            403,
            "40 hexadecimal digits",
        ),
        Case(
            "the word «signature» sent",
            sent("signature"),
            403,
            "this has 9 characters",
        ),
        Case(
            "spaces around the signature",
            sent(&format!("  {right} ")),
            200,
            "",
        ),
        Case("upper-case signature", sent(&right.to_uppercase()), 200, ""),
        Case(
            "the method DELETE signed, POST sent",
            kit.with(0, "DELETE"),
            403,
            "another method was signed",
        ),
    ]
}

/// Signed the canonical text wrongly.
fn canonical_signatures<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let rfc = |later| date(later);
    let full = format!("https://amojo.amocrm.ru{}", kit.path);
    let connect = format!("/v2/origin/custom/{CHANNEL}/connect");
    let named = kit.canonical(|[method, md5, kind, date, path]| {
        format!("{method}\nContent-MD5: {md5}\nContent-Type: {kind}\nDate: {date}\n{path}")
    });
    let twice = kit.canonical(|[method, md5, kind, sent, path]| {
        let now: jiff::Timestamp = jiff::fmt::rfc2822::parse(&sent).unwrap().timestamp();
        let next = now + jiff::SignedDuration::from_secs(1);
        let next = next.strftime("%a, %d %b %Y %H:%M:%S +0000");
        format!("{method}\n{md5}\n{kind}\n{next}\n{path}")
    });
    let minutes = |number: i64| kit.dated(&rfc(number * 60));
    vec![
        Case(
            "no Date at all",
            kit.canonical(|parts| parts.join("\n")).without("Date"),
            403,
            "there is no Date header",
        ),
        Case("the Date taken twice", twice, 403, "a moment apart"),
        Case(
            "the Date in ISO form",
            kit.dated("2026-11-23T12:00:00Z"),
            403,
            "Date cannot be read",
        ),
        Case(
            "the Date as a number",
            kit.dated(&seconds().to_string()),
            403,
            "Date cannot be read",
        ),
        Case(
            "the Date 20 minutes behind",
            minutes(-20),
            403,
            "20 minutes behind",
        ),
        Case(
            "local time sent as GMT",
            minutes(180),
            403,
            "minutes ahead of",
        ),
        Case(
            "MD5 in base64",
            kit.with(1, &base64(&content_md5(kit.body.as_bytes()))),
            403,
            "Content-MD5 is in base64",
        ),
        Case(
            "the query signed",
            kit.with(4, &format!("{}?a=1", kit.path))
                .to(&format!("{}?a=1", kit.scope)),
            403,
            "the query was signed",
        ),
        Case(
            "the Date left out of what is signed",
            kit.canonical(|[method, md5, kind, _, path]| {
                format!(
                    "{method}
{md5}
{kind}
{path}"
                )
            }),
            403,
            "Date was left out",
        ),
        Case(
            "another Content-Type signed",
            kit.with(2, "application/json; charset=utf-8"),
            403,
            "another Content-Type was signed",
        ),
        Case(
            "the path without /v2/origin/custom",
            kit.with(4, &format!("/{}", kit.scope)),
            403,
            "in another form",
        ),
        Case(
            "the path without /v2",
            kit.with(4, &kit.path[3..]),
            403,
            "in another form",
        ),
        Case(
            "the path without its slash",
            kit.with(4, &kit.path[1..]),
            403,
            "in another form",
        ),
        Case(
            "the path with a slash behind",
            kit.with(4, &format!("{}/", kit.path)),
            403,
            "in another form",
        ),
        Case(
            "the path of connect",
            kit.with(4, &connect),
            403,
            "the path of another operation",
        ),
        Case(
            "the vendor's address signed",
            kit.with(4, &full),
            403,
            "the full address was signed",
        ),
        Case(
            "names of headers signed",
            named,
            403,
            "the names of the headers",
        ),
        Case(
            "an MD5 alone signed",
            kit.canonical(|[_, md5, ..]| md5),
            403,
            "an MD5 alone was signed",
        ),
        Case(
            "parts joined with \\n in single quotes",
            kit.canonical(|parts| parts.join("\\n")),
            403,
            "not joined with a newline",
        ),
    ]
}

/// Asked at another address.
fn addresses<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let scope = &kit.scope;
    let other = kit.client.signed(
        "POST",
        &crate::support::client::scope(CHANNEL, OTHER_ACCOUNT),
        kit.body.clone(),
    );
    vec![
        Case(
            "an account that is not connected",
            other,
            404,
            "send POST /v2/origin/custom/c0ffee00-1111-4222-8333-444455556666/connect",
        ),
        Case(
            "an account that nobody has",
            kit.to("POST", &format!("{CHANNEL}_{NO_ACCOUNT}")),
            404,
            "no account has the id behind the last _",
        ),
        Case(
            "a channel that nobody has",
            kit.to("POST", &format!("{UNKNOWN}_{ACCOUNT}")),
            404,
            "no channel has the id in this path",
        ),
        Case(
            "connect at a channel that nobody has",
            kit.to("POST", &format!("{UNKNOWN}/connect")),
            404,
            "compare it with the id that the operator gave you",
        ),
        Case(
            "connect at a scope",
            kit.to("POST", &format!("{scope}/connect")),
            404,
            "the id of the channel alone",
        ),
        Case(
            "the channel's id in place of the scope's",
            kit.to("POST", CHANNEL),
            404,
            "is <channel_id>_<account_id>",
        ),
        Case(
            "a slash at the end",
            kit.to("POST", &format!("{scope}/")),
            404,
            "ends with a slash; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        Case(
            "an unknown path below a scope",
            kit.to("POST", &format!("{scope}/message")),
            404,
            "did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        Case(
            "delivery status without the message",
            kit.to("POST", &format!("{scope}/delivery_status")),
            404,
            "{msgid}/delivery_status?",
        ),
        Case(
            "the scope of another channel's secret",
            kit.to(
                "POST",
                &crate::support::client::scope(OTHER_CHANNEL, ACCOUNT),
            ),
            403,
            "the secret of the channel",
        ),
        Case("PUT", kit.to("PUT", scope), 405, ""),
        Case("GET", kit.to("GET", scope), 405, ""),
        Case(
            "POST to disconnect",
            kit.to("POST", &format!("{CHANNEL}/disconnect")),
            405,
            "with the method DELETE",
        ),
        Case(
            "the status of a message by the integration's id",
            kit.to("POST", &format!("{scope}/my-id-1/delivery_status")),
            404,
            "our id of an account user's message",
        ),
        Case(
            "the status of an unknown message",
            kit.client.signed(
                "POST",
                &format!("{scope}/{NO_ACCOUNT}/delivery_status"),
                json!({ "msgid": NO_ACCOUNT, "delivery_status": 1 }).to_string(),
            ),
            404,
            "our id of an account user's message",
        ),
        Case(
            "the operator's token at /api/v4",
            kit.asks_for("/api/v4/account", OPERATOR_TOKEN),
            401,
            "the operator's token, which is for /admin/v1",
        ),
        Case(
            "the channel's secret as a token",
            kit.asks_for("/api/v4/account", SECRET),
            401,
            "the secret of a channel",
        ),
        Case(
            "an account user's token at /admin/v1",
            kit.asks_for("/admin/v1/channels", TOKEN),
            401,
            "send the operator's token",
        ),
    ]
}

/// Wrote another body than is taken.
fn bodies<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let sent = |body: &str| kit.client.signed("POST", &kit.scope, body.to_owned());
    let form = sent("a=1").header("Content-Type", "application/x-www-form-urlencoded");
    let payload = kit.changed(|event| *event = event["payload"].take());
    vec![
        Case("an empty body", sent(""), 400, "the body is empty"),
        Case(
            "no JSON",
            sent("hello"),
            400,
            "line 1, column 1: expected a value",
        ),
        Case(
            "an array",
            sent("[]"),
            400,
            "expected an object, found an array",
        ),
        Case("a form", form, 415, "Content-Type: application/json"),
        Case(
            "a missing field",
            kit.changed(|event| {
                event["payload"].as_object_mut().unwrap().remove("msgid");
            }),
            400,
            "payload.msgid: this field is missing",
        ),
        Case(
            "the payload alone",
            payload,
            400,
            "event_type: this field is missing",
        ),
        Case(
            "a word in place of true",
            kit.changed(|event| event["payload"]["silent"] = json!("false")),
            400,
            "expected true or false, found a string",
        ),
        Case(
            "a type that nobody has",
            kit.changed(|event| event["payload"]["message"]["type"] = json!("image")),
            400,
            "expected one of text",
        ),
        Case(
            "an unknown event",
            kit.changed(|event| event["event_type"] = json!("message")),
            400,
            "expected one of new_message",
        ),
        Case(
            "a phone as a number",
            kit.changed(|event| {
                event["payload"]["sender"]["profile"] = json!({ "phone": 79_151_112_233_u64 })
            }),
            400,
            "put it in quotes",
        ),
        Case(
            "a timestamp in milliseconds",
            kit.changed(|event| event["payload"]["timestamp"] = json!(seconds() * 1_000)),
            400,
            "this looks like milliseconds; give seconds",
        ),
        Case(
            "a timestamp as text",
            kit.changed(|event| event["payload"]["timestamp"] = json!("1639604761")),
            400,
            "expected a whole number, found a string",
        ),
        Case(
            "an unknown version at connect",
            kit.client.signed(
                "POST",
                &format!("{CHANNEL}/connect"),
                json!({ "account_id": ACCOUNT, "hook_api_version": "v3" }).to_string(),
            ),
            400,
            "expected one of v1, v2",
        ),
        Case(
            "an unknown key at connect",
            kit.client.signed(
                "POST",
                &format!("{CHANNEL}/connect"),
                json!({ "account_id": ACCOUNT, "name": "x" }).to_string(),
            ),
            400,
            "unknown key",
        ),
        Case("the same msgid, the same text", kit.right(), 200, ""),
        Case(
            "the same msgid, another text",
            kit.changed(|event| event["payload"]["message"]["text"] = json!("another")),
            409,
            "its sender, receiver or message is another",
        ),
    ]
}

#[tokio::test]
async fn mistaken_requests_are_answered_with_what_to_do() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let kit = Kit::new(client);
    let groups = [
        raw_signatures(&kit),
        canonical_signatures(&kit),
        addresses(&kit),
        bodies(&kit),
    ];
    let (mut faults, mut asked) = (Vec::new(), 0);
    println!("| Mistake | Status | Told |\n|---|---|---|");
    for Case(mistake, request, status, words) in groups.into_iter().flatten() {
        let answer = request.send_exactly().await;
        let told = told(&answer.json);
        println!(
            "| {mistake} | {} | {} |",
            answer.status,
            told.replace('|', "\\|")
        );
        asked += 1;
        let secret = [SECRET, OTHER_SECRET]
            .iter()
            .any(|secret| answer.body.contains(secret));
        if answer.status != status || !told.contains(words) || secret {
            faults.push(format!(
                "{mistake}: expected {status} «{words}», got {} {}",
                answer.status, answer.body
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(asked >= 55, "{asked} requests");
}

/// What an answer says: its hint, else what is wrong.
fn told(answer: &Value) -> String {
    let text = |key: &str| answer[key].as_str().map(str::to_owned);
    let wrong = answer["errors"].as_array().into_iter().flatten();
    let wrong: Vec<String> = wrong
        .map(|wrong| {
            format!(
                "{}: {}",
                wrong["path"].as_str().unwrap(),
                wrong["detail"].as_str().unwrap()
            )
        })
        .collect();
    let wrong = (!wrong.is_empty()).then(|| wrong.join("; "));
    let told = text("hint").or(wrong).or_else(|| text("error_description"));
    told.or_else(|| text("detail")).unwrap_or_default()
}

#[tokio::test]
async fn what_is_told_without_the_secret_says_nothing_of_a_scope() {
    let server = Server::start().await;
    let client = server.client();
    let connected = client.connect("v2").await;
    let apart = scope(CHANNEL, OTHER_ACCOUNT);
    for tail in ["", "/", "/message", "/typing", "/a/b/c/d/e"] {
        let mut answers = Vec::new();
        for scope in [&connected, &apart, &scope(CHANNEL, NO_ACCOUNT)] {
            let request = client.signed("POST", &format!("{scope}{tail}"), "{}");
            let request = request.header("X-Signature", &"0".repeat(40));
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
