//! `GET`, `POST` and `DELETE /api/v4/webhooks`: programs subscribe to the events of an account.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, entries};
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OTHER_CLIENT, address, does, installed, installs, offers_the_other,
};
use crate::support::server::{ACCOUNT, OTHER_TOKEN, Server, Setup, TOKEN};

const WEBHOOKS: &str = "/api/v4/webhooks";
const DESTINATION: &str = "https://hooks.example.org/in?k=7d1f";

/// A program with this token subscribes an address.
async fn subscribes(client: &Client, token: &str, destination: &str) -> Answer {
    let body = json!({ "destination": destination, "settings": ["add_message"] });
    does(client, token, "POST", WEBHOOKS, &body).await
}

/// Deletes the webhook of an address.
async fn deletes(client: &Client, destination: &str) -> Answer {
    let body = json!({ "destination": destination });
    floor::admin(client, "DELETE", WEBHOOKS, &body).await
}

/// The addresses of the list, which must have this number of entries.
async fn destinations(client: &Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("{WEBHOOKS}{query}")).await.when_read();
    let webhooks = if answer.status == 204 {
        Vec::new()
    } else {
        entries(&answer.json, "webhooks")
    };
    assert_eq!(
        answer.json["_total_items"].as_u64().unwrap_or_default(),
        u64::try_from(webhooks.len()).unwrap()
    );
    let texts = webhooks.iter().map(|it| it["destination"].as_str());
    texts.map(|text| text.unwrap().to_owned()).collect()
}

/// The path of a filter by this address.
fn filter(destination: &str) -> String {
    let value: String = url::form_urlencoded::byte_serialize(destination.as_bytes()).collect();
    format!("?filter[destination]={value}")
}

#[tokio::test]
async fn a_webhook_is_subscribed_listed_and_deleted() {
    let mut server = Server::start().await;
    let client = server.client();
    client.get(WEBHOOKS).await.is(204);
    let body = json!({
        "destination": DESTINATION, "settings": ["update_talk", "add_message"], "sort": 3,
        "id": 9, "disabled": true,
    });
    let answer = floor::admin(client, "POST", WEBHOOKS, &body).await.is(201);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let webhook = answer.json;
    let since = webhook["created_at"].as_u64().unwrap();
    assert!(since > 1_700_000_000, "{webhook}");
    // All nine fields, and no other.
    let expected = json!({
        "id": 1, "destination": DESTINATION, "created_at": since, "updated_at": since,
        "account_id": 1, "created_by": 1, "sort": 3, "disabled": false,
        "settings": ["update_talk", "add_message"],
    });
    assert_eq!(webhook, expected);
    let second = subscribes(client, TOKEN, "https://hooks.example.org")
        .await
        .is(201);
    assert_eq!(second.json["destination"], "https://hooks.example.org/");
    assert_eq!(
        (&second.json["id"], &second.json["sort"]),
        (&json!(2), &json!(10))
    );
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let list = client.read(WEBHOOKS).await;
    let expected = json!({
        "_total_items": 2,
        "_links": { "self": { "href": format!("{}{WEBHOOKS}", server.url()) } },
        "_embedded": { "webhooks": [webhook, second.json] },
    });
    assert_eq!(list, expected);
    let deletion = deletes(client, DESTINATION).await.is(204);
    assert_eq!(deletion.body, "");
    deletes(client, DESTINATION).await.is(404);
    // Libraries may send the rest as well.
    let rest = json!({ "destination": "https://hooks.example.org", "settings": null, "sort": 1 });
    floor::admin(client, "DELETE", WEBHOOKS, &rest)
        .await
        .is(204);
    client.get(WEBHOOKS).await.is(204);
    assert_eq!(subscribes(client, TOKEN, DESTINATION).await.json["id"], 3);
}

#[tokio::test]
async fn subscribing_again_replaces_settings_and_enables() {
    let server = Server::start().await;
    let client = server.client();
    let answer = subscribes(client, TOKEN, "https://hooks.example.org").await;
    let first = answer.is(201).json;
    let disable = format!("/admin/v1/accounts/{ACCOUNT}/webhooks/1/disable");
    client.operate("POST", &disable).send().await.is(200);
    let shown = entries(&client.read(WEBHOOKS).await, "webhooks").remove(0);
    assert_eq!(shown["disabled"], true);
    let body = json!({
        "destination": "https://hooks.example.org/",
        "settings": ["add_lead", "add_unsorted", "add_lead"],
        "sort": -1,
    });
    let again = floor::admin(client, "POST", WEBHOOKS, &body).await.is(201);
    let mut expected = first.clone();
    expected["settings"] = json!(["add_lead", "add_unsorted"]);
    expected["sort"] = json!(-1);
    expected["updated_at"] = again.json["updated_at"].clone();
    assert_eq!(again.json, expected);
    assert_eq!(
        entries(&client.read(WEBHOOKS).await, "webhooks"),
        [expected]
    );
}

