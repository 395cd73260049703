//! The whole system in memory, through its public surface only: connect, receive, reply, see the callback, shut down.
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId, ScopeId};
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::chat::ConnectRequest;
use switchboard_actors::system::user_access::ReplyRequest;
use switchboard_actors::wire::chat_body::{self, Rules};
use switchboard_actors::{Ports, System, SystemConfig};
use switchboard_worlds::{ManualClock, Receiver};

const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
const CHANNEL: &str = "f90ba33d-c9d9-44da-b76c-c349b0ecbe41";
const NOW: UnixMillis = UnixMillis::from_secs(1_700_000_000);

fn account() -> AccountId {
    ACCOUNT.parse().unwrap()
}

fn channel() -> ChannelId {
    CHANNEL.parse().unwrap()
}

async fn start(sender: &Receiver, clock: &ManualClock) -> (System, ScopeId) {
    let mut ports = Ports::memory(Arc::new(sender.clone())).unwrap();
    ports.clock = Arc::new(clock.clone());
    let system = System::start(SystemConfig::default(), ports).unwrap();
    system
        .declare_account(DeclareAccount {
            id: account(),
            settings: AccountSettings::new("Demo".parse().unwrap()),
        })
        .await
        .unwrap();
    let ada = DeclareUser {
        id: None,
        name: "Ada".parse().unwrap(),
        email: "ada@example.com".parse().unwrap(),
        is_admin: true,
        password: None,
        token: Some(TokenHash::new("token")),
    };
    system.declare_user(account(), ada).await.unwrap();
    let settings = ChannelSettings {
        webhook_v2: Some("http://127.0.0.1:9001/v2/:scope_id".parse().unwrap()),
        ..ChannelSettings::new("Demo messenger".parse().unwrap())
    };
    let channel_of_tests = Channel::new(channel(), "secret".parse().unwrap(), settings);
    system.declare_channel(channel_of_tests).await.unwrap();
    let request = ConnectRequest {
        account: account(),
        title: None,
        version: HookVersion::V2,
        time_window_disabled: false,
    };
    let (scope, connection) = system.connect(&channel(), request).await.unwrap();
    assert_eq!(connection.title, "Demo messenger");
    (system, scope)
}

fn message(msgid: &str, text: &str, silent: bool) -> Bytes {
    Bytes::from(format!(
        r#"{{"event_type":"new_message","payload":{{"timestamp":1700000000,"msgid":"{msgid}","conversation_id":"c-1",
        "sender":{{"id":"u-1","name":"Bo","avatar":"https://example.com/a.png"}},
        "message":{{"type":"text","text":"{text}"}},"silent":{silent}}}}}"#
    ))
}

async fn receive(
    system: &System,
    scope: &ScopeId,
    raw: Bytes,
) -> switchboard_actors::domain::conversation::send_message::Accepted {
    let message = chat_body::send::parse(&raw, Rules::V2019, system.now()).unwrap();
    let connected = system.connected(scope.clone()).await.unwrap();
    system.send_message(connected, message, raw).await.unwrap()
}

#[actix::test]
async fn a_customer_writes_and_an_account_user_answers() {
    let (sender, clock) = (Receiver::default(), ManualClock::at(NOW));
    let (system, scope) = start(&sender, &clock).await;

    let acceptance = receive(&system, &scope, message("m-1", "Hello", false)).await;
    let again = receive(&system, &scope, message("m-1", "Hello", false)).await;
    assert_eq!(acceptance.message, again.message);

    let caller = system.caller("token").await.unwrap().unwrap();
    let content = OutgoingContent::Text {
        text: "Hi Bo".parse().unwrap(),
    };
    let request = ReplyRequest {
        content,
        reply_to: None,
        resends: None,
        seen: None,
        draft: None,
        scheduled_reply: None,
        template: None,
    };
    let access = system.user_access(&caller).await.unwrap();
    let replied = access
        .reply(acceptance.conversation, request, None)
        .await
        .unwrap();

    let attempts = sender.wait_for(1).await;
    assert_eq!(attempts[0].message, replied.id);
    let address = format!("http://127.0.0.1:9001/v2/{scope}");
    assert_eq!(attempts[0].url.as_ref(), address);
    let body = String::from_utf8(attempts[0].body.to_vec()).unwrap();
    assert!(
        body.contains(r#""client_id":"c-1""#) && body.contains("Hi Bo"),
        "{body}"
    );

    let crm = access.crm().await.unwrap();
    assert_eq!((crm.leads, crm.contacts), (1, 1));
    let report = system.shutdown(Duration::from_secs(60)).await;
    assert!(report.drained);
}
