//! `POST /api/v4/users/deactivate`.

use serde_json::json;

use super::team::{self, CLEO, DAN, post};

const DEACTIVATE: &str = "/api/v4/users/deactivate";

#[tokio::test]
async fn deactivation_is_204_and_stops_tokens_at_once() {
    let server = team::start().await;
    let client = server.client();
    client.get_as(DAN, "/api/v4/account").await.is(200);
    // Repeating is fine.
    for _ in 0..2 {
        let answer = post(client, DEACTIVATE, &json!([{ "id": 2 }]))
            .await
            .is(204);
        assert_eq!(answer.body, "");
        let refusal = client.get_as(DAN, "/api/v4/account").await.is(401);
        let unknown = client.get_as("nobody", "/api/v4/account").await.is(401);
        assert_eq!(refusal.body, unknown.body);
    }
    // Who is switched off stays in the lists, with the rights they had.
    let dan = client.get_as(CLEO, "/api/v4/users/2").await.is(200).json;
    assert_eq!(dan["rights"]["is_active"], false);
}

#[tokio::test]
async fn one_invalid_user_deactivates_none() {
    let server = team::start().await;
    let client = server.client();
    team::create_user(client, &team::user("Bo")).await;
    let answer = post(
        client,
        DEACTIVATE,
        &json!([{ "id": 3 }, { "id": 7 }, { "id": 1 }]),
    )
    .await;
    assert_eq!(
        answer.is(400).json["detail"],
        "User(s) 7 are not associated with provided account. User(s) 1 are administrators and can be neither \
         activated nor deactivated."
    );
    let bo = client.get_as(CLEO, "/api/v4/users/3").await.is(200).json;
    assert_eq!(bo["rights"]["is_active"], true);
    client.get_as(CLEO, "/api/v4/users").await.is(200);
}

/// Requests that come after the 204 are refused, whatever runs at the same time.
#[tokio::test]
async fn requests_after_the_204_of_a_deactivation_are_refused() {
    let server = team::start().await;
    let client = server.client();
    let body = json!([{ "id": 2 }]);
    let reads = (0..32).map(|_| client.get_as(DAN, "/api/v4/account"));
    let both = futures_util::future::join(
        futures_util::future::join_all(reads),
        post(client, DEACTIVATE, &body),
    );
    let (answers, deactivated) = both.await;
    deactivated.is(204);
    for answer in answers {
        assert!([200, 401].contains(&answer.status), "{}", answer.status);
    }
    client.get_as(DAN, "/api/v4/account").await.is(401);
}
