//! Access to the interface, and the answers to requests without it.

use crate::support::client::{message, scope};
use crate::support::server::{
    ACCOUNT, CHANNEL, OPERATOR_TOKEN, OTHER_ACCOUNT, OTHER_TOKEN, SECRET, Server, TOKEN,
};

const READ: [&str; 7] = [
    "/api/v4/account",
    "/api/v4/leads",
    "/api/v4/leads/1",
    "/api/v4/leads/pipelines",
    "/api/v4/contacts",
    "/inbox/v1/conversations",
    "/inbox/v1/channels",
];

#[tokio::test]
async fn without_a_valid_token_everything_is_the_same_401() {
    let server = Server::start().await;
    let client = server.client();
    let long = format!("Bearer {}", "a".repeat(10_000));
    let wrong = [
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {TOKEN}x"),
        format!("Basic {TOKEN}"),
        TOKEN.to_owned(),
        format!("Bearer {TOKEN} {TOKEN}"),
        long,
    ];
    for target in READ {
        let bare = client.request("GET", target).send().await.is(401);
        assert_eq!(bare.header("www-authenticate"), "Bearer");
        for value in &wrong {
            let request = client.request("GET", target).header("Authorization", value);
            let answer = request.send().await.is(401);
            assert_eq!(answer.body, bare.body, "{target} {value}");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
        }
        let two = client.request("GET", target).bearer(TOKEN);
        two.another("Authorization", &format!("Bearer {TOKEN}"))
            .send()
            .await
            .is(401);
        client
            .request("GET", &format!("{target}?access_token={TOKEN}"))
            .send()
            .await
            .is(401);
    }
}

#[tokio::test]
async fn tokens_of_another_kind_are_named_up_to_a_limit() {
    let server = Server::start().await;
    let client = server.client();
    let detail_of = async |token: &str| {
        let answer = client.get_as(token, "/api/v4/account").await.is(401);
        answer.json["detail"].as_str().unwrap().to_owned()
    };
    let plain = detail_of("nobody").await;
    for (token, kind) in [
        (OPERATOR_TOKEN, "the operator's token"),
        (SECRET, "the secret of a channel"),
    ] {
        let detail = detail_of(token).await;
        assert!(
            detail.contains(kind) && detail.ends_with(&plain),
            "{detail}"
        );
        assert!(!detail.contains(token), "{detail}");
        assert_eq!(detail_of(&format!("{token}x")).await, plain);
    }
    // After this many unknown tokens, the answer no longer names the kind: the operator's token cannot be guessed here.
    for number in 0..100 {
        assert_eq!(detail_of(&format!("guess-{number}")).await, plain);
    }
    assert_eq!(detail_of(OPERATOR_TOKEN).await, plain);
    assert_eq!(detail_of(SECRET).await, plain);
    client
        .operate("GET", "/admin/v1/channels")
        .send()
        .await
        .is(200);
    client.get("/api/v4/account").await.is(200);
}

#[tokio::test]
async fn the_word_bearer_is_accepted_in_any_case() {
    let server = Server::start().await;
    let request = server.client().request("GET", "/api/v4/account");
    request
        .header("Authorization", &format!("bearer {TOKEN}"))
        .send()
        .await
        .is(200);
}

/// The token of another account sees nothing, and gets the answer of an object that never existed.
#[tokio::test]
async fn another_account_gets_the_answer_of_unknown_objects() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let unknown = "deadbeef-0000-4000-8000-000000000000";
    let pairs = [
        (
            format!("/inbox/v1/conversations/{conversation}"),
            format!("/inbox/v1/conversations/{unknown}"),
        ),
        (
            format!("/inbox/v1/conversations/{conversation}/messages"),
            format!("/inbox/v1/conversations/{unknown}/messages"),
        ),
        ("/api/v4/talks/1".to_owned(), "/api/v4/talks/99".to_owned()),
    ];
    for (theirs, never) in pairs {
        client.get(&theirs).await.is(200);
        let foreign = client.get_as(OTHER_TOKEN, &theirs).await.is(404);
        let never = client.get_as(OTHER_TOKEN, &never).await.is(404);
        assert_eq!(foreign.body, never.body);
    }
    let list = client
        .get_as(OTHER_TOKEN, "/inbox/v1/conversations")
        .await
        .is(200);
    assert_eq!(list.json["conversations"], serde_json::json!([]));
    for target in ["/api/v4/leads", "/api/v4/leads/1", "/api/v4/contacts"] {
        client.get_as(OTHER_TOKEN, target).await.is(204);
    }
    let answer = client
        .request(
            "POST",
            &format!("/inbox/v1/conversations/{conversation}/messages"),
        )
        .bearer(OTHER_TOKEN)
        .header("Content-Type", "application/json")
        .body("{\"type\":\"text\",\"text\":\"hello\"}")
        .send()
        .await;
    answer.is(404);
    assert_eq!(client.messages(conversation).await.len(), 1);
}

#[tokio::test]
async fn each_accounts_leads_are_numbered_from_1() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    for account in [ACCOUNT, OTHER_ACCOUNT] {
        client
            .post(&scope(CHANNEL, account), &message("m", "c"))
            .await
            .is(200);
    }
    for token in [TOKEN, OTHER_TOKEN] {
        let lead = client.get_as(token, "/api/v4/leads/1").await.is(200);
        assert_eq!(lead.header("content-type"), "application/hal+json");
    }
}

