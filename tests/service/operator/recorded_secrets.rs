//! Requests of the account interface and of OAuth, for the operator to look at: all that happened, and no secret.

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OAUTH_SECRET, asks_for_tokens, does, exchange, installed, refresh,
    tokens,
};
use crate::support::server::{ACCOUNT, Server, Setup, TOKEN};

async fn listed(client: &Client, query: &str) -> Vec<Value> {
    let target = format!("/admin/v1/requests?limit=250{query}");
    let list = client.operate("GET", &target).send().await.is(200).json;
    list["requests"].as_array().unwrap().clone()
}

/// Every recorded request with its bodies and headers, newest first.
async fn shown(client: &Client) -> Vec<Value> {
    let mut all = Vec::new();
    for row in listed(client, "").await {
        let target = format!("/admin/v1/requests/{}", row["id"].as_str().unwrap());
        all.push(client.operate("GET", &target).send().await.is(200).json);
    }
    all
}

/// A developer on the account interface sees the request that arrived and its answer.
#[tokio::test]
async fn account_requests_are_recorded_with_their_objects() {
    let server = Server::start().await;
    let client = server.client();
    let leads = json!([{ "name": "First" }]);
    let response = does(client, TOKEN, "POST", "/api/v4/leads", &leads)
        .await
        .is(200);
    let lead = response.json["_embedded"]["leads"][0]["id"].clone();
    let target = format!("/api/v4/leads/{lead}");
    does(
        client,
        TOKEN,
        "PATCH",
        &target,
        &json!({ "name": "Second" }),
    )
    .await
    .is(200);
    does(client, TOKEN, "PATCH", &target, &json!({ "price": "much" }))
        .await
        .is(400);
    client.get_as("a-wrong-token", &target).await.is(401);
    client.get_as(TOKEN, "/api/v4/lead").await.is(404);
    let rows = listed(client, "&surface=account").await;
    let operations: Vec<_> = rows
        .iter()
        .map(|row| (&row["operation"], &row["status"]))
        .collect();
    let calls: Vec<_> = [
        (json!(null), 404),
        (json!("getLead"), 401),
        (json!("updateLead"), 400),
        (json!("updateLead"), 200),
        (json!("createLeads"), 200),
    ]
    .iter()
    .map(|(id, status)| (id.clone(), json!(status)))
    .collect();
    let operations: Vec<_> = operations
        .into_iter()
        .map(|(id, status)| (id.clone(), status.clone()))
        .collect();
    assert_eq!(operations, calls);
    for row in &rows[2..4] {
        assert_eq!(
            row["subject"]["objects"],
            json!([lead.to_string()]),
            "{row:#}"
        );
        assert_eq!(
            (&row["account_id"], &row["user_id"]),
            (&json!(ACCOUNT), &json!(1))
        );
    }
    assert!(rows[2]["error_description"].is_string());
    assert_eq!(rows[1]["account_id"], Value::Null, "a stranger's");
    assert_eq!(rows[4]["subject"]["objects"], json!(["First"]));
    let all = shown(client).await;
    assert_eq!(all[3]["body"]["text"], json!("{\"name\":\"Second\"}"));
    assert!(
        all[3]["answer"]["text"]
            .as_str()
            .unwrap()
            .contains("\"id\":")
    );
    assert_eq!(all[1]["body"]["withheld"], Value::Null, "there was none");
    rows_are_found_by_account_and_interface(client).await;
}

/// Rows are found by account and by interface, and other words are refused.
async fn rows_are_found_by_account_and_interface(client: &Client) {
    assert_eq!(
        listed(client, &format!("&account_id={ACCOUNT}"))
            .await
            .len(),
        3
    );
    assert!(listed(client, "&surface=chat").await.is_empty());
    let wrong = client
        .operate("GET", "/admin/v1/requests?surface=web")
        .send()
        .await
        .is(400);
    assert!(
        wrong.body.contains("chat, account, oauth"),
        "{}",
        wrong.body
    );
}

