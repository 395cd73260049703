//! Objects that a caller may not see.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::server::Server;

#[tokio::test]
async fn a_hidden_object_is_answered_like_an_unknown_one() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 1).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let never = "deadbeef-0000-4000-8000-000000000000";
    for entity in ["leads", "contacts", "leads/unsorted"] {
        for id in [1, 99] {
            let target = format!("/api/v4/{entity}/{id}");
            dee.reads(client, &target).await.is(204);
        }
    }
    let pairs = [
        (
            format!("/inbox/v1/conversations/{}", conversations[0]),
            format!("/inbox/v1/conversations/{never}"),
        ),
        (
            format!("/inbox/v1/conversations/{}/messages", conversations[0]),
            format!("/inbox/v1/conversations/{never}/messages"),
        ),
    ];
    for (hidden, unknown) in pairs {
        let refusal = dee.reads(client, &hidden).await.is(404);
        let unknown = dee.reads(client, &unknown).await.is(404);
        assert_eq!(refusal.body, unknown.body);
    }
    let body = json!({ "name": 7 });
    for method in ["PATCH"] {
        let response = dee.sends(client, method, "/api/v4/leads/1", &body).await;
        let unknown = dee.sends(client, method, "/api/v4/leads/99", &body).await;
        assert_eq!(response.is(404).body, unknown.is(404).body);
    }
    for deed in ["read", "typing", "viewing"] {
        let target = |id: &str| format!("/inbox/v1/conversations/{id}/{deed}");
        let response = dee
            .sends(client, "POST", &target(&conversations[0]), &json!({}))
            .await;
        let unknown = dee.sends(client, "POST", &target(never), &json!({})).await;
        assert_eq!(response.is(404).body, unknown.is(404).body);
    }
    let explained = "/inbox/v1/rights/explain?entity=leads&action=view&id=";
    let refusal = dee.reads(client, &format!("{explained}1")).await.is(404);
    let unknown = dee.reads(client, &format!("{explained}99")).await.is(404);
    assert_eq!(refusal.body, unknown.body);
    assert_eq!(client.leads().await[0]["name"], Value::from("Grace"));
}
