//! `/inbox/v1/webhooks`: the webhooks of an account as its administrators look after them.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::rights::floor;
use crate::support::client::Client;
use crate::support::eventually;
use crate::support::oauth::{OAUTH_CLIENT, does, installed};
use crate::support::server::{ACCOUNT, OTHER_TOKEN, Server, TOKEN};

const WEBHOOKS: &str = "/inbox/v1/webhooks";

/// A program with this token subscribes an address to these events.
async fn subscribes(client: &Client, token: &str, destination: &str, codes: &[&str]) {
    let body = json!({ "destination": destination, "settings": codes });
    does(client, token, "POST", "/api/v4/webhooks", &body)
        .await
        .is(201);
}

async fn webhooks(client: &Client) -> Vec<Value> {
    let list = client.get(WEBHOOKS).await.is(200).json;
    list["webhooks"].as_array().unwrap().clone()
}

/// Another administrator of the account; gives the number and a token.
pub(crate) async fn administrator(client: &Client) -> (u64, String) {
    let users = format!("/admin/v1/accounts/{ACCOUNT}/users");
    let body = json!({ "name": "Bo", "email": "bo@example.com", "is_admin": true });
    let user = client.operates("POST", &users, &body).await.is(201).json;
    let id = user["id"].as_u64().unwrap();
    let tokens = format!("{users}/{id}/tokens");
    let token = client
        .operates("POST", &tokens, &json!({ "name": "test" }))
        .await
        .is(201)
        .json;
    (id, token["token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn an_administrator_sees_whose_webhook_it_is_and_what_it_gets() {
    let server = Server::start().await;
    let client = server.client();
    let (bo, token) = administrator(client).await;
    let codes = ["add_message", "add_company", "delete_lead"];
    subscribes(client, &token, "https://hooks.example.org/in?k=1", &codes).await;
    let (access, _) = installed(client).await;
    subscribes(client, &access, "https://hooks.example.org/bot", &codes).await;
    let list = client.get(WEBHOOKS).await.is(200).json;
    let never = list["never_sent"].as_array().unwrap();
    assert_eq!(never.len(), 15, "{never:?}");
    assert!(never.contains(&json!("add_company")) && never.contains(&json!("restore_lead")));
    assert!(!never.contains(&json!("add_message")));
    let all = list["webhooks"].as_array().unwrap();
    assert_eq!(all[0]["destination"], "https://hooks.example.org/in?k=1");
    assert_eq!(all[0]["settings"], json!(codes));
    assert_eq!(all[0]["created_by"], bo);
    assert_eq!(all[0]["creator_name"], "Bo");
    assert_eq!(all[0]["creator_is_admin"], true);
    assert_eq!(all[0]["client_name"], Value::Null);
    assert_eq!(all[1]["client_id"], OAUTH_CLIENT);
    assert_eq!(all[1]["client_name"], "Bridge");
    assert_eq!(all[1]["creator_name"], "Ada");

    // It stays when its creator is an administrator no more, and the account hears of that.
    let user = format!("/admin/v1/accounts/{ACCOUNT}/users/{bo}");
    let change = json!({ "is_admin": false });
    client.operates("PATCH", &user, &change).await.is(200);
    let after = webhooks(client).await;
    assert_eq!(after[0]["creator_is_admin"], false);
    assert_eq!(after[1]["creator_is_admin"], true);
    does(client, &token, "GET", WEBHOOKS, &Value::Null)
        .await
        .is(403);
    let others = does(client, OTHER_TOKEN, "GET", WEBHOOKS, &Value::Null).await;
    assert_eq!(others.is(200).json["webhooks"], json!([]));
}

#[tokio::test]
async fn an_administrator_enables_a_webhook_that_is_disabled() {
    let server = Server::start().await;
    let client = server.client();
    subscribes(client, TOKEN, "https://hooks.example.org/in", &["add_lead"]).await;
    let enable = format!("{WEBHOOKS}/1/enable");
    floor::admin(client, "POST", &enable, &Value::Null)
        .await
        .is(409);
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let disable = format!("/admin/v1/accounts/{ACCOUNT}/webhooks/1/disable");
    client.operate("POST", &disable).send().await.is(200);
    let notice = switched(&mut stream).await;
    assert_eq!(notice, json!({ "webhook_id": 1, "disabled": true }));
    let off = webhooks(client).await.remove(0);
    assert!(off["disabled_at"].is_number());
    assert_eq!(off["disabled_by"], "operator");
    does(client, OTHER_TOKEN, "POST", &enable, &Value::Null)
        .await
        .is(404);
    floor::admin(client, "POST", &enable, &Value::Null)
        .await
        .is(204);
    let on = webhooks(client).await.remove(0);
    assert_eq!(on["disabled_at"], Value::Null);
    assert_eq!(on["disabled_by"], Value::Null);
    let notice = switched(&mut stream).await;
    assert_eq!(notice, json!({ "webhook_id": 1, "disabled": false }));
}

/// The next event of the stream about a webhook.
async fn switched(stream: &mut Stream) -> Value {
    loop {
        let event = stream.next().await.expect("the stream goes on");
        if event.name == "webhook" {
            return event.data;
        }
    }
}

/// Administrators get a notice of a disabled webhook: an event and a count. Others get none.
#[tokio::test]
async fn only_administrators_hear_that_a_webhook_is_disabled() {
    let server = Server::start().await;
    let client = server.client();
    subscribes(client, TOKEN, "https://hooks.example.org/in", &["add_lead"]).await;
    let (_, administrator) = administrator(client).await;
    let conversations = floor::conversations(client, 1).await;
    floor::place(client, 1, 2, None).await;
    let seller = floor::add(client, "sue", &floor::rights("A")).await;
    let mut stream = Stream::open_with(&server, ("Cookie", &seller.cookie), None).await;
    let disable = format!("/admin/v1/accounts/{ACCOUNT}/webhooks/1/disable");
    client.operate("POST", &disable).send().await.is(200);
    let (path, none) = ("/inbox/v1/counts", Value::Null);
    let hers = does(client, &administrator, "GET", path, &none).await;
    let his = seller.reads(client, path).await;
    for (counts, count) in [(hers, 1), (his, 0)] {
        let disabled = &counts.is(200).json["disabled_webhooks"];
        assert_eq!(disabled, &json!({ "count": count, "capped": false }));
    }
    let page = eventually("the webhook is counted", async || {
        let page = client.get("/metrics").await.is(200).body;
        page.contains("{state=\"disabled\"} 1\n").then_some(page)
    })
    .await;
    for series in ["{state=\"on\"} 0", "{state=\"disabled\"} 1"] {
        assert!(
            page.contains(&format!("switchboard_webhooks{series}\n")),
            "{page}"
        );
    }
    client.replied(&conversations[0], "hi").await;
    let events = stream.upto("message").await;
    assert!(events.iter().all(|it| it.name != "webhook"), "{events:?}");
}
