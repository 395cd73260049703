//! Orders about worlds at the address of the service itself, where the console gives them.

use serde_json::json;

use super::started;
use super::world::World;
use crate::support::client::Client;
use crate::support::server::{OPERATOR_TOKEN, Setup, TOKEN};

/// The console asks its own origin, and only the operator is answered.
#[tokio::test]
async fn the_operator_orders_at_the_address_of_the_service() {
    let server = started().await;
    let world = World::make(&server, json!({ "name": "test_tulips" })).await;
    let id = world.made["id"].as_str().unwrap();
    let client = server.client().undescribed_at(server.url());
    let order = async |token: Option<&str>, method: &str, tail: &str, body: &str| {
        let target = format!("/dev/v1/worlds{tail}");
        let plain = client.request(method, &target);
        let with_token = match token {
            Some(token) => plain.bearer(token),
            None => plain,
        };
        let request = with_token.header("Content-Type", "application/json");
        request.body(body.to_owned()).send().await
    };
    for token in [None, Some(TOKEN), Some("wrong")] {
        assert_eq!(order(token, "GET", "", "").await.status, 401, "{token:?}");
    }
    let operator = Some(OPERATOR_TOKEN);
    let response = order(operator, "GET", "", "").await.is(200).json;
    assert_eq!(response["worlds"][0]["name"], "test_tulips");
    assert_eq!(response["worlds"][0]["faults"], json!([]));
    let fault = r#"{"on":"callbacks","do":"drop","times":3}"#;
    let faults = format!("/{id}/faults");
    order(operator, "POST", &faults, fault).await.is(201);
    let result = order(operator, "GET", &format!("/{id}"), "")
        .await
        .is(200)
        .json;
    assert_eq!(result["faults"][0]["left"], 3, "{result}");
    order(operator, "DELETE", &faults, "").await.is(200);
    let tail = format!("/{id}/journal?form=document&limit=2");
    let journal = order(operator, "GET", &tail, "").await.is(200).json;
    let entries = journal["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "{journal}");
    assert_eq!(entries[1]["what"], "ends all faults");
    assert_eq!(journal["cursor"], entries[1]["cursor"]);
    // The journal keeps what was ordered, so that it can be ordered again.
    assert_eq!(entries[0]["order"]["path"], "/faults");
    assert_eq!(entries[0]["order"]["body"]["do"], "drop");
    let wrong = order(operator, "POST", &format!("/{id}/advance"), "{").await;
    assert_eq!(wrong.is(400).json["title"], "Bad Request");
}

/// `serve` has no worlds: nothing is at these addresses, even for the operator.
#[tokio::test]
async fn a_service_without_worlds_has_none_of_it() {
    let server = Setup::default().start().await;
    let client: Client = server.client().undescribed_at(server.url());
    for target in ["/dev/v1/worlds", "/dev/v1/worlds/w1", "/dev/v1"] {
        let request = client.request("GET", target).bearer(OPERATOR_TOKEN);
        assert_eq!(request.send().await.status, 404, "{target}");
    }
    let me = client.get_as(TOKEN, "/inbox/v1/me").await.is(200).json;
    assert_eq!(me["has_worlds"], false);
    let server = started().await;
    let me = server.client().get_as(TOKEN, "/inbox/v1/me").await;
    assert_eq!(me.is(200).json["has_worlds"], true);
}