#[tokio::test]
async fn a_list_is_filtered_by_the_exact_address() {
    let server = Server::start().await;
    let client = server.client();
    // A slash behind a path makes another address; one behind a bare host does not.
    let all = [
        "https://hooks.example.org/in",
        "https://hooks.example.org/in/",
        "https://hooks.example.org/",
    ];
    for destination in all {
        subscribes(client, TOKEN, destination).await.is(201);
    }
    subscribes(client, TOKEN, "https://HOOKS.example.org:443")
        .await
        .is(201);
    assert_eq!(destinations(client, "").await, all);
    for (wanted, list) in [
        (all[0], vec![all[0]]),
        (all[1], vec![all[1]]),
        ("https://hooks.example.org", vec![all[2]]),
        ("https://hooks.example.org/i", vec![]),
        ("hooks.example.org", vec![]),
    ] {
        assert_eq!(
            destinations(client, &filter(wanted)).await,
            list,
            "{wanted}"
        );
    }
    client
        .get(&format!("{WEBHOOKS}?filter[settings]=add_lead"))
        .await
        .is(400);
    deletes(client, all[0]).await.is(204);
    assert_eq!(destinations(client, "").await, all[1..]);
}

#[tokio::test]
async fn everything_that_is_wrong_with_a_webhook_is_named_by_its_path() {
    let server = Server::start().await;
    let client = server.client();
    for (body, wrong) in [
        (
            json!({ "destination": DESTINATION, "settings": ["add_leed", "add_lead", "note_task", 7] }),
            json!([
                ["settings.0", "NotSupportedChoice"],
                ["settings.2", "NotSupportedChoice"],
                ["settings.3", "InvalidType"],
            ]),
        ),
        (
            json!({ "destination": DESTINATION, "settings": [] }),
            json!([["settings", "InvalidValue"]]),
        ),
        (
            json!({ "destination": "hooks.example.org", "settings": {}, "sort": 1.5 }),
            json!([
                ["destination", "InvalidValue"],
                ["settings", "InvalidType"],
                ["sort", "InvalidType"],
            ]),
        ),
        (
            json!({}),
            json!([
                ["destination", "FieldMissing"],
                ["settings", "FieldMissing"]
            ]),
        ),
    ] {
        let answer = floor::admin(client, "POST", WEBHOOKS, &body).await.is(400);
        assert_eq!(json!(answer.wrong()), wrong, "{body}");
    }
    let body = json!({ "destination": "https://пример.example/in", "settings": ["add_lead"] });
    let answer = floor::admin(client, "POST", WEBHOOKS, &body).await.is(400);
    let error = &answer.json["validation-errors"][0]["errors"][0];
    let detail = "write the host «пример.example» in ASCII, as «xn--e1afmkfd.example»";
    assert_eq!(
        (&error["path"], &error["detail"]),
        (&json!("destination"), &json!(detail))
    );
    // Codes of objects that the service does not have are accepted.
    let body = json!({
        "destination": DESTINATION,
        "settings": ["add_company", "add_customer", "add_chat_template_review"],
    });
    floor::admin(client, "POST", WEBHOOKS, &body).await.is(201);
    floor::admin(client, "DELETE", WEBHOOKS, &json!({}))
        .await
        .is(400);
    for unknown in ["", "hooks.example.org", "https://hooks.example.org/none"] {
        deletes(client, unknown).await.is(404);
    }
    let text = client.request("POST", WEBHOOKS).bearer(TOKEN);
    let request = text.header("Content-Type", "text/plain");
    request.body("{}").send().await.is(415);
    assert_eq!(destinations(client, "").await, [DESTINATION]);
}

