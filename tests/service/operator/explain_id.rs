//! The explanation of ids, for the operator: each kind, whose it is, and its id in the other interface.

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::support::answer::Answer;
use crate::support::client::{Client, message, scope};
use crate::support::directory::files_in;
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OAUTH_SECRET, asks_for_tokens, exchange, refresh, tokens,
};
use crate::support::operating::{printed_by, run_aside};
use crate::support::server::{
    ACCOUNT, CHANNEL, OPERATOR_TOKEN, OTHER_ACCOUNT, SECRET, Server, TOKEN,
};

async fn asked(client: &Client, body: &Value) -> Answer {
    client.operates("POST", "/admin/v1/explain-id", body).await
}

/// The explanation of an id.
async fn explained(client: &Client, id: &str) -> Value {
    asked(client, &json!({ "id": id })).await.is(200).json
}

/// The only thing of this kind that an id names.
fn one<'a>(explanation: &'a Value, kind: &str) -> &'a Value {
    let matches = explanation["matches"].as_array().unwrap();
    let mut of_kind = matches.iter().filter(|it| it["kind"] == kind);
    let (first, second) = (of_kind.next(), of_kind.next());
    assert!(second.is_none(), "{explanation:#}");
    first.unwrap_or_else(|| panic!("{kind}: {explanation:#}"))
}

/// Fails unless a match has these fields.
#[track_caller]
fn has(it: &Value, fields: &Value) {
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(&it[name], value, "{name}: {it:#}");
    }
}

/// A customer's message, the answer to it, and their conversation.
struct Chat {
    message: String,
    reply: String,
    conversation: String,
}

async fn chat(client: &Client) -> Chat {
    client.connect("v2").await;
    let message_view = client.sent(&message("m-1", "c-1")).await;
    let text = |name: &str| message_view[name].as_str().unwrap().to_owned();
    let conversation = text("conversation_id");
    Chat {
        reply: client.replied(&conversation, "Hello").await,
        message: text("msgid"),
        conversation,
    }
}

#[tokio::test]
async fn ids_of_the_service_are_explained_with_their_twins() {
    let server = Server::start().await;
    let client = server.client();
    let chat = chat(client).await;
    let lead = client.leads().await[0]["id"].clone();
    let contact = client.contacts().await[0]["id"].clone();
    let place = json!({
        "account_id": ACCOUNT, "channel_id": CHANNEL, "scope_id": scope(CHANNEL, ACCOUNT),
        "conversation_id": chat.conversation, "lead_id": lead, "contact_id": contact, "refusal": null,
    });

    let message = explained(client, &chat.message).await;
    let it = one(&message, "message");
    has(it, &place);
    has(
        it,
        &json!({ "id": chat.message, "twin": "m-1", "user_id": null, "name": "Grace" }),
    );
    let reply = explained(client, &chat.reply).await;
    has(one(&reply, "message"), &place);
    has(
        one(&reply, "message"),
        &json!({ "id": chat.reply, "twin": null, "user_id": 1 }),
    );
    let conversation = explained(client, &format!(" {}\n", chat.conversation)).await;
    has(one(&conversation, "conversation"), &place);
    let names = json!({ "id": chat.conversation, "twin": "c-1", "name": "Grace" });
    has(one(&conversation, "conversation"), &names);

    let number = client.read("/api/v4/account").await["id"].clone();
    let account = explained(client, ACCOUNT).await;
    has(
        one(&account, "account"),
        &json!({ "id": ACCOUNT, "twin": number.to_string() }),
    );
    let channel = explained(client, CHANNEL).await;
    has(
        one(&channel, "channel"),
        &json!({ "id": CHANNEL, "channel_id": CHANNEL }),
    );
    let id = scope(CHANNEL, ACCOUNT);
    let connected = explained(client, &id).await;
    has(
        one(&connected, "scope"),
        &json!({ "id": id, "account_id": ACCOUNT, "refusal": null }),
    );
    client.disconnect().await;
    let disconnected = explained(client, &id).await;
    let refusal = one(&disconnected, "scope")["refusal"].as_str().unwrap();
    assert!(refusal.contains("not connected"), "{refusal}");

    let nothing = explained(client, "5a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d").await;
    assert_eq!(
        nothing,
        json!({ "is_known": false, "is_partial": false, "matches": [] })
    );
}

