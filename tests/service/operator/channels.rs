//! Making, seeing and changing channels.

use serde_json::json;

use crate::operator::{again, change, shown};
use crate::support::client::{message, scope, signature};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_SECRET, SECRET, Server};

#[tokio::test]
async fn id_and_secret_are_generated_shown_once_and_durable() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    let new = json!({ "name": "Made", "webhook_v2": receiver.webhook("v2"), "timeout_seconds": 5 });
    let response = client
        .operates("POST", "/admin/v1/channels", &new)
        .await
        .is(201);
    assert_eq!(response.header("cache-control"), "no-store");
    let (id, secret) = (text(&response.json["id"]), text(&response.json["secret"]));
    assert_eq!((id.len(), secret.len()), (36, 40));
    let own = format!("/admin/v1/channels/{id}");
    assert_eq!(
        response.header("location"),
        format!("{}{own}", server.url())
    );
    again(&mut server).await;
    let client = server.client();
    let mut result = client.operate("GET", &own).send().await.is(200).json;
    assert_eq!(result.get("secret"), None);
    result["secret"] = json!(secret);
    assert_eq!(result, response.json);
    // And it works: an account connects to it with that secret.
    let connect = json!({ "account_id": ACCOUNT, "hook_api_version": "v2" }).to_string();
    let request = client
        .signed("POST", &format!("{id}/connect"), connect.clone())
        .header("X-Signature", &signature(&secret, connect.as_bytes()));
    assert_eq!(
        request.send().await.is(200).json["scope_id"],
        scope(&id, ACCOUNT)
    );
}

#[tokio::test]
async fn channels_are_listed_without_secrets() {
    let server = Server::start().await;
    let client = server.client();
    let new = json!({ "id": "mine", "name": "Mine", "secret": "given-by-the-operator" });
    let response = client
        .operates("POST", "/admin/v1/channels", &new)
        .await
        .is(201);
    assert_eq!(response.json.get("secret"), None, "who gave it knows it");
    let list = client
        .operate("GET", "/admin/v1/channels")
        .send()
        .await
        .is(200);
    let channels = list.json["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 3);
    for secret in [SECRET, OTHER_SECRET, "given-by-the-operator"] {
        assert!(!list.body.contains(secret) && !response.body.contains(secret));
    }
    let first = channels
        .iter()
        .find(|channel| channel["id"] == CHANNEL)
        .unwrap();
    assert_eq!(first, &shown(&server).await);
    assert_eq!(first["accounts"], json!(["*"]));
    assert_eq!(
        (&first["paused"], &first["rotation"]),
        (&json!(false), &json!(null))
    );
    // As `printf %s "$SECRET" | sha256sum | cut -c1-16` prints it.
    assert_eq!(first["secret_fingerprint"], "8409acfd99244753");
}

#[tokio::test]
async fn an_id_is_used_once_and_an_unknown_one_is_404() {
    let server = Server::start().await;
    let client = server.client();
    let body = json!({ "id": CHANNEL, "name": "Again" });
    client
        .operates("POST", "/admin/v1/channels", &body)
        .await
        .is(409);
    for id in ["nothing", "a%20b", "%2e%2e", "a%2Fb"] {
        let target = format!("/admin/v1/channels/{id}");
        client.operate("GET", &target).send_exactly().await.is(404);
        client.operates("PATCH", &target, &json!({})).await.is(404);
        for action in [
            "rotate-secret",
            "end-rotation",
            "pause",
            "resume",
            "test-send",
        ] {
            let target = format!("{target}/{action}");
            client.operate("POST", &target).send_exactly().await.is(404);
            client.operate("GET", &target).send_exactly().await.is(405);
        }
    }
}

#[tokio::test]
async fn unnamed_fields_stay_and_null_clears_an_address() {
    let mut server = Server::start().await;
    let before = shown(&server).await;
    let same = change(&server, &json!({})).await;
    assert_eq!(same, before);
    let channel_view = change(
        &server,
        &json!({ "name": "Renamed", "webhook_v1": null, "timeout_seconds": 3 }),
    )
    .await;
    assert_eq!(channel_view["name"], "Renamed");
    assert_eq!(channel_view["webhook_v1"], json!(null));
    assert_eq!(channel_view["webhook_v2"], before["webhook_v2"]);
    assert_eq!(channel_view["timeout_seconds"], 3);
    again(&mut server).await;
    assert_eq!(shown(&server).await, channel_view);
    let back = change(&server, &json!({ "timeout_seconds": null })).await;
    assert_eq!(back["timeout_seconds"], json!(null));
}

#[tokio::test]
async fn setting_and_clearing_the_generation_is_audited() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    assert_eq!(shown(&server).await["generation"], json!(null));
    let pinned = change(&server, &json!({ "generation": "current" })).await;
    assert_eq!(pinned["generation"], "current");
    // The raw body is signed, as in 2019.
    client.send(&message("m", "c")).await.is(403);
    client.sent_today(&message("m", "c")).await;
    let free = change(&server, &json!({ "generation": null })).await;
    assert_eq!(free["generation"], json!(null));
    client.sent(&message("n", "c")).await;
    let log = client
        .operate("GET", "/admin/v1/audit")
        .send()
        .await
        .is(200);
    let entries = log.json["entries"].to_string();
    assert!(entries.contains("generation"), "{entries}");
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let wrong = json!({ "generation": "2020", "typing_callbacks": 1, "reaction_callbacks": null });
    let refusal = client.operates("PATCH", &target, &wrong).await.is(400);
    for path in ["generation", "typing_callbacks", "reaction_callbacks"] {
        assert!(refusal.body.contains(path), "{path}: {}", refusal.body);
    }
}

