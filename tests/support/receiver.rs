//! The integration's end of callbacks: it checks every signature itself and keeps what it got.

use serde_json::Value;
use switchboard_worlds::sink::{Behaviour, Received, Sink};

use super::client::signature;
use super::server::SECRET;

/// A receiver of callbacks.
pub struct Receiver {
    sink: Sink,
    secret: String,
}

/// One attempt at a callback.
#[derive(Clone, Debug)]
pub struct Callback {
    /// The request as it came.
    pub request: Received,
    /// Its body.
    pub json: Value,
}

impl Receiver {
    /// A receiver that takes everything.
    pub async fn start() -> Self {
        Self::answering(200).await
    }

    /// A receiver that answers everything with this status.
    pub async fn answering(status: u16) -> Self {
        Self::behaving(Behaviour::status(status)).await
    }

    /// A receiver that treats every request this way.
    pub async fn behaving(standing: Behaviour) -> Self {
        Self {
            sink: Sink::start(standing).await.unwrap(),
            secret: SECRET.to_owned(),
        }
    }

    /// Answers the next `count` requests with this status, and then as before.
    pub fn fail_next(&self, count: usize, status: u16) {
        self.sink
            .script(std::iter::repeat_n(Behaviour::status(status), count));
    }

    /// Sets the behaviours towards the next requests, one each.
    pub fn script(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.sink.script(behaviours);
    }

    /// The address for callbacks of this version, as a channel has it.
    pub fn webhook(&self, version: &str) -> String {
        self.sink.url(&format!("/{version}/:scope_id"))
    }

    /// Waits for this many attempts and gives all there are, in the order of their arrival.
    pub async fn callbacks(&self, count: usize) -> Vec<Callback> {
        self.checked(self.sink.requests(count).await.unwrap())
    }

    /// Returns the number of accepted connections so far.
    pub fn connections(&self) -> usize {
        self.sink.ledger().connections
    }

    /// Waits for this many requests and gives all there are, whatever their signatures.
    pub async fn requests(&self, count: usize) -> Vec<Received> {
        self.sink.requests(count).await.unwrap()
    }

    /// The attempts so far.
    pub fn so_far(&self) -> Vec<Callback> {
        self.checked(self.sink.ledger().requests)
    }

    fn checked(&self, requests: Vec<Received>) -> Vec<Callback> {
        requests
            .into_iter()
            .map(|request| {
                assert_eq!(request.method, "POST");
                assert_eq!(request.header("content-type"), Some("application/json"));
                let own_signature = signature(&self.secret, &request.body);
                assert_eq!(request.header("x-signature"), Some(own_signature.as_str()));
                super::described::callback(&request);
                Callback {
                    json: serde_json::from_slice(&request.body).unwrap(),
                    request,
                }
            })
            .collect()
    }
}
