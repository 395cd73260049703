//! Stored events of every kind of stream: what can be read is written again as it was understood.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use switchboard_actors::domain::account::credentials::Credentials;
use switchboard_actors::domain::account::roles::Roles;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::conversation::Conversation;
use switchboard_actors::domain::crm::Crm;
use switchboard_actors::domain::delivery_queue::StoredQueue;
use switchboard_actors::domain::endpoint::StoredEndpoints;
use switchboard_actors::domain::installation::accounts::Accounts;
use switchboard_actors::domain::installation::channels::Channels;
use switchboard_actors::domain::operator::Operator;
use switchboard_actors::domain::replays::Replays;
use switchboard_actors::domain::scope::Scope;
use switchboard_engine::state::State;

/// Reads the bytes as an event, and as a snapshot, of each kind of stream.
pub fn check(data: &[u8]) {
    event_and_state::<Accounts>(data);
    event_and_state::<Crm>(data);
    event_and_state::<Channels>(data);
    event_and_state::<Conversation>(data);
    event_and_state::<Credentials>(data);
    event_and_state::<Operator>(data);
    event_and_state::<Replays>(data);
    event_and_state::<Roles>(data);
    event_and_state::<Scope>(data);
    event_and_state::<StoredEndpoints>(data);
    event_and_state::<StoredQueue>(data);
    event_and_state::<Users>(data);
}

fn event_and_state<S: State>(data: &[u8]) {
    survives::<S::Event>(data);
    survives::<S>(data);
}

fn survives<T: Serialize + DeserializeOwned>(data: &[u8]) {
    let Ok(read) = serde_json::from_slice::<T>(data) else {
        return;
    };
    let name = std::any::type_name::<T>();
    let json = serde_json::to_vec(&read).expect(name);
    let again: T = serde_json::from_slice(&json).expect(name);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    same(
        name,
        text(&serde_json::to_vec(&again).expect(name)),
        text(&json),
    );
}

#[track_caller]
fn same<T: Debug + PartialEq>(name: &str, again: T, written: T) {
    assert_eq!(again, written, "{name}");
}