#[tokio::test]
async fn the_account_follows_the_token_and_shows_its_chat_id() {
    let server = Server::start().await;
    let client = server.client();
    let plain = client.read("/api/v4/account").await;
    assert_eq!(plain["name"], "First");
    assert_eq!(plain.get("amojo_id"), None);
    let with = client.read("/api/v4/account?with=users,amojo_id").await;
    assert_eq!(with["amojo_id"], ACCOUNT);
    let other = client
        .get_as(OTHER_TOKEN, "/api/v4/account?with=amojo_id")
        .await;
    assert_eq!(other.json["amojo_id"], OTHER_ACCOUNT);
}

#[tokio::test]
async fn head_works_where_get_does() {
    let server = Server::start().await;
    let client = server.client();
    for target in READ.into_iter().filter(|target| !target.ends_with("/1")) {
        client
            .request("HEAD", target)
            .bearer(TOKEN)
            .send()
            .await
            .when_read();
        client.request("HEAD", target).send().await.is(401);
    }
}

#[tokio::test]
async fn other_methods_are_405_with_allow() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = "/inbox/v1/conversations";
    let pipelines = "/api/v4/leads/pipelines";
    let added_to = [
        conversations,
        pipelines,
        "/api/v4/leads",
        "/api/v4/contacts",
    ];
    for target in READ.into_iter().filter(|it| !added_to.contains(it)) {
        for method in ["POST", "PUT", "DELETE", "TRACE"] {
            let request = client.request(method, target).bearer(TOKEN);
            let answer = request.send_exactly().await.is(405);
            let allow = if target.ends_with("/1") {
                "GET, HEAD, PATCH"
            } else {
                "GET, HEAD"
            };
            assert_eq!(answer.header("allow"), allow, "{method} {target}");
        }
    }
    let messages = "/inbox/v1/conversations/deadbeef-0000-4000-8000-000000000000/messages";
    for target in added_to.into_iter().chain([messages]) {
        let request = client.request("DELETE", target).bearer(TOKEN);
        let answer = request.send().await.is(405);
        let allow = if [pipelines, messages].contains(&target) {
            "GET, HEAD, POST"
        } else {
            "GET, HEAD, POST, PATCH"
        };
        assert_eq!(answer.header("allow"), allow, "{target}");
    }
}

#[tokio::test]
async fn unknown_paths_are_404_and_never_normalised() {
    let server = Server::start().await;
    let client = server.client();
    for target in [
        "/api/v4/leads/",
        "/api/v4//leads",
        "/api/v4/./leads",
        "/api/v4/x/../leads",
        "/api/v4/leads/1/",
        "/api/v5/leads",
        "/API/v4/leads",
        "/v2/origin/custom",
    ] {
        let request = client.request("GET", target).bearer(TOKEN);
        request.send_exactly().await.is(404);
    }
}

#[tokio::test]
async fn an_invalid_lead_number_is_404_and_an_unknown_one_204() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m", "c")).await;
    for (id, status) in [
        ("0", 204),
        ("-1", 404),
        ("1.5", 404),
        ("abc", 404),
        ("9223372036854775808", 204),
        ("18446744073709551616", 204),
        ("%D9%A1", 404),
        ("+1", 404),
        ("01x", 404),
    ] {
        let request = client
            .request("GET", &format!("/api/v4/leads/{id}"))
            .bearer(TOKEN);
        request.send_exactly().await.is(status);
    }
}

#[tokio::test]
async fn invalid_query_parameters_are_named() {
    let server = Server::start().await;
    let client = server.client();
    for (query, named) in [
        ("limit=0", "limit"),
        ("limit=-1", "limit"),
        ("limit=", "limit"),
        ("limit=abc", "limit"),
        ("limit=%2B5", "limit"),
        ("limit=1&limit=2", "limit"),
        ("page=1.0", "page"),
        ("filter[statuses][0][status_id]=1", "pipeline_id"),
        ("filter[stage]=1", "filter[stage]"),
        ("filter[created_at]=1", "filter[created_at]"),
        ("filter[created_at][from]=x", "filter[created_at][from]"),
        (
            "filter[updated_at][from]=9&filter[updated_at][to]=8",
            "filter[updated_at]",
        ),
        ("order[name]=asc", "order[name]"),
        ("order[id]=up", "order[id]"),
        ("order[id]=asc&order[created_at]=desc", "order[created_at]"),
        (
            "filter[statuses][0][pipeline_id]=x&filter[statuses][0][status_id]=1",
            "pipeline_id",
        ),
    ] {
        let answer = client.get(&format!("/api/v4/leads?{query}")).await.is(400);
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains(named), "{query}: {detail}");
    }
    for query in [
        "limit=1000000000",
        "page=0",
        "page=1000000000000000000",
        "page=18446744073709551615&limit=250",
        "x=1",
    ] {
        for list in ["leads", "contacts"] {
            client.get(&format!("/api/v4/{list}?{query}")).await.is(204);
        }
    }
}