#[tokio::test]
async fn an_address_that_callbacks_may_not_reach_is_no_destination() {
    let setup = Setup::default().setting("dispatch", "allow_private_networks = false");
    let server = setup.start().await;
    let client = server.client();
    for (destination, why) in [
        ("http://127.0.0.1/in", "127.0.0.1 is a loopback address"),
        ("http://2130706433/", "127.0.0.1 is a loopback address"),
        ("http://169.254.169.254/", "a link-local address"),
        ("http://localhost:9000/", "is this machine"),
        ("http://10.1.2.3/", "10.1.2.3 is a private address"),
        ("https://hooks.example.org:25/", "another port"),
        ("http://ada:secret@hooks.example.org/", "before the @"),
        ("ftp://hooks.example.org/", "http:// or https://"),
        ("https://hooks.example.org/#here", "from # on"),
    ] {
        let body = json!({ "destination": destination, "settings": [] });
        let answer = floor::admin(client, "POST", WEBHOOKS, &body).await.is(400);
        let errors = answer.json["validation-errors"][0]["errors"].to_string();
        assert!(errors.contains(why), "{destination}: {errors}");
        let paths = ["destination", "settings"];
        let wrong: Vec<_> = answer.wrong().into_iter().map(|(path, _)| path).collect();
        assert_eq!(wrong, paths, "{destination}");
    }
    subscribes(client, TOKEN, DESTINATION).await.is(201);
    assert_eq!(destinations(client, "").await, [DESTINATION]);
}

#[tokio::test]
async fn an_account_has_at_most_100_webhooks() {
    let server = Server::start().await;
    let client = server.client();
    let destination = |number: usize| format!("https://hooks.example.org/{number}");
    for number in 1..=100 {
        subscribes(client, TOKEN, &destination(number))
            .await
            .is(201);
    }
    let refusal = subscribes(client, TOKEN, &destination(101)).await.is(403);
    let detail = refusal.json["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("an account has at most 100 webhooks"),
        "{detail}"
    );
    assert_eq!(destinations(client, "").await.len(), 100);
    // Those that are there can be changed, other accounts have room, and so has this one after a deletion.
    subscribes(client, TOKEN, &destination(100)).await.is(201);
    subscribes(client, OTHER_TOKEN, &destination(101))
        .await
        .is(201);
    deletes(client, &destination(7)).await.is(204);
    subscribes(client, TOKEN, &destination(101)).await.is(201);
}

