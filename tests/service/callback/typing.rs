//! The integration hears that an account user is typing, where its channel wants to.

use serde_json::json;
use switchboard_worlds::sink::Behaviour;

use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::receiver::{Callback, Receiver};
use crate::support::server::{CHANNEL, Server, TOKEN};

async fn telling(receiver: &Receiver) -> Server {
    let server = Server::calling(receiver).await;
    let on = json!({ "typing_callbacks": true });
    let target = format!("/admin/v1/channels/{CHANNEL}");
    server
        .client()
        .operates("PATCH", &target, &on)
        .await
        .is(200);
    server
}

async fn begun(client: &Client, name: &str) -> String {
    let new_message = client.sent(&message("m", name)).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

async fn types(client: &Client, conversation: &str) {
    let target = format!("/inbox/v1/conversations/{conversation}/typing");
    let request = client.request("POST", &target).bearer(TOKEN);
    request.send().await.is(204);
}

fn is_typing(callback: &Callback) -> bool {
    !callback.json["action"]["typing"].is_null()
}

#[tokio::test]
async fn typing_is_sent_once_in_five_seconds_per_conversation() {
    let receiver = Receiver::start().await;
    let server = telling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let (first, second) = (begun(client, "c1").await, begun(client, "c2").await);
    for conversation in [&first, &first, &first, &second, &first] {
        types(client, conversation).await;
    }
    // The first notice of each conversation is sent; those within the next five seconds are not.
    eventually("both are told", async || {
        let requests = receiver.so_far();
        let is_told = |id: &String| {
            let typing = |it: &Callback| it.json["action"]["typing"]["conversation"]["id"] == *id;
            requests.iter().any(typing)
        };
        (is_told(&first) && is_told(&second)).then_some(())
    })
    .await;
    let message = client.replied(&first, "here it is").await;
    client.callback_is(&first, &message, "delivered").await;
    let callbacks = receiver.so_far();
    let (typing, messages): (Vec<_>, Vec<_>) = callbacks.iter().partition(|told| is_typing(told));
    assert_eq!(messages.len(), 1);
    for (conversation, id) in [("c1", &first), ("c2", &second)] {
        let of_it: Vec<_> = typing
            .iter()
            .map(|callback| &callback.json)
            .filter(|body| body["action"]["typing"]["conversation"]["id"] == id.as_str())
            .collect();
        let state = &of_it[0]["action"]["typing"];
        assert_eq!(state["conversation"]["client_id"], conversation);
        let sender = &messages[0].json["message"]["sender"]["id"];
        assert_eq!(&state["user"]["id"], sender);
        let times: Vec<_> = of_it
            .iter()
            .map(|body| body["time"].as_u64().unwrap())
            .collect();
        assert_eq!(state["expired_at"], times[0] + 5);
        assert!(
            times.windows(2).all(|pair| pair[1] >= pair[0] + 5),
            "{times:?}"
        );
    }
}

/// A receiver that hangs over a typing notice gets messages nevertheless, and no notice is repeated.
#[tokio::test]
async fn a_hanging_typing_callback_delays_no_message_and_has_no_retry() {
    let receiver = Receiver::start().await;
    receiver.script([Behaviour::Hang, Behaviour::status(500)]);
    let server = telling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let (first, second) = (begun(client, "c1").await, begun(client, "c2").await);
    types(client, &first).await;
    types(client, &second).await;
    // One was answered with 500, and one with nothing.
    receiver.requests(1).await;
    let message = client.replied(&first, "a message").await;
    client.callback_is(&first, &message, "delivered").await;
    let last = client.replied(&first, "another").await;
    client.callback_is(&first, &last, "delivered").await;
    let typing = receiver
        .so_far()
        .iter()
        .filter(|told| is_typing(told))
        .count();
    assert!(typing <= 2, "{typing}");
}

#[tokio::test]
async fn typing_callbacks_need_the_setting_and_an_active_connection() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = begun(client, "c").await;
    types(client, &conversation).await;
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let on = json!({ "typing_callbacks": true });
    client.operates("PATCH", &target, &on).await.is(200);
    let pause = format!("{target}/pause");
    client.operate("POST", &pause).send().await.is(200);
    types(client, &conversation).await;
    let resume = format!("{target}/resume");
    client.operate("POST", &resume).send().await.is(200);
    client.disconnect().await;
    types(client, &conversation).await;
    client.connect("v1").await;
    types(client, &conversation).await;
    client.connect("v2").await;
    types(client, &conversation).await;
    let callbacks = receiver.callbacks(1).await;
    assert_eq!(callbacks.len(), 1);
    assert!(is_typing(&callbacks[0]));
}
