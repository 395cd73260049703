//! `POST /api/v4/users/activate`.

use serde_json::json;

use super::team::{self, CLEO, DAN, post};

const ACTIVATE: &str = "/api/v4/users/activate";

#[tokio::test]
async fn activated_users_are_answered_with_202_and_may_sign_in() {
    let server = team::start().await;
    let client = server.client();
    post(client, "/api/v4/users/deactivate", &json!([{ "id": 2 }]))
        .await
        .is(204);
    client.get_as(DAN, "/api/v4/account").await.is(401);
    // Repeating is fine.
    for _ in 0..2 {
        let answer = post(client, ACTIVATE, &json!([{ "id": 2 }])).await.is(202);
        assert_eq!(answer.body, "");
        client.get_as(DAN, "/api/v4/account").await.is(200);
    }
    let dan = client.get_as(CLEO, "/api/v4/users/2").await.is(200).json;
    assert_eq!(dan["rights"]["is_active"], true);
}
