//! Relays: hooks of the counterpart are verified, stored, answered, and passed on until the bridge has them.

mod account;
mod configuration;
pub(crate) mod down;
mod erasure;
mod hostile;
mod later;
mod operator;
mod pace;
mod up;

use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::support::client::signature;
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup};

/// The channel of the relay.
const SHOP: &str = "shop";
/// The account whose hooks come.
const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
/// The secret of the channel.
pub(crate) const SECRET: &str = "secret-of-the-shop";

/// The scope in the paths.
fn scope() -> String {
    format!("{SHOP}_{ACCOUNT}")
}

/// A service with a relay to this bridge, and these lines more in its section.
pub(crate) fn setup(bridge: &str, lines: &str) -> Setup {
    Setup::default().lines(&format!(
        "[[relay]]\nchannel = \"{SHOP}\"\nsecret = \"{SECRET}\"\nfrom = \"/relay/shop/:scope_id\"\nto = \"{bridge}\"\n{lines}"
    ))
}

/// A service whose relay passes on to this receiver.
async fn relaying_to(bridge: &Receiver) -> Server {
    setup(&bridge.webhook("in"), "").start().await
}

/// The counterpart.
pub(crate) struct Counterpart {
    client: Client,
    address: String,
}

impl Counterpart {
    pub(crate) fn to(server: &Server) -> Self {
        Self {
            client: Client::new(),
            address: format!("{}/relay/shop/{}", server.url(), scope()),
        }
    }

    /// Sends these bytes with this signature.
    async fn sends_signed(&self, body: &[u8], signature: &str) -> Response {
        let request = self
            .client
            .post(&self.address)
            .header("Content-Type", "application/json")
            .header("User-Agent", "amoCRM/1.0")
            .header("X-Signature", signature)
            .body(body.to_vec());
        request.send().await.unwrap()
    }

    /// Sends these bytes, and returns the status.
    async fn sends(&self, body: &[u8]) -> u16 {
        let answer = self.sends_signed(body, &signature(SECRET, body)).await;
        answer.status().as_u16()
    }

    /// Sends a message, which is taken.
    async fn writes(&self, conversation: &str, message: &str) {
        let body = message_body(conversation, message);
        assert_eq!(self.sends(body.as_bytes()).await, 200);
    }
}

fn message_body(conversation: &str, message: &str) -> String {
    json!({
        "account_id": ACCOUNT,
        "time": 1_700_000_000,
        "message": {
            "receiver": { "id": "r", "client_id": "them" },
            "conversation": { "id": conversation, "client_id": "" },
            "message": { "id": message, "type": "text", "text": "Hello" },
        },
    })
    .to_string()
}

/// The id of the message in a body.
pub(crate) fn message_id(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap();
    let id = body.pointer("/message/message/id");
    id.and_then(Value::as_str).unwrap_or_default().to_owned()
}
