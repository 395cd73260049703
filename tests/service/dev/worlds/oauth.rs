//! The OAuth client of a world, and what goes wrong with its tokens.

use serde_json::{Value, json};

use super::started;
use super::world::World;
use crate::support::answer::Answer;
use crate::support::oauth::{asks_for_tokens, tokens};

impl World<'_> {
    /// Asks for tokens, with the credentials of the client of this world.
    async fn tokens(&self, grant_type: &str, name: &str, value: &str) -> Answer {
        let client = &self.made["oauth_client"];
        let body = json!({
            "client_id": client["id"], "client_secret": client["secret"],
            "redirect_uri": client["redirect_uri"], "grant_type": grant_type, name: value,
        });
        asks_for_tokens(self.client(), "bridge/1.0", &body).await
    }

    async fn exchange(&self, code: &str) -> Answer {
        self.tokens("authorization_code", "code", code).await
    }

    async fn refresh(&self, token: &str) -> Answer {
        self.tokens("refresh_token", "refresh_token", token).await
    }

    fn code(&self) -> String {
        let code = self.made["oauth_client"]["code"].as_str();
        code.unwrap().to_owned()
    }

    async fn consent(&self) -> Value {
        self.order("POST", "/users/ada/consent", json!({})).await
    }

    async fn account(&self, token: &str) -> u16 {
        let answer = self.client().get_as(token, "/api/v4/account").await;
        answer.status
    }

    async fn passes(&self, seconds: u64) {
        let body = json!({ "seconds": seconds });
        self.order("POST", "/advance", body).await;
    }
}

fn hint(answer: &Answer) -> &str {
    assert_eq!(
        (answer.status, &answer.json["error"]),
        (400, &json!("invalid_grant"))
    );
    answer.json["hint"].as_str().unwrap()
}

/// Codes and tokens expire by the clock of the world, and no header says which world is meant.
#[tokio::test]
async fn an_integration_exchanges_and_refreshes_in_a_world() {
    let server = started().await;
    let (world, other) = tokio::join!(
        World::make(&server, json!({ "seed": 7 })),
        World::make(&server, json!({ "seed": 8 }))
    );
    let (access, refresh) = tokens(&world.exchange(&world.code()).await);
    assert!(hint(&world.exchange(&world.code()).await).contains("was used"));
    assert_eq!(world.account(&access).await, 200);
    assert_eq!(other.account(&access).await, 401);
    assert_eq!(other.refresh(&refresh).await.status, 400);
    world.passes(86_400).await;
    assert_eq!(world.account(&access).await, 401);
    let (access, refresh) = tokens(&world.refresh(&refresh).await);
    assert_eq!(world.account(&access).await, 200);
    let consent = world.consent().await;
    world.passes(20 * 60).await;
    let late = world.exchange(consent["code"].as_str().unwrap()).await;
    assert!(hint(&late).contains("expired"), "{late:?}");
    world.passes(90 * 86_400 / 3).await;
    world.passes(90 * 86_400 / 3).await;
    world.passes(90 * 86_400 / 3).await;
    assert!(hint(&world.refresh(&refresh).await).contains("90 days"));
    let journal = world.text("/journal").await;
    assert!(!journal.contains(&refresh) && !journal.contains(&access));
}

#[tokio::test]
async fn a_world_has_the_redirect_address_that_it_is_given() {
    let server = started().await;
    let redirect = "https://bridge.example/cb?from=here";
    let world = World::make(&server, json!({ "redirect_uri": redirect })).await;
    assert_eq!(world.made["oauth_client"]["redirect_uri"], redirect);
    let consent = world.consent().await;
    let location = consent["location"].as_str().unwrap();
    let code = consent["code"].as_str().unwrap();
    assert!(
        location.starts_with(&format!("{redirect}&code={code}&")),
        "{location}"
    );
    let response = world.order("POST", "/snapshots", json!({})).await;
    let fork = World::fork(&world, response["id"].as_str().unwrap()).await;
    assert_eq!(fork.code(), code, "the newest one");
    for world in [&world, &fork] {
        tokens(&world.exchange(code).await);
    }
}

/// The answer names the request that was faster, and the token is spent indeed.
#[tokio::test]
async fn another_program_uses_the_refresh_token_before() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let (access, refresh) = tokens(&world.exchange(&world.code()).await);
    world
        .fault(json!({ "on": "oauth", "do": "refresh_race" }))
        .await;
    // It strikes refresh tokens only.
    assert_eq!(world.account(&access).await, 200);
    for _ in 0..2 {
        let answer = world.refresh(&refresh).await;
        let hint = hint(&answer);
        assert!(
            hint.contains("by another-process/1.0 from 127.0.0.1"),
            "{hint}"
        );
    }
    let response = world.order("GET", "/faults", json!(null)).await;
    assert_eq!(response, json!({ "faults": [] }));
    let consent = world.consent().await;
    let again = world.exchange(consent["code"].as_str().unwrap()).await;
    tokens(&again);
    let journal = world.text("/journal?form=text").await;
    assert!(
        journal.contains("uses the refresh token first (fault refresh_race): 200"),
        "{journal}"
    );
}

/// The client is uninstalled indeed, whether a program refreshes or asks for something.
#[tokio::test]
async fn a_client_is_uninstalled_before_its_request_comes() {
    let server = started().await;
    for asks_first in [true, false] {
        let world = World::make(&server, json!({})).await;
        let (access, refresh) = tokens(&world.exchange(&world.code()).await);
        let fault = json!({ "on": "oauth", "do": "revoked" });
        world.fault(fault).await;
        assert_eq!(world.account(&world.token()).await, 200, "it is no client");
        if asks_first {
            assert_eq!(world.account(&access).await, 401);
        }
        let answer = world.refresh(&refresh).await;
        assert!(
            hint(&answer).contains("uninstalled the client"),
            "{answer:?}"
        );
        assert_eq!(world.account(&access).await, 401);
        assert_eq!(
            world.post("m-1").await.status,
            200,
            "the channel is connected yet"
        );
        let consent = world.consent().await;
        let again = world.exchange(consent["code"].as_str().unwrap()).await;
        tokens(&again);
    }
}