#[tokio::test]
async fn people_are_explained_by_either_id() {
    let server = Server::start().await;
    let client = server.client();
    let chat = chat(client).await;
    let me = client.read("/inbox/v1/me").await;
    let amojo_id = me["chat_id"].as_str().unwrap();
    let user = explained(client, amojo_id).await;
    let ada = json!({ "id": "1", "twin": amojo_id, "account_id": ACCOUNT, "user_id": 1, "refusal": null });
    has(one(&user, "user"), &ada);
    let numbers = asked(client, &json!({ "id": "1", "account_id": ACCOUNT })).await;
    has(one(&numbers.is(200).json, "user"), &ada);

    let by_client = explained(client, "customer of c-1").await;
    let customer = one(&by_client, "customer");
    has(
        customer,
        &json!({ "twin": "customer of c-1", "name": "Grace", "account_id": ACCOUNT }),
    );
    let by_service = explained(client, customer["id"].as_str().unwrap()).await;
    has(
        one(&by_service, "customer"),
        &json!({
            "id": customer["id"], "twin": "customer of c-1", "name": "Grace", "conversation_id": chat.conversation,
        }),
    );

    let bot = server.ready()["bots"][0].as_str().unwrap();
    has(
        one(&explained(client, bot).await, "bot"),
        &json!({ "id": bot, "account_id": null }),
    );
}

#[tokio::test]
async fn numbers_are_explained_in_each_account_or_in_one() {
    let server = Server::start().await;
    let client = server.client();
    let chat = chat(client).await;
    let lead = client.leads().await[0]["id"].clone();
    let contact = client.contacts().await[0]["id"].clone();
    let leads = explained(client, &lead.to_string()).await;
    for kind in ["lead", "talk"] {
        has(
            one(&leads, kind),
            &json!({
                "id": lead.to_string(), "account_id": ACCOUNT, "conversation_id": chat.conversation,
                "lead_id": lead, "contact_id": contact,
            }),
        );
    }
    let contacts = explained(client, &contact.to_string()).await;
    has(
        one(&contacts, "contact"),
        &json!({ "account_id": ACCOUNT, "name": "Grace" }),
    );
    // Both accounts have a first user.
    let users = explained(client, "1").await;
    let matches = users["matches"].as_array().unwrap().iter();
    let of_users = matches.filter(|it| it["kind"] == "user");
    let accounts: Vec<_> = of_users.map(|it| it["account_id"].clone()).collect();
    assert_eq!(accounts, [ACCOUNT, OTHER_ACCOUNT]);
    // Nothing of the other account is in an answer about one.
    let other = json!({ "id": lead.to_string(), "account_id": OTHER_ACCOUNT });
    let explanation = asked(client, &other).await.is(200);
    assert!(!explanation.body.contains(ACCOUNT), "{}", explanation.body);
    for id in [&chat.message, &chat.conversation, "c-1", ACCOUNT] {
        let other = json!({ "id": id, "account_id": OTHER_ACCOUNT });
        let explanation = asked(client, &other).await.is(200);
        assert_eq!(explanation.json["matches"], json!([]), "{id}");
    }
}

#[tokio::test]
async fn ids_of_integrations_are_explained() {
    let server = Server::start().await;
    let client = server.client();
    let chat = chat(client).await;
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let conversation = explained(client, "c-1").await;
    has(
        one(&conversation, "conversation"),
        &json!({ "id": chat.conversation, "twin": "c-1" }),
    );
    // Two accounts use the same id.
    let tail = scope(CHANNEL, OTHER_ACCOUNT);
    client.post(&tail, &message("m-1", "c-1")).await.is(200);
    let both = explained(client, "c-1").await;
    let ids: Vec<_> = both["matches"].as_array().unwrap().iter().collect();
    assert_eq!(ids.len(), 2, "{both:#}");
    assert_ne!(ids[0]["id"], ids[1]["id"]);
    // A msgid is one of a conversation.
    assert_eq!(explained(client, "m-1").await["matches"], json!([]));
    for place in ["c-1", &chat.conversation] {
        let question = json!({ "id": "m-1", "conversation_id": place, "account_id": ACCOUNT });
        let explanation = asked(client, &question).await.is(200).json;
        has(
            one(&explanation, "message"),
            &json!({ "id": chat.message, "twin": "m-1" }),
        );
    }
    let elsewhere = json!({ "id": "m-1", "conversation_id": "c-2" });
    assert_eq!(
        asked(client, &elsewhere).await.is(200).json["matches"],
        json!([])
    );
    // The name that an integration gives to a reply is its twin.
    let mut edit = message("m-later", "c-1");
    edit["event_type"] = json!("edit_message");
    edit["payload"]["id"] = json!(chat.reply);
    client.send_today(&edit).await.is(200);
    let reply = explained(client, &chat.reply).await;
    has(
        one(&reply, "message"),
        &json!({ "id": chat.reply, "twin": "m-later" }),
    );
    let question = json!({ "id": "m-later", "conversation_id": "c-1", "account_id": ACCOUNT });
    let explanation = asked(client, &question).await.is(200).json;
    has(one(&explanation, "message"), &json!({ "id": chat.reply }));
}

