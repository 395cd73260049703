//! Account users leave signs on messages, and the integration hears of it where its channel wants to.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::message_place::MessagePlace;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, Server, TOKEN};

async fn telling(receiver: &Receiver) -> Server {
    let server = Server::calling(receiver).await;
    let on = json!({ "reaction_callbacks": true });
    let target = format!("/admin/v1/channels/{CHANNEL}");
    server
        .client()
        .operates("PATCH", &target, &on)
        .await
        .is(200);
    server
}

/// A new conversation with a customer's message.
async fn begun(client: &Client, version: &str) -> MessagePlace {
    client.connect(version).await;
    let new_message = client.sent(&message("m", "c")).await;
    MessagePlace::from_new_message(&new_message)
}

async fn react(client: &Client, place: &MessagePlace, body: &Value) -> Answer {
    let MessagePlace {
        conversation,
        message,
    } = place;
    let target = format!("/inbox/v1/conversations/{conversation}/messages/{message}/reactions");
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await
}

fn heart() -> Value {
    json!({ "type": "react", "emoji": "😍" })
}

#[tokio::test]
async fn a_reaction_is_delivered_in_order_and_retried_like_a_message() {
    let receiver = Receiver::start().await;
    let server = telling(&receiver).await;
    let client = server.client();
    let place = begun(client, "v2").await;
    receiver.fail_next(2, 500);
    client.replied(&place.conversation, "before").await;
    let response = react(client, &place, &heart()).await.is(200).json;
    client.replied(&place.conversation, "behind").await;
    let callbacks = receiver.callbacks(5).await;
    let kinds: Vec<_> = callbacks
        .iter()
        .map(|callback| {
            let text = &callback.json["message"]["message"]["text"];
            text.as_str().unwrap_or("reaction").to_owned()
        })
        .collect();
    assert_eq!(kinds, ["before", "before", "before", "reaction", "behind"]);
    let callback = &callbacks[3];
    let me = client.read("/inbox/v1/me").await;
    let reaction = &callback.json["action"]["reaction"];
    assert_eq!(callback.json["account_id"], ACCOUNT);
    assert_eq!(
        (&reaction["msgid"], &reaction["message"]["id"]),
        (&json!("m"), &json!(place.message))
    );
    assert_eq!(
        reaction["conversation"],
        json!({ "id": place.conversation, "client_id": "c" })
    );
    let messages = client.messages(&place.conversation).await;
    let message = messages
        .iter()
        .find(|shown| shown["id"] == place.message)
        .unwrap();
    assert_eq!(
        reaction["message"],
        json!({
            "id": place.message, "msgid": "m", "client_id": "m",
            "receiver": { "id": server.ready()["bots"][0] },
            "sender": { "id": message["sender"]["id"], "name": "Grace", "client_id": "customer of c" },
            "timestamp": 1_639_604_761, "msec_timestamp": 1_639_604_761_000_u64,
        })
    );
    assert_eq!(
        (&reaction["type"], &reaction["emoji"]),
        (&json!("react"), &json!("😍"))
    );
    let sender = &callbacks[0].json["message"]["sender"]["id"];
    assert_eq!(&reaction["user"]["id"], sender, "{me}");
    let id = callback.request.header("webhook-id").unwrap();
    assert_eq!(response["callback_id"], id);
    let delivery = client
        .operate("GET", &format!("/admin/v1/deliveries/{id}"))
        .send()
        .await
        .is(200)
        .json;
    assert_eq!(
        (&delivery["type"], &delivery["number"]),
        (&json!("reaction"), &json!(2))
    );
    // It is no message.
    assert_eq!(client.messages(&place.conversation).await.len(), 3);
}

#[tokio::test]
async fn a_reaction_is_shown_once_and_can_be_removed() {
    let receiver = Receiver::start().await;
    let server = telling(&receiver).await;
    let client = server.client();
    let place = begun(client, "v2").await;
    react(client, &place, &heart()).await.is(200);
    let again = react(client, &place, &heart()).await.is(200).json;
    assert_eq!(again["callback_id"], json!(null));
    let messages = client.messages(&place.conversation).await;
    assert_eq!(messages[0]["reactions"][0]["emoji"], "😍");
    react(client, &place, &json!({ "type": "unreact" }))
        .await
        .is(200);
    assert_eq!(
        client.messages(&place.conversation).await[0].get("reactions"),
        None
    );
    let callbacks = receiver.callbacks(2).await;
    let last = &callbacks[1].json["action"]["reaction"];
    assert_eq!(
        (&last["type"], last.get("emoji")),
        (&json!("unreact"), None)
    );
}

