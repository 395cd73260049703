//! `GET /inbox/v1/rights/explain`: what it says is what happens.

use serde_json::json;

use super::floor;
use crate::support::server::{Server, TOKEN};

#[tokio::test]
async fn the_explained_steps_are_those_of_the_calculation() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let mut rights = floor::rights("M");
    rights["status_rights"] = json!([floor::stage(2, "A")]);
    let mia = floor::add(client, "Mia", &rights).await;
    floor::place(client, 1, 2, None).await;
    let target = "/inbox/v1/rights/explain?entity=leads&action=edit&id=1";
    let explained = mia.reads(client, target).await.is(200).json;
    assert_eq!(explained["user_id"], mia.id);
    assert_eq!(
        (&explained["allowed"], &explained["right"]),
        (&json!(true), &json!("A"))
    );
    let steps = explained["steps"].as_array().unwrap();
    let kinds: Vec<_> = steps
        .iter()
        .map(|step| step["step"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["general", "stage", "reach"]);
    assert_eq!(steps[0]["right"], "M");
    assert_eq!(steps[1]["status_id"], 2);
    assert!(
        steps
            .iter()
            .all(|step| !step["detail"].as_str().unwrap().is_empty())
    );
    let body = json!({ "name": "x" });
    mia.sends(client, "PATCH", "/api/v4/leads/1", &body)
        .await
        .is(200);
}

#[tokio::test]
async fn only_administrators_may_query_the_rights_of_others() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let target = format!(
        "/inbox/v1/rights/explain?entity=leads&action=view&id=1&user_id={}",
        mia.id
    );
    let explained = client.get_as(TOKEN, &target).await.is(200).json;
    assert_eq!(explained["allowed"], false);
    let of_ada = "/inbox/v1/rights/explain?entity=leads&action=view&user_id=1";
    mia.reads(client, of_ada).await.is(403);
    let nobody = "/inbox/v1/rights/explain?entity=leads&action=view&user_id=99";
    client.get_as(TOKEN, nobody).await.is(404);
}

#[tokio::test]
async fn invalid_queries_are_refused() {
    let server = Server::start().await;
    let client = server.client();
    for query in [
        "",
        "entity=leads",
        "entity=leads&action=fly",
        "entity=tasks&action=view",
        "entity=mail&action=view",
        "entity=tasks&action=edit&id=1",
        "entity=leads&action=view&id=x",
        "entity=leads&action=view&user_id=0",
        "entity=leads&action=view&action=edit",
    ] {
        let target = format!("/inbox/v1/rights/explain?{query}");
        client.get_as(TOKEN, &target).await.is(400);
    }
    for query in [
        "entity=mail",
        "entity=catalogs",
        "entity=tasks&action=delete",
        "entity=companies&action=add",
        "entity=customers&action=export",
    ] {
        let target = format!("/inbox/v1/rights/explain?{query}");
        let explained = client.get_as(TOKEN, &target).await.is(200).json;
        assert_eq!(explained["allowed"], true, "an administrator");
    }
}
