//! Signed requests of one length, made beforehand: each message has a `msgid` of its own.

use std::fmt;

use clap::ValueEnum;
use serde::Serialize;
use switchboard_actors::domain::signature::Signer;

use crate::server::{ACCOUNT, CHANNEL, HOST, SECRET};

/// A message of ordinary length: bodies have about 600 bytes.
const TEXT: &str = "Good afternoon! I ordered a grey woollen coat on Tuesday, order number 2019-114477, and would like to \
    know whether it can still be changed to the dark blue one in the same size. If that takes longer than a week, please \
    leave it as it is.";

/// Where requests go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    /// A handler that looks at nothing; it gets the same requests.
    Noop,
    /// Everything but storing.
    Verified,
    /// The send operation.
    Send,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Noop => "noop",
            Self::Verified => "verified",
            Self::Send => "send",
        })
    }
}

impl Target {
    fn path(self) -> String {
        let scope = format!("{CHANNEL}_{ACCOUNT}");
        match self {
            Self::Noop => "/benchmark/noop".to_owned(),
            Self::Verified => format!("/benchmark/verified?{scope}"),
            Self::Send => format!("/v2/origin/custom/{scope}"),
        }
    }
}

/// Requests, one behind the other.
pub(crate) struct Requests {
    bytes: Vec<u8>,
    each: usize,
}

impl Requests {
    /// The requests number `from` to `from + count`, spread over so many conversations.
    pub(crate) fn new(target: Target, from: u64, count: u64, conversations: u64) -> Self {
        let signer = Signer::new(&SECRET.parse().expect("the secret is one"));
        let path = target.path();
        let mut bytes = Vec::new();
        let mut each = 0;
        for number in from..from + count {
            let body = body(number, number % conversations);
            let request = request(&path, &signer, &body);
            if each == 0 {
                each = request.len();
                bytes.reserve(each * usize::try_from(count).expect("the requests fit into memory"));
            }
            assert_eq!(request.len(), each, "all requests have one length");
            bytes.extend_from_slice(&request);
        }
        Self { bytes, each }
    }

    pub(crate) fn get(&self, index: usize) -> Option<&[u8]> {
        self.bytes.get(index * self.each..(index + 1) * self.each)
    }
}

/// The request that connects the account to the channel.
pub(crate) fn connect() -> Vec<u8> {
    let signer = Signer::new(&SECRET.parse().expect("the secret is one"));
    let body = format!(r#"{{"account_id":"{ACCOUNT}","hook_api_version":"v2"}}"#);
    request(
        &format!("/v2/origin/custom/{CHANNEL}/connect"),
        &signer,
        &body,
    )
}

/// A message of ordinary length, as the send operation takes it.
pub(crate) fn body(number: u64, conversation: u64) -> String {
    format!(
        r#"{{"event_type":"new_message","payload":{{"timestamp":1700000000,"msgid":"bench-{number:012}","conversation_id":"conversation-{conversation:08}","sender":{{"id":"customer-{conversation:08}","name":"Robin Carter","avatar":"https://example.com/avatars/{conversation:08}.png","profile":{{"phone":"+4915112345678","email":"robin@example.com"}}}},"message":{{"type":"text","text":"{TEXT}"}},"silent":false}}}}"#
    )
}

fn request(path: &str, signer: &Signer, body: &str) -> Vec<u8> {
    let signature = signer.sign(body.as_bytes());
    format!(
        "POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\nX-Signature: {signature}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
