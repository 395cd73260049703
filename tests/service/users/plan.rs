//! The operations that an account needs the Enterprise plan for.

use serde_json::json;

use super::team::{self, EVE, send};

/// The administrator of an account on another plan is refused, with the reason.
async fn is_refused(operation: &str) {
    let server = team::start().await;
    let target = format!("/api/v4/users/{operation}");
    let body = json!([{ "id": 2 }]).to_string();
    let answer = send(server.client(), EVE, "POST", &target, body).await;
    let detail = answer.is(403).json["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("Enterprise"), "{detail}");
}

#[tokio::test]
async fn activating_is_for_the_enterprise_plan() {
    is_refused("activate").await;
}

#[tokio::test]
async fn deactivating_is_for_the_enterprise_plan() {
    is_refused("deactivate").await;
}
