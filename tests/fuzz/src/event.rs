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
    of::<Accounts>(data);
    of::<Crm>(data);
    of::<Channels>(data);
    of::<Conversation>(data);
    of::<Credentials>(data);
    of::<Operator>(data);
    of::<Replays>(data);
    of::<Roles>(data);
    of::<Scope>(data);
    of::<StoredEndpoints>(data);
    of::<StoredQueue>(data);
    of::<Users>(data);
}

fn of<S: State>(data: &[u8]) {
    survives::<S::Event>(data);
    survives::<S>(data);
}

fn survives<T: Serialize + DeserializeOwned>(data: &[u8]) {
    let Ok(read) = serde_json::from_slice::<T>(data) else {
        return;
    };
    let name = std::any::type_name::<T>();
    let written = serde_json::to_vec(&read).expect(name);
    let again: T = serde_json::from_slice(&written).expect(name);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    same(
        name,
        text(&serde_json::to_vec(&again).expect(name)),
        text(&written),
    );
}

#[track_caller]
fn same<T: Debug + PartialEq>(name: &str, again: T, written: T) {
    assert_eq!(again, written, "{name}");
}