/// A reaction on a reply names its writer and its receiver; one that is taken back has no emoji.
#[tokio::test]
async fn a_reaction_callback_names_both_people_and_no_removed_emoji() {
    let receiver = Receiver::start().await;
    let server = telling(&receiver).await;
    let client = server.client();
    let place = begun(client, "v2").await;
    let answer = client.replied(&place.conversation, "Yes").await;
    let of_answer = MessagePlace {
        message: answer.clone(),
        ..place.clone()
    };
    react(client, &of_answer, &heart()).await.is(200);
    let back = json!({ "type": "unreact", "emoji": "😍" });
    react(client, &of_answer, &back).await.is(200);
    let callbacks = receiver.callbacks(3).await;
    let event = &callbacks[0].json["message"];
    for callback in &callbacks[1..] {
        let message = &callback.json["action"]["reaction"]["message"];
        assert_eq!(message["id"], answer);
        assert_eq!(message["sender"], event["sender"]);
        assert_eq!(message["receiver"]["id"], event["receiver"]["id"]);
        assert_eq!(message["receiver"]["client_id"], "customer of c");
        assert_eq!(message["timestamp"], event["timestamp"]);
        assert_eq!(message["msec_timestamp"], event["msec_timestamp"]);
        assert_eq!(
            (message.get("msgid"), message.get("client_id")),
            (None, None)
        );
    }
    let removal = &callbacks[2].json["action"]["reaction"];
    assert_eq!(
        (&removal["type"], removal.get("emoji")),
        (&json!("unreact"), None)
    );
}

#[tokio::test]
async fn acknowledged_reactions_survive_a_kill() {
    let receiver = Receiver::answering(503).await;
    let mut server = telling(&receiver).await;
    let place = begun(server.client(), "v2").await;
    let response = react(server.client(), &place, &heart()).await.is(200).json;
    receiver.callbacks(1).await;
    server.kill_9();
    let well = Receiver::start().await;
    server.change(|setup| setup.webhook(&well));
    server.restart().await;
    let callback = well.callbacks(1).await.remove(0);
    assert_eq!(
        callback.request.header("webhook-id"),
        response["callback_id"].as_str()
    );
    let messages = server.client().messages(&place.conversation).await;
    assert_eq!(messages[0]["reactions"][0]["emoji"], "😍");
}

#[tokio::test]
async fn reaction_callbacks_need_the_setting_and_version_2() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let place = begun(client, "v2").await;
    let quiet = react(client, &place, &heart()).await.is(200).json;
    assert_eq!(quiet["callback_id"], json!(null));
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let on = json!({ "reaction_callbacks": true });
    client.operates("PATCH", &target, &on).await.is(200);
    client.connect("v1").await;
    let old = json!({ "type": "unreact" });
    let quiet = react(client, &place, &old).await.is(200).json;
    assert_eq!(quiet["callback_id"], json!(null));
    client.replied(&place.conversation, "a message").await;
    assert_eq!(receiver.callbacks(1).await.len(), 1);
}

#[tokio::test]
async fn invalid_reactions_are_named_and_reactions_take_no_reaction() {
    let receiver = Receiver::start().await;
    let server = telling(&receiver).await;
    let client = server.client();
    let place = begun(client, "v2").await;
    let wrong = react(client, &place, &json!({ "type": "react", "x": 1 }))
        .await
        .is(400);
    assert!(
        wrong.body.contains("emoji") && wrong.body.contains("\"x\""),
        "{}",
        wrong.body
    );
    let response = react(client, &place, &heart()).await.is(200).json;
    let id = response["callback_id"].as_str().unwrap().to_owned();
    for message in [
        id,
        "0371a0ff-b78a-4c7b-8538-a7d547e10692".to_owned(),
        "x".to_owned(),
    ] {
        let nowhere = MessagePlace {
            message,
            ..place.clone()
        };
        react(client, &nowhere, &heart()).await.is(404);
    }
}
