//! `PATCH /inbox/v1/me` and `POST /inbox/v1/me/password`.

use serde_json::json;

use crate::rights::floor::{Person, person, sign_in};
use crate::support::client::Client;
use crate::support::server::{Server, TOKEN};

const ME: &str = "/inbox/v1/me";
const PASSWORD: &str = "/inbox/v1/me/password";

async fn signed_in(client: &Client, password: &str) -> Person {
    let body = json!({ "email": "ada@example.com", "password": password });
    person(&sign_in(client, &body).await.is(201))
}

#[tokio::test]
async fn users_change_their_own_name_and_language() {
    let server = Server::start().await;
    let client = server.client();
    let ada = signed_in(client, "Secr3tive").await;
    let body = json!({ "name": "Ada King", "lang": "es" });
    let me = ada.sends(client, "PATCH", ME, &body).await.is(200).json;
    assert_eq!(
        (&me["user"]["name"], &me["user"]["lang"]),
        (&json!("Ada King"), &json!("es"))
    );
    assert_eq!(ada.reads(client, ME).await.is(200).json["user"], me["user"]);
    let wrong = ada
        .sends(
            client,
            "PATCH",
            ME,
            &json!({ "name": "", "email": "x@y.zz" }),
        )
        .await
        .is(400)
        .body;
    assert!(
        wrong.contains("\"name\"") && wrong.contains("\"email\""),
        "{wrong}"
    );
    let by_token = client
        .request("PATCH", ME)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    by_token.body(body.to_string()).send().await.is(400);
}

/// The session of the change goes on as a new one; all others end.
#[tokio::test]
async fn users_change_their_own_password_with_the_current_one() {
    let mut server = Server::start().await;
    let client = server.client();
    let (here, elsewhere) = (
        signed_in(client, "Secr3tive").await,
        signed_in(client, "Secr3tive").await,
    );
    let wrong = json!({ "current_password": "Secr3tively", "password": "aBcde1@345" });
    let refusal = here.sends(client, "POST", PASSWORD, &wrong).await.is(400);
    assert!(
        refusal.body.contains("current_password"),
        "{}",
        refusal.body
    );
    let weak = json!({ "current_password": "Secr3tive", "password": "weak" });
    assert!(
        here.sends(client, "POST", PASSWORD, &weak)
            .await
            .is(400)
            .body
            .contains("\"password\"")
    );
    here.reads(client, ME).await.is(200);
    let right = json!({ "current_password": "Secr3tive", "password": "aBcde1@345" });
    let renewed = person(&here.sends(client, "POST", PASSWORD, &right).await.is(200));
    for ended in [&here, &elsewhere] {
        ended.reads(client, ME).await.is(401);
    }
    renewed.reads(client, ME).await.is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    renewed.reads(client, ME).await.is(200);
    sign_in(
        client,
        &json!({ "email": "ada@example.com", "password": "Secr3tive" }),
    )
    .await
    .is(401);
    signed_in(client, "aBcde1@345").await;
}

/// Guessing the current password is bounded as guessing at the sign-in is, and both count together.
#[tokio::test]
async fn guesses_of_the_current_password_are_limited() {
    let server = Server::start().await;
    let client = server.client();
    let ada = signed_in(client, "Secr3tive").await;
    let wrong = json!({ "current_password": "Secr3tively", "password": "aBcde1@345" });
    for _ in 0..10 {
        ada.sends(client, "POST", PASSWORD, &wrong).await.is(400);
    }
    let refusal = ada.sends(client, "POST", PASSWORD, &wrong).await.is(429);
    assert!(refusal.header("retry-after").parse::<u64>().unwrap() > 0);
    let right = json!({ "current_password": "Secr3tive", "password": "aBcde1@345" });
    ada.sends(client, "POST", PASSWORD, &right).await.is(429);
    ada.reads(client, ME).await.is(200);
}