#[tokio::test]
async fn secrets_of_the_configuration_are_explained() {
    let server = Server::start().await;
    let client = server.client();
    let user = json!({ "id": null, "account_id": ACCOUNT, "user_id": 1, "refusal": null });
    has(one(&explained(client, TOKEN).await, "user_token"), &user);
    let operator = explained(client, OPERATOR_TOKEN).await;
    has(
        one(&operator, "operator_token"),
        &json!({ "id": null, "account_id": null }),
    );
    let channel = explained(client, SECRET).await;
    has(
        one(&channel, "channel_secret"),
        &json!({ "id": null, "channel_id": CHANNEL }),
    );
    let oauth = explained(client, OAUTH_SECRET).await;
    let clients = oauth["matches"].as_array().unwrap();
    let named = |it: &&Value| it["kind"] == "client_secret" && it["client_id"] == OAUTH_CLIENT;
    assert!(clients.iter().any(|it| named(&it)), "{oauth:#}");
    let oauth_client = explained(client, OAUTH_CLIENT).await;
    has(
        one(&oauth_client, "oauth_client"),
        &json!({ "id": OAUTH_CLIENT }),
    );
}

#[tokio::test]
async fn what_programs_get_is_explained_and_left() {
    let server = Server::start().await;
    let client = server.client();
    let user = json!({ "id": null, "account_id": ACCOUNT, "user_id": 1, "refusal": null });
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let session = browser.session().to_owned();
    has(one(&explained(client, &session).await, "session"), &user);
    let code = browser.consents().await;
    has(
        one(&explained(client, &code).await, "code"),
        &json!({ "account_id": ACCOUNT }),
    );
    let (access, first) = tokens(&asks_for_tokens(client, "bot", &exchange(&code)).await);
    let explanation = explained(client, &access).await;
    has(one(&explanation, "access_token"), &user);
    has(
        one(&explanation, "access_token"),
        &json!({ "client_id": OAUTH_CLIENT }),
    );
    has(
        one(&explained(client, &first).await, "refresh_token"),
        &user,
    );
    let (_, second) = tokens(&asks_for_tokens(client, "bot", &refresh(&first)).await);
    let used = explained(client, &first).await;
    let refusal = one(&used, "refresh_token")["refusal"].as_str().unwrap();
    assert!(refusal.contains("was used before"), "{refusal}");
    // An access token stops when the account uninstalls its client.
    let grant = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}/grant");
    browser.asks("DELETE", &grant, &Value::Null).await.is(200);
    let ended = explained(client, &access).await;
    let refusal = one(&ended, "access_token")["refusal"].as_str().unwrap();
    assert!(refusal.contains("uninstalled"), "{refusal}");

    let secrets = [&session, &code, &access, &first, &second].map(String::as_str);
    nothing_is_left(&server, &secrets).await;
}

/// Fails if one of these secrets, or one that no user has, is repeated, logged, recorded or stored.
async fn nothing_is_left(server: &Server, secrets: &[&str]) {
    let client = server.client();
    let configured = [TOKEN, OPERATOR_TOKEN, SECRET];
    let requests = client.operate("GET", "/admin/v1/requests?limit=250").send();
    let written = format!(
        "{}{}{}",
        server.log(),
        audit_log(server).await,
        requests.await.body
    );
    for secret in configured.iter().chain(secrets) {
        let answer = asked(client, &json!({ "id": secret })).await.is(200);
        assert!(!answer.body.contains(*secret), "{}", answer.body);
        assert!(!written.contains(*secret), "{secret}");
    }
    let pasted = "a-token-of-somebody-else";
    assert_eq!(explained(client, pasted).await["matches"], json!([]));
    for file in files_in(&server.data()) {
        let bytes = std::fs::read(server.data().join(&file)).unwrap_or_default();
        let mut windows = bytes.windows(pasted.len());
        let is_there = windows.any(|window| window == pasted.as_bytes());
        assert!(!is_there, "{}", file.display());
    }
    assert!(!server.log().contains(pasted));
}

