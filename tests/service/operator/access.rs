//! Access to the operator's interface.

use serde_json::json;

use crate::support::directory::files_in;
use crate::support::eventually;
use crate::support::server::{CHANNEL, OPERATOR_TOKEN, Server, Setup, TOKEN};

const READ: [&str; 3] = [
    "/admin/v1/channels",
    "/admin/v1/audit",
    "/admin/v1/requests",
];

const WRITE: [(&str, &str); 9] = [
    ("POST", "/admin/v1/channels"),
    ("PATCH", "/admin/v1/channels/{id}"),
    ("POST", "/admin/v1/channels/{id}/rotate-secret"),
    ("POST", "/admin/v1/channels/{id}/end-rotation"),
    ("POST", "/admin/v1/channels/{id}/pause"),
    ("POST", "/admin/v1/channels/{id}/resume"),
    ("POST", "/admin/v1/channels/{id}/test-send"),
    ("POST", "/admin/v1/channels/{id}/check-signature"),
    ("POST", "/admin/v1/explain-id"),
];

#[tokio::test]
async fn without_the_operators_token_everything_is_the_same_401() {
    let server = Server::start().await;
    let client = server.client();
    let wrong = [
        "Bearer ".to_owned(),
        format!("Bearer {OPERATOR_TOKEN}x"),
        format!("Basic {OPERATOR_TOKEN}"),
        OPERATOR_TOKEN.to_owned(),
    ];
    for target in READ {
        let bare = client.request("GET", target).send().await.is(401);
        assert_eq!(bare.header("www-authenticate"), "Bearer");
        for value in &wrong {
            let request = client.request("GET", target).header("Authorization", value);
            let answer = request.send().await.is(401);
            assert_eq!(answer.body, bare.body, "{target} {value}");
        }
        // A token of the other interface is recognised, as it is there.
        let user = client
            .request("GET", target)
            .bearer(TOKEN)
            .send()
            .await
            .is(401);
        let kind = "this is the token of an account user, which is for /api/v4 and /inbox/v1";
        let detail = user.json["detail"].as_str().unwrap();
        assert!(detail.starts_with(kind), "{detail}");
        let two = client
            .request("GET", target)
            .bearer(OPERATOR_TOKEN)
            .another("Authorization", &format!("Bearer {OPERATOR_TOKEN}"));
        two.send().await.is(401);
        client.operate("GET", target).send().await.is(200);
        client.operate("HEAD", target).send().await.is(200);
        let answer = client.operate("DELETE", target).send().await.is(405);
        assert!(answer.header("allow").starts_with("GET, HEAD"), "{target}");
    }
    for (method, target) in WRITE {
        let target = target.replace("{id}", CHANNEL);
        let bare = client.request(method, &target).send_exactly().await.is(401);
        assert_eq!(bare.header("www-authenticate"), "Bearer", "{target}");
        let user = client.request(method, &target).bearer(TOKEN);
        user.send_exactly().await.is(401);
    }
    client
        .operate("GET", "/admin/v1/nothing")
        .send()
        .await
        .is(404);
}

/// Wrong tokens are counted by address; beyond the limit a right one gets the same answer.
#[tokio::test]
async fn operator_tokens_are_throttled_by_address_right_ones_as_well() {
    let proxies = "trusted_proxies = [\"127.0.0.0/8\"]";
    let server = Setup::default().setting("server", proxies).start().await;
    let client = server.client();
    let ask = async |address: &str, token: &str| {
        let request = client.request("GET", "/admin/v1/channels").bearer(token);
        request.header("X-Forwarded-For", address).send().await
    };
    // Right ones do not count, and neither does no token at all.
    for _ in 0..150 {
        ask("203.0.113.7", OPERATOR_TOKEN).await.is(200);
        client
            .request("GET", "/admin/v1/channels")
            .send()
            .await
            .is(401);
    }
    for number in 0..100 {
        ask("203.0.113.7", &format!("guess-{number}")).await.is(401);
    }
    for token in ["guess", OPERATOR_TOKEN] {
        let slowed = ask("203.0.113.7", token).await.is(429);
        let wait: u64 = slowed.header("retry-after").parse().unwrap();
        assert!((1..=900).contains(&wait), "{wait}");
        let detail = slowed.json["detail"].as_str().unwrap();
        assert!(
            detail.ends_with(&format!("; retry after {wait} s")),
            "{detail}"
        );
    }
    ask("203.0.113.8", OPERATOR_TOKEN).await.is(200);
    // Entered in the audit log, once, beside the request.
    let entries = eventually("the lock-out is entered", async || {
        let request = client.request("GET", "/admin/v1/audit?limit=100");
        let log = request
            .bearer(OPERATOR_TOKEN)
            .header("X-Forwarded-For", "203.0.113.8")
            .send()
            .await
            .is(200);
        let entries: Vec<_> = log.json["entries"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["action"] == "operator.lock_out")
            .cloned()
            .collect();
        (!entries.is_empty()).then_some(entries)
    })
    .await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["by"], json!({ "kind": "service" }));
    assert_eq!(entries[0]["object"], "203.0.113.7");
    assert_eq!(entries[0]["changes"][0]["after"], 100, "{entries:?}");
    let log = server.log();
    assert_eq!(
        log.matches("too many requests with invalid operator tokens")
            .count(),
        1,
        "{log}"
    );
    assert!(
        log.contains("203.0.113.7") && !log.contains("guess-"),
        "{log}"
    );
}

#[tokio::test]
async fn a_generated_token_is_shown_once_and_stored_as_a_hash() {
    let setup = Setup::default().without("operator", "token");
    let mut server = setup.start().await;
    let token = made_token(&server.log()).unwrap();
    let channels = |token: &str| {
        let request = server.client().request("GET", "/admin/v1/channels");
        request.bearer(token).send()
    };
    channels(&token).await.is(200);
    channels("").await.is(401);
    let log_start = server.log().len();
    assert_eq!(server.terminate().await, Some(0));
    let files = files_in(&server.data());
    assert!(files.len() > 1, "{files:?}");
    for entry in files {
        let bytes = std::fs::read(server.data().join(&entry)).unwrap();
        let is_there = bytes
            .windows(token.len())
            .any(|window| window == token.as_bytes());
        assert!(!is_there, "{}", entry.display());
    }
    server.restart().await;
    assert_eq!(made_token(&server.log()[log_start..]), None);
    let request = server.client().request("GET", "/admin/v1/channels");
    request.bearer(&token).send().await.is(200);
    // A configured token takes its place, and it does not come back.
    for (change, log) in [("token = \"a-better-one\"", false), ("", true)] {
        assert_eq!(server.terminate().await, Some(0));
        let log_start = server.log().len();
        server.change(|setup| match change {
            "" => setup.without("operator", "token"),
            line => setup.setting("operator", line),
        });
        server.restart().await;
        let request = server.client().request("GET", "/admin/v1/channels");
        request.bearer(&token).send().await.is(401);
        assert_eq!(made_token(&server.log()[log_start..]).is_some(), log);
    }
}

/// The token that the service said it has made.
fn made_token(log: &str) -> Option<String> {
    let (_, behind) = log.split_once("one was made.")?;
    let token = behind.lines().nth(1)?.trim();
    assert_eq!(token.len(), 64, "{log}");
    Some(token.to_owned())
}