#[tokio::test]
async fn administrators_alone_subscribe_and_only_in_their_account() {
    let server = Server::start().await;
    let client = server.client();
    subscribes(client, TOKEN, DESTINATION).await.is(201);
    let all = floor::add(client, "All", &floor::rights("A")).await;
    all.reads(client, WEBHOOKS).await.is(403);
    let body = json!({ "destination": DESTINATION, "settings": ["add_lead"] });
    for method in ["POST", "DELETE"] {
        all.sends(client, method, WEBHOOKS, &body).await.is(403);
        client
            .request(method, WEBHOOKS)
            .body("{}")
            .send()
            .await
            .is(401);
    }
    client.get_as(OTHER_TOKEN, WEBHOOKS).await.is(204);
    does(client, OTHER_TOKEN, "DELETE", WEBHOOKS, &body)
        .await
        .is(404);
    // The same address in two accounts is two webhooks.
    let other = subscribes(client, OTHER_TOKEN, DESTINATION).await.is(201);
    assert_eq!(
        (&other.json["id"], &other.json["account_id"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(destinations(client, "").await, [DESTINATION]);
}

#[tokio::test]
async fn webhooks_of_a_client_end_when_the_account_uninstalls_it() {
    let mut server = Server::start().await;
    let client = server.client();
    offers_the_other(client).await;
    let (bridge, _) = installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let (other, _) = installs(&ada, OTHER_CLIENT).await;
    for (token, destination) in [
        (bridge.as_str(), "https://hooks.example.org/1"),
        (&bridge, "https://hooks.example.org/2"),
        (&other, "https://hooks.example.org/3"),
        (TOKEN, "https://hooks.example.org/4"),
        // Another client takes one over, and a user another.
        (&bridge, "https://hooks.example.org/5"),
        (&other, "https://hooks.example.org/5"),
        (&bridge, "https://hooks.example.org/6"),
        (TOKEN, "https://hooks.example.org/6"),
    ] {
        let webhook = subscribes(client, token, destination).await.is(201);
        assert_eq!(webhook.json["created_by"], 1);
    }
    let grant = format!("{}/grant", address(OAUTH_CLIENT));
    ada.asks("DELETE", &grant, &Value::Null).await.is(200);
    let stay = [3, 4, 5, 6].map(|number| format!("https://hooks.example.org/{number}"));
    assert_eq!(destinations(client, "").await, stay);
    subscribes(client, &bridge, DESTINATION).await.is(401);
    let log = audit_log(&server).await;
    let entries = log["entries"].as_array().unwrap().iter();
    let deletions = entries.filter(|it| it["action"] == "webhook.delete");
    // Entries of one moment have no order.
    let objects: BTreeSet<_> = deletions
        .map(|it| (it["object"].to_string(), it["by"]["name"].to_string()))
        .collect();
    let deleted = [1, 2].map(|number| (format!("\"{number}\""), "\"Ada\"".to_owned()));
    assert_eq!(objects, BTreeSet::from(deleted));
    // The operator uninstalls the other one; the service stops at once.
    let grant = format!("/admin/v1/oauth-clients/{OTHER_CLIENT}/grants/{ACCOUNT}");
    client.operate("DELETE", &grant).send().await.is(200);
    server.kill_9();
    server.restart().await;
    let stay = [4, 6].map(|number| format!("https://hooks.example.org/{number}"));
    assert_eq!(destinations(server.client(), "").await, stay);
}

#[tokio::test]
async fn a_webhook_outlives_the_role_of_its_administrator() {
    let server = Server::start().await;
    let client = server.client();
    let user = format!("/admin/v1/accounts/{ACCOUNT}/users");
    let eve = json!({ "name": "Eve", "email": "eve@example.com", "is_admin": true });
    client.operates("POST", &user, &eve).await.is(201);
    let token = json!({ "name": "hooks" });
    let answer = client
        .operates("POST", &format!("{user}/2/tokens"), &token)
        .await;
    let token = answer.is(201).json["token"].as_str().unwrap().to_owned();
    let webhook = subscribes(client, &token, DESTINATION).await.is(201);
    assert_eq!(webhook.json["created_by"], 2);
    let change = json!({ "is_admin": false });
    client
        .operates("PATCH", &format!("{user}/2"), &change)
        .await
        .is(200);
    subscribes(client, &token, "https://hooks.example.org/2")
        .await
        .is(403);
    let list = entries(&client.read(WEBHOOKS).await, "webhooks");
    assert_eq!(list, [webhook.json]);
}

#[tokio::test]
async fn no_log_has_more_of_a_destination_than_its_host() {
    let server = Server::start().await;
    let client = server.client();
    let secret = "https://hooks.example.org:8443/s3cret-in-path?k=s3cret-in-query";
    subscribes(client, TOKEN, secret).await.is(201);
    let body = json!({ "destination": secret, "settings": ["add_lead"] });
    floor::admin(client, "POST", WEBHOOKS, &body).await.is(201);
    assert_eq!(destinations(client, &filter(secret)).await, [secret]);
    let wrong = json!({ "destination": secret, "settings": ["s3cret"] });
    floor::admin(client, "POST", WEBHOOKS, &wrong).await.is(400);
    deletes(client, secret).await.is(204);
    deletes(client, secret).await.is(404);
    let log = audit_log(&server).await;
    let entries = log["entries"].as_array().unwrap().iter().rev();
    let changes: Vec<_> = entries
        .filter(|it| it["action"].as_str().unwrap().starts_with("webhook."))
        .map(|it| (&it["action"], &it["changes"]))
        .collect();
    let host = "hooks.example.org:8443";
    let expected = [
        (
            &json!("webhook.create"),
            &json!([
                { "field": "host", "before": null, "after": host },
                { "field": "settings", "before": null, "after": ["add_message"] },
                { "field": "sort", "before": null, "after": 10 },
            ]),
        ),
        (
            &json!("webhook.update"),
            &json!([{ "field": "settings", "before": ["add_message"], "after": ["add_lead"] }]),
        ),
        (
            &json!("webhook.delete"),
            &json!([
                { "field": "host", "before": host, "after": null },
                { "field": "settings", "before": ["add_lead"], "after": null },
                { "field": "sort", "before": 10, "after": null },
            ]),
        ),
    ];
    assert_eq!(changes, expected);
    let records = client.operate("GET", "/admin/v1/requests?limit=250").send();
    let list = records.await.is(200).json;
    let requests = list["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 6);
    for request in requests {
        let target = format!("/admin/v1/requests/{}", request["id"].as_str().unwrap());
        let record = client.operate("GET", &target).send().await.is(200);
        assert!(!record.body.contains("s3cret-in"), "{}", record.body);
    }
    assert!(!server.log().contains("s3cret-in"), "{}", server.log());
}