/// Secrets are in no record: not in bodies, forms, queries, headers and paths, and not in answers that give or repeat them.
#[tokio::test]
async fn no_record_holds_a_secret() {
    let server = Server::start().await;
    let client = server.client();
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let code = browser.consents().await;
    let (access, first) = tokens(&asks_for_tokens(client, "bridge", &exchange(&code)).await);
    let (second_access, second) =
        tokens(&asks_for_tokens(client, "bridge", &refresh(&first)).await);
    asks_for_tokens(client, "bridge", &refresh(&first))
        .await
        .is(400);
    let form = format!(
        "client_id={OAUTH_CLIENT}&client_secret={OAUTH_SECRET}&grant_type=refresh_token&refresh_token=canary-1"
    );
    let request = client
        .request("POST", "/oauth2/access_token?code=canary-2&x=1")
        .body(form)
        .header("Content-Type", "application/x-www-form-urlencoded");
    request
        .header("Referer", "http://a.example/?code=canary-3")
        .send()
        .await
        .is(400);
    let user = json!([{ "name": "Bo", "email": "bo@example.com", "password": "canary-4A", "lang": "en", "api_token": "canary-5" }]);
    does(client, &access, "POST", "/api/v4/users", &user).await;
    does(
        client,
        &access,
        "PATCH",
        "/api/v4/users/1",
        &json!({ "password": "canary-6" }),
    )
    .await;
    let bad_request = client
        .request("POST", "/api/v4/leads")
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    bad_request
        .body("{\"password\":\"canary-7\"")
        .send()
        .await
        .is(400);
    let unread = client.request("POST", "/api/v4/leads").bearer("canary-8");
    unread.body("password=canary-9").send().await.is(401);
    client
        .get_as(TOKEN, &format!("/api/v4/{TOKEN}?token=canary-10"))
        .await
        .is(404);
    let all = shown(client).await;
    assert_eq!(all.len(), 9, "{all:#?}");
    let text = Value::from(all.clone()).to_string();
    let secrets = [&code, &access, &second_access, &first, &second]
        .into_iter()
        .map(String::as_str);
    for secret in secrets.chain([OAUTH_SECRET, TOKEN, "canary"]) {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert_eq!(all[0]["query"], json!("token=***"));
    assert_eq!(all[0]["path"], json!("/api/v4/***"));
    assert_eq!(all[1]["body"]["withheld"], json!("unread"));
    assert_eq!(all[2]["body"]["withheld"], json!("unparsable"));
    let form = all[5]["body"]["text"].as_str().unwrap();
    assert!(
        form.ends_with("&client_secret=***&grant_type=refresh_token&refresh_token=***"),
        "{form}"
    );
    let exchanged = &all[8];
    assert_eq!(
        (
            &exchanged["operation"],
            &exchanged["client_id"],
            &exchanged["subject"]["grant_type"]
        ),
        (
            &json!("issueTokens"),
            &json!(OAUTH_CLIENT),
            &json!("authorization_code")
        )
    );
    let answer = exchanged["answer"]["text"].as_str().unwrap();
    assert!(answer.contains("\"access_token\":\"***\""), "{answer}");
}

/// The console's own requests would hide those of programs, and strangers must not displace those of a client.
#[tokio::test]
async fn sessions_are_not_recorded_and_each_sender_has_a_share() {
    let setup = Setup::default().setting("requests", "keep_per_sender = 2");
    let server = setup.start().await;
    let client = server.client();
    let (access, _) = installed(client).await;
    does(client, &access, "GET", "/api/v4/account", &Value::Null)
        .await
        .is(200);
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    browser.asks("GET", "/api/v4/leads", &Value::Null).await;
    for _ in 0..4 {
        client.get_as("wrong", "/api/v4/account").await.is(401);
        let mut stranger = refresh("unknown");
        stranger["client_secret"] = json!("wrong");
        asks_for_tokens(client, "stranger", &stranger).await.is(401);
    }
    let rows = listed(client, "").await;
    let rows_there: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["operation"].as_str().unwrap(),
                row["status"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        rows_there,
        [
            ("issueTokens", 401),
            ("getCurrentAccount", 401),
            ("issueTokens", 401),
            ("getCurrentAccount", 401),
            ("getCurrentAccount", 200),
            ("issueTokens", 200),
        ]
    );
    assert_eq!(rows[4]["client_id"], json!(OAUTH_CLIENT));

    let setup = Setup::default().setting("requests", "keep_per_sender = 0");
    let server = setup.start().await;
    server
        .client()
        .get_as(TOKEN, "/api/v4/account")
        .await
        .is(200);
    assert!(listed(server.client(), "").await.is_empty());
}
