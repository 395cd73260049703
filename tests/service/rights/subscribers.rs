//! Users who answered in a chat follow it, and may see its lead whatever becomes of it.

use serde_json::json;

use super::floor;
use crate::support::client::message;
use crate::support::server::Server;

#[tokio::test]
async fn a_subscriber_of_the_chat_sees_the_lead_but_cannot_change_it() {
    let mut server = Server::start().await;
    let client = server.client().clone();
    let conversations = floor::conversations(&client, 1).await;
    let conversation = format!("/inbox/v1/conversations/{}", conversations[0]);
    let mia = floor::add(&client, "Mia", &floor::rights("M")).await;
    floor::place(&client, 1, 2, Some(mia.id)).await;
    let body = json!({ "type": "text", "text": "Hello" });
    let messages = format!("{conversation}/messages");
    mia.sends(&client, "POST", &messages, &body).await.is(201);
    // The lead gets another responsible user and another stage.
    floor::place(&client, 1, 3, Some(1)).await;
    for _ in 0..2 {
        let client = server.client();
        for target in [conversation.as_str(), &messages, "/api/v4/leads/1"] {
            mia.reads(client, target).await.is(200);
        }
        assert_eq!(floor::inbox(client, &mia, 50).await, conversations);
        assert_eq!(
            floor::all(&server, &mia, "/api/v4/leads", "leads").await,
            [1]
        );
        mia.sends(client, "POST", &messages, &body).await.is(403);
        let name = json!({ "name": "x" });
        mia.sends(client, "PATCH", "/api/v4/leads/1", &name)
            .await
            .is(403);
        let target = "/inbox/v1/rights/explain?entity=leads&action=view&id=1";
        let explained = mia.reads(client, target).await.is(200).json;
        let steps: Vec<&str> = explained["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["step"].as_str().unwrap())
            .collect();
        assert_eq!(steps, ["general", "subscriber", "reach"]);
        server.kill_9();
        server.restart().await;
    }
    // The next lead of the chat is theirs to see as well, from its beginning.
    let client = server.client();
    floor::place(client, 1, 142, Some(1)).await;
    client.sent(&message("m2", "c1")).await;
    assert_eq!(
        floor::all(&server, &mia, "/api/v4/leads", "leads").await,
        [1, 2]
    );
    assert_eq!(floor::inbox(client, &mia, 50).await, conversations);
}