#[tokio::test]
async fn the_kind_and_the_page_stay_and_are_audited() {
    const PAGE: &str = "https://bridge.example.com/";
    let mut server = Server::start().await;
    let before = shown(&server).await;
    assert_eq!(
        (&before["kind"], &before["page"]),
        (&json!("other"), &json!(null))
    );
    let set = change(&server, &json!({ "kind": "telegram", "page": PAGE })).await;
    again(&mut server).await;
    assert_eq!(shown(&server).await, set);
    assert_eq!(
        (&set["kind"], &set["page"]),
        (&json!("telegram"), &json!(PAGE))
    );
    let without_page = change(&server, &json!({ "page": null })).await;
    assert_eq!(
        (&without_page["kind"], &without_page["page"]),
        (&json!("telegram"), &json!(null))
    );
    let request = server.client().operate("GET", "/admin/v1/audit");
    let log = request.send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().iter();
    let changes: Vec<_> = entries
        .filter(|entry| entry["action"] == "channel.update")
        .map(|entry| entry["changes"].clone())
        .collect();
    let kind = json!({ "field": "kind", "before": "other", "after": "telegram" });
    let page = json!({ "field": "page", "before": null, "after": PAGE });
    let no_page = json!({ "field": "page", "before": PAGE, "after": null });
    assert_eq!(changes, [json!([no_page]), json!([kind, page])]);
}

#[tokio::test]
async fn typing_and_reaction_callbacks_stay_as_configured() {
    let mut server = Server::start().await;
    let before = shown(&server).await;
    assert_eq!(before["typing_callbacks"], json!(false));
    assert_eq!(before["reaction_callbacks"], json!(false));
    let on = json!({ "typing_callbacks": true, "reaction_callbacks": true });
    let channel_view = change(&server, &on).await;
    again(&mut server).await;
    assert_eq!(shown(&server).await, channel_view);
    let half = change(&server, &json!({ "typing_callbacks": false })).await;
    assert_eq!(half["typing_callbacks"], json!(false));
    assert_eq!(half["reaction_callbacks"], json!(true));
    let new = json!({ "name": "New", "generation": "2019", "reaction_callbacks": true });
    let response = server
        .client()
        .operates("POST", "/admin/v1/channels", &new)
        .await
        .is(201)
        .json;
    assert_eq!(
        (&response["generation"], &response["typing_callbacks"]),
        (&json!("2019"), &json!(false))
    );
    assert_eq!(response["reaction_callbacks"], json!(true));
}

#[tokio::test]
async fn callbacks_go_to_the_new_address_once_it_is_acknowledged() {
    let (old, new) = (Receiver::start().await, Receiver::start().await);
    let server = Server::calling(&old).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = text(&new_message["conversation_id"]);
    client.replied(&conversation, "to the old address").await;
    old.callbacks(1).await;
    change(&server, &json!({ "webhook_v2": new.webhook("v2") })).await;
    client.replied(&conversation, "to the new address").await;
    new.callbacks(1).await;
    assert_eq!(old.so_far().len(), 1);
}

/// An account that is not listed any more cannot connect, and stays connected if it was.
#[tokio::test]
async fn an_account_removed_from_the_list_cannot_connect_anew() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let only = json!({ "accounts": [OTHER_ACCOUNT, OTHER_ACCOUNT] });
    let channel_view = change(&server, &only).await;
    assert_eq!(channel_view["accounts"], json!([OTHER_ACCOUNT]));
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let refusal = client.connect_account(ACCOUNT, "v1").await.is(403);
    assert_eq!(refusal.error_type(), "ORIGIN_ACCOUNT_NOT_ALLOWED");
    client.sent(&message("m", "c")).await;
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().unwrap().to_owned()
}