#[tokio::test]
async fn a_token_that_is_good_no_more_says_whose_it_was() {
    let server = Server::start().await;
    let client = server.client();
    let user = json!({ "name": "Cy", "email": "cy@example.com", "password": "Secr3tive" });
    let users = format!("/admin/v1/accounts/{ACCOUNT}/users");
    let user_view = client.operates("POST", &users, &user).await.is(201).json;
    let target = format!("{users}/{}/tokens", user_view["id"]);
    let response = client
        .operates("POST", &target, &json!({ "name": "bot" }))
        .await;
    let token = response.is(201).json["token"].as_str().unwrap().to_owned();
    let good = explained(client, &token).await;
    has(
        one(&good, "user_token"),
        &json!({ "user_id": user_view["id"], "refusal": null }),
    );
    let target = format!("{users}/{}", user_view["id"]);
    let change = json!({ "is_active": false });
    client.operates("PATCH", &target, &change).await.is(200);
    let ended = explained(client, &token).await;
    let it = one(&ended, "user_token");
    assert_eq!(it["user_id"], user_view["id"]);
    assert!(
        it["refusal"].as_str().unwrap().contains("deactivated"),
        "{it:#}"
    );
}

#[tokio::test]
async fn bad_questions_are_refused_with_all_mistakes() {
    let server = Server::start().await;
    let client = server.client();
    for (body, paths) in [
        (json!({}), vec!["id"]),
        (json!({ "id": "  " }), vec!["id"]),
        (json!({ "id": "x".repeat(4097) }), vec!["id"]),
        (
            json!({ "id": 7, "account_id": "x", "more": 1 }),
            vec!["account_id", "id", "more"],
        ),
    ] {
        let answer = asked(client, &body).await.is(400);
        let errors = &answer.json["validation-errors"][0]["errors"];
        let all = errors.as_array().unwrap().iter();
        let mut named: Vec<_> = all.map(|it| it["path"].as_str().unwrap()).collect();
        named.sort_unstable();
        assert_eq!(named, paths, "{body}");
    }
    for id in [
        "\u{0}",
        "🙂",
        "../..",
        "%00",
        "1 2",
        "-1",
        "18446744073709551616",
        "_",
        "{}",
    ] {
        assert_eq!(explained(client, id).await["matches"], json!([]), "{id}");
    }
}

/// With more accounts than are asked, the answer says so, and an account finds the rest.
#[tokio::test]
async fn the_work_for_one_id_has_a_bound() {
    let server = Server::start().await;
    let client = server.client();
    let mut last = Value::Null;
    for number in 0..100 {
        let body = json!({ "name": format!("Shop {number}") });
        let account = client.operates("POST", "/admin/v1/accounts", &body).await;
        last = account.is(201).json["id"].clone();
    }
    let partial = explained(client, "1").await;
    assert_eq!(partial["is_partial"], true);
    let question = json!({ "id": last, "account_id": last });
    let whole = asked(client, &question).await.is(200).json;
    assert_eq!(whole["is_partial"], false);
    has(one(&whole, "account"), &json!({ "id": last }));
}

#[tokio::test]
async fn the_command_explains_an_id() {
    let server = Server::start().await;
    let client = server.client();
    let chat = chat(client).await;
    let args = ["explain", &chat.message];
    let printed = printed_by(run_aside(&server, &args).await, &args);
    let lines: Vec<_> = printed.lines().collect();
    let line = |name: &str, value: &str| {
        let named = |it: &&&str| it.starts_with(name) && it.ends_with(value);
        assert!(lines.iter().any(|it| named(&it)), "{name}: {printed}");
    };
    line("kind", "message");
    line("id", &chat.message);
    line("other id", "m-1");
    line("conversation", &chat.conversation);
    let output = run_aside(&server, &["explain", "nobody"]).await;
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.starts_with("nothing has this id\n  help: "),
        "{stdout}"
    );
    let args = [
        "explain",
        "m-1",
        "--conversation",
        "c-1",
        "--account",
        ACCOUNT,
        "--json",
    ];
    let json: Value = printed_by(run_aside(&server, &args).await, &args)
        .parse()
        .unwrap();
    has(one(&json, "message"), &json!({ "id": chat.message }));
}
