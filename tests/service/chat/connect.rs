//! `POST <channel_id>/connect`.

use serde_json::json;

use crate::support::client::scope;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

#[tokio::test]
async fn connecting_answers_with_all_five_keys() {
    let server = Server::start().await;
    let answer = server.client().connect_account(ACCOUNT, "v2").await.is(200);
    assert_eq!(
        answer.json,
        json!({
            "account_id": ACCOUNT,
            "scope_id": scope(CHANNEL, ACCOUNT),
            "title": "First messenger",
            "hook_api_version": "v2",
            "is_time_window_disabled": false,
        })
    );
}
