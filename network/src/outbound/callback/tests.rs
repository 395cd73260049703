use switchboard_worlds::sink::{Behaviour, Reply, Sink};

use super::super::address::Policy;
use super::*;
use crate::outbound::scripted_names::Names;

mod behaviour;
mod names;
mod proxy;
mod tls;

/// Long enough that no slow machine reaches it.
const PATIENT: Duration = Duration::from_secs(120);
/// For receivers that never finish: whatever the machine's speed, this passes.
const BRIEF: Duration = Duration::from_millis(300);

/// A client that may reach loopback and knows only scripted names.
fn client() -> CallbackClient {
    client_with(&Names::new(), &ClientSettings::default())
}

fn client_with(names: &Names, settings: &ClientSettings) -> CallbackClient {
    let guard = Arc::new(AddressGuard::new(Policy {
        allow_private_networks: false,
        allow_cidrs: vec!["127.0.0.0/8".parse().unwrap()],
    }));
    CallbackClient::new(settings, guard, Arc::new(names.clone())).unwrap()
}

const SIGNATURE: &str = "0123456789abcdef0123456789abcdef01234567";

fn attempt(url: &str, timeout: Duration) -> OutboundCallback {
    OutboundCallback {
        url: Arc::from(url),
        body: Bytes::from_static(br#"{"account_id":"a","time":1}"#),
        envelope: Envelope::Signed {
            signature: SIGNATURE.to_owned(),
            webhook_id: "8b2c5f4e-0000-4000-8000-000000000001".to_owned(),
            webhook_timestamp: 1_700_000_000,
        },
        number: 3,
        timeout,
        pace: None,
    }
}

/// Pieces of 50 bytes.
fn pieces() -> Pace {
    Pace {
        piece: std::num::NonZeroUsize::new(50).unwrap(),
        pause: Duration::from_millis(1),
    }
}

/// One attempt against a sink that behaves like this.
async fn meet(behaviour: Behaviour, timeout: Duration) -> Exchange {
    let sink = Sink::start(behaviour).await.unwrap();
    client().attempt(attempt(&sink.url("/hook"), timeout)).await
}

#[track_caller]
fn answer(exchange: Exchange) -> CallbackAnswer {
    match exchange.outcome {
        ExchangeOutcome::Answered(answer) => answer,
        ExchangeOutcome::Failed(failure) => panic!("no answer: {failure}"),
    }
}

#[track_caller]
fn failure(exchange: Exchange) -> RequestError {
    match exchange.outcome {
        ExchangeOutcome::Answered(answer) => panic!("answered: {answer:?}"),
        ExchangeOutcome::Failed(failure) => failure,
    }
}
