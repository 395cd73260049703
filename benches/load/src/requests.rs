//! Requests made beforehand, so that making them costs nothing while they are timed.

use anyhow::Result;
use switchboard_actors::domain::signature::Signer;

use crate::server::{ACCOUNT, CHANNEL, HOST, SECRET, TOKEN};

/// A message of ordinary length: bodies have about 600 bytes.
const TEXT: &str = "Good afternoon! I ordered a grey woollen coat on Tuesday, order number 2019-114477, and would like to \
    know whether it can still be changed to the dark blue one in the same size. If that takes longer than a week, please \
    leave it as it is.";

/// Conversations that messages are spread over: those numbered `from` to `from + count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The first.
    pub from: u64,
    /// The number of conversations.
    pub count: u64,
}

impl Spread {
    /// The conversation of the message with this number.
    #[must_use]
    pub fn conversation(self, number: u64) -> u64 {
        self.from + number % self.count.max(1)
    }
}

/// Requests, one behind the other.
#[derive(Debug, Default)]
pub struct Requests {
    bytes: Vec<u8>,
    /// The end of each of them, as an offset.
    ends: Vec<usize>,
    /// The first follows the last again.
    again: bool,
}

impl Requests {
    /// Posts the messages number `from` to `from + count` to a path.
    ///
    /// # Errors
    /// When they cannot be signed.
    pub fn messages(path: &str, from: u64, count: u64, spread: Spread) -> Result<Self> {
        let signer = signer()?;
        let mut requests = Self::default();
        for number in from..from + count {
            requests.push(&signed(
                path,
                &signer,
                &body(number, spread.conversation(number)),
            ));
        }
        Ok(requests)
    }

    /// This one, again and again.
    #[must_use]
    pub fn same(request: &[u8]) -> Self {
        let mut requests = Self::default();
        requests.push(request);
        requests.for_ever()
    }

    /// Begins with the first again after the last.
    #[must_use]
    pub fn for_ever(mut self) -> Self {
        self.again = true;
        self
    }

    /// One more.
    pub fn push(&mut self, request: &[u8]) {
        self.bytes.extend_from_slice(request);
        self.ends.push(self.bytes.len());
    }

    /// The request with this number, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let index = match self.again {
            true => index.checked_rem(self.ends.len())?,
            false => index,
        };
        let begin = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.bytes.get(begin..*self.ends.get(index)?)
    }
}

/// The path to which messages of a scope are posted.
#[must_use]
pub fn scope_path(channel: &str, account: &str) -> String {
    format!("/v2/origin/custom/{channel}_{account}")
}

/// The request that connects the account to the channel.
///
/// # Errors
/// When it cannot be signed.
pub fn connect(channel: &str, account: &str) -> Result<Vec<u8>> {
    let body = format!(r#"{{"account_id":"{account}","hook_api_version":"v2"}}"#);
    let path = format!("/v2/origin/custom/{channel}/connect");
    Ok(signed(&path, &signer()?, &body))
}

/// A message of ordinary length, as the send operation takes it.
#[must_use]
pub fn body(number: u64, conversation: u64) -> String {
    format!(
        r#"{{"event_type":"new_message","payload":{{"timestamp":1700000000,"msgid":"bench-{number:012}","conversation_id":"conversation-{conversation:08}","sender":{{"id":"customer-{conversation:08}","name":"Robin Carter","avatar":"https://example.com/avatars/{conversation:08}.png","profile":{{"phone":"+4915112345678","email":"robin@example.com"}}}},"message":{{"type":"text","text":"{TEXT}"}},"silent":false}}}}"#
    )
}

/// The request that posts a message through the scope of most benchmarks.
///
/// # Errors
/// When it cannot be signed.
pub fn message(number: u64, conversation: u64) -> Result<Vec<u8>> {
    let path = scope_path(CHANNEL, ACCOUNT);
    Ok(signed(&path, &signer()?, &body(number, conversation)))
}

/// A request of the chat interface.
#[must_use]
pub fn signed(path: &str, signer: &Signer, body: &str) -> Vec<u8> {
    let signature = signer.sign(body.as_bytes());
    post(path, &format!("X-Signature: {signature}"), body)
}

/// The request by which an account user answers with this text.
#[must_use]
pub fn reply(path: &str, text: &str) -> Vec<u8> {
    let body = format!(r#"{{"type":"text","text":"{text}"}}"#);
    post(path, &format!("Authorization: Bearer {TOKEN}"), &body)
}

/// The request that subscribes an address to the messages of customers.
#[must_use]
pub fn subscribe(destination: &str) -> Vec<u8> {
    let body = format!(r#"{{"destination":"{destination}","settings":["add_message"]}}"#);
    let header = format!("Authorization: Bearer {TOKEN}");
    post("/api/v4/webhooks", &header, &body)
}

/// The request that lists the users of the account.
#[must_use]
pub fn users() -> Vec<u8> {
    format!("GET /api/v4/users HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n")
        .into_bytes()
}

fn post(path: &str, header: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n{header}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The signer for every channel.
///
/// # Errors
/// Never: the secret is one.
pub fn signer() -> Result<Signer> {
    Ok(Signer::new(&SECRET.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_sent_in_order_and_repeated_if_wanted() {
        let mut requests = Requests::default();
        requests.push(b"one");
        requests.push(b"three");
        assert_eq!(requests.get(0), Some(b"one".as_slice()));
        assert_eq!(requests.get(1), Some(b"three".as_slice()));
        assert_eq!(requests.get(2), None);
        let requests = requests.for_ever();
        assert_eq!(requests.get(2), Some(b"one".as_slice()));
        assert_eq!(Requests::default().for_ever().get(0), None);
    }

    #[test]
    fn messages_are_spread_over_conversations_of_their_own() {
        let spread = Spread { from: 7, count: 3 };
        let conversations: Vec<u64> = (0..5).map(|number| spread.conversation(number)).collect();
        assert_eq!(conversations, [7, 8, 9, 7, 8]);
    }

    #[test]
    fn bodies_have_about_six_hundred_bytes() {
        assert!((550..650).contains(&body(1, 1).len()));
    }
}
