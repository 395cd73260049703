//! A search in an inbox with more and more conversations: what a key finds, and what takes a walk through everything.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;
use switchboard_bench::client::Connection;
use switchboard_bench::requests::{Requests, Spread, body, scope_path, signed, signer};
use switchboard_bench::server::{ACCOUNT, CHANNEL, HOST, TOKEN, away, config};

use crate::node::{Node, millis};

/// The number of messages of a conversation.
const MESSAGES: u64 = 5;
/// No search is followed further than this many pages.
const PAGES_MAX: usize = 20_000;

/// The figures of one search.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Line {
    conversations: u64,
    what: &'static str,
    /// Until the conversation was there; `None` when none was found.
    found_ms: Option<f64>,
    found_requests: Option<usize>,
    /// Until everything was examined.
    whole_ms: f64,
    whole_requests: usize,
}

pub(crate) const HEADING: &str =
    "conversations  search                     found ms  requests  whole ms  requests";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found_text = self.found_ms.map(|ms| format!("{ms:.1}"));
        let requests = self.found_requests.map(|count| count.to_string());
        write!(
            f,
            "{:>13}  {:<24} {:>10} {:>9} {:>9.0} {:>9}",
            self.conversations,
            self.what,
            found_text.as_deref().unwrap_or("-"),
            requests.as_deref().unwrap_or("-"),
            self.whole_ms,
            self.whole_requests,
        )
    }
}

/// Looks for things of the conversation whose last message is the oldest.
pub(crate) async fn measure(binary: &Path, conversations: u64) -> Result<Vec<Line>> {
    let mut node = Node::start(binary, config(1, &away()))?;
    node.connect().await?;
    let (path, signer) = (scope_path(CHANNEL, ACCOUNT), signer()?);
    let all = Spread {
        from: 0,
        count: conversations,
    };
    node.send_made(conversations * MESSAGES, |from, count| {
        let mut requests = Requests::default();
        for number in from..from + count {
            let own = all.conversation(number);
            let common = body(number, own)
                .replace("+4915112345678", &format!("+49151{own:08}"))
                .replace("robin@", &format!("robin.{own}@"))
                .replace("Robin Carter", &format!("Robin Carter-{own}"));
            // The first messages say something of their own.
            let body = match number < conversations {
                true => common.replacen(r#""text":""#, &format!(r#""text":"voucher{own}x "#), 1),
                false => common,
            };
            requests.push(&signed(&path, &signer, &body));
        }
        Ok(requests)
    })
    .await?;
    let mut lines = Vec::new();
    for (what, query) in [
        ("phone number", "%2B4915100000000"),
        ("the same, spelled", "0151%20000-000%2000"),
        ("e-mail address", "robin.0@example.com"),
        ("id of conversation", "conversation-00000000"),
        ("id of customer", "customer-00000000"),
        ("id of message", "bench-000000000000"),
        ("name", "Carter-0"),
        ("word in a text", "voucher0x"),
        ("word of no message", "nevertheless"),
    ] {
        let (found, whole) = search(&node, query).await?;
        let line = Line {
            conversations,
            what,
            found_ms: found.map(|(took, _)| millis(took)),
            found_requests: found.map(|(_, requests)| requests),
            whole_ms: millis(whole.0),
            whole_requests: whole.1,
        };
        println!("{line}");
        lines.push(line);
    }
    Ok(lines)
}

/// After how long, and in how many requests.
type Took = (Duration, usize);

/// Follows a search to its end: when the first conversation was found, and when the end was reached.
async fn search(node: &Node, query: &str) -> Result<(Option<Took>, Took)> {
    let mut connection = Connection::open(node.address()).await?;
    let (begin, mut found, mut cursor) = (Instant::now(), None, String::new());
    for requests in 1..=PAGES_MAX {
        let request = format!(
            "GET /inbox/v1/conversations?query={query}{cursor} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        );
        let answer = connection.expect(request.as_bytes(), 200).await?;
        let page: Value = serde_json::from_slice(answer).context("a page is no JSON")?;
        let is_empty = page
            .get("conversations")
            .and_then(Value::as_array)
            .is_none_or(Vec::is_empty);
        if found.is_none() && !is_empty {
            found = Some((begin.elapsed(), requests));
        }
        match page.get("next").and_then(Value::as_str) {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok((found, (begin.elapsed(), requests))),
        }
    }
    Ok((found, (begin.elapsed(), PAGES_MAX)))
}
