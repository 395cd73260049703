//! Templates of integrations: each has its own, and they pass reviews.

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, entries};
use crate::support::oauth::{Browser, OTHER_CLIENT, does, installed, installs, offers_the_other};
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

const TEMPLATES: &str = "/api/v4/chats/templates";

/// A request of the administrator, with a token of no OAuth client.
async fn admin(client: &Client, method: &str, target: &str, body: &Value) -> Answer {
    floor::admin(client, method, target, body).await
}

async fn add(client: &Client, body: &Value) -> Value {
    let answer = admin(client, "POST", TEMPLATES, body).await.is(200);
    answer.json["_embedded"]["chat_templates"].clone()
}

/// A template with all its fields, as libraries send one.
fn whole() -> Value {
    json!({
        "name": "Order is paid", "content": "Dear {{contact.name}}, order {{lead.id}} is paid.",
        "external_id": "order-paid", "is_editable": true, "type": "waba",
        "buttons": [{ "type": "url", "text": "Track", "url": "https://shop.example/track" }],
        "attachment": { "id": "2b9c6e0a-5d1f-4c3b-8a7e-9f0d1c2b3a49", "name": "a.png", "type": "picture" },
        "waba_header": "Shop", "waba_header_type": "text", "waba_footer": "No reply",
        "waba_category": "UTILITY", "waba_language": "en",
        "waba_examples": { "{{contact.name}}": "Ada" }, "request_id": "first",
    })
}

#[tokio::test]
async fn a_template_is_created_read_changed_and_deleted() {
    let mut server = Server::start().await;
    let client = server.client();
    let plain = json!({ "name": "Hi", "content": "Hello", "request_id": "second", "waba_footer": "Not shown" });
    let templates = add(client, &json!([whole(), plain])).await;
    assert_eq!(templates[0]["request_id"], "first");
    assert_eq!(templates[1]["request_id"], "second");
    assert_eq!(templates[0]["id"], 1);
    let mut expected = whole();
    expected.as_object_mut().unwrap().remove("request_id");
    expected["attachment"]["is_external"] = true.into();
    let first = client.read(&format!("{TEMPLATES}/1")).await;
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(first[field], *value, "{field}");
    }
    assert_eq!(
        first["_links"]["self"]["href"],
        format!("{}{TEMPLATES}/1", server.url())
    );
    assert!(first.get("review_status").is_none());
    let second = &templates[1];
    assert_eq!(second["waba_examples"], json!([]));
    assert_eq!(second["waba_footer"], "");
    assert_eq!(second["buttons"], json!([]));
    assert_eq!(second["attachment"], Value::Null);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let change = json!({ "content": "Hello again", "external_id": "hi", "buttons": [{ "type": "inline", "text": "Yes" }] });
    let answer = admin(client, "PATCH", &format!("{TEMPLATES}/2"), &change).await;
    let view = answer.is(200).json;
    assert_eq!(view["content"], "Hello again");
    assert_eq!(view["name"], "Hi");
    let nulls =
        json!([{ "id": 2, "request_id": "r", "external_id": null, "buttons": null }, { "id": 1 }]);
    let answer = admin(client, "PATCH", TEMPLATES, &nulls).await.is(200);
    let views = entries(&answer.json, "chat_templates");
    assert_eq!(views[0]["request_id"], "r");
    assert_eq!(views[0]["external_id"], Value::Null);
    assert_eq!(views[0]["buttons"], json!([]));
    assert_eq!(views[1]["external_id"], "order-paid");
    admin(client, "DELETE", &format!("{TEMPLATES}/2"), &Value::Null)
        .await
        .is(204);
    client.get(&format!("{TEMPLATES}/2")).await.is(404);
    admin(client, "DELETE", TEMPLATES, &json!([{ "id": 1 }]))
        .await
        .is(204);
    client.get(TEMPLATES).await.is(204);
    assert_eq!(add(client, &whole()).await[0]["id"], 3, "never again");
    let log = audit_log(&server).await.to_string();
    assert_eq!(log.matches("template.create").count(), 3);
    assert_eq!(log.matches("template.delete").count(), 2);
}

#[tokio::test]
async fn a_list_of_templates_is_filtered_and_paged() {
    let server = Server::start().await;
    let client = server.client();
    let template =
        |id: u64| json!({ "name": "N", "content": "C", "external_id": format!("t{id}") });
    let all: Vec<_> = (1..=5).map(template).collect();
    add(client, &json!(all)).await;
    let ids = async |query: &str| {
        let list = client.read(&format!("{TEMPLATES}?{query}")).await;
        floor::ids(&list, "chat_templates")
    };
    assert_eq!(ids("filter[external_id]=t2").await, [2]);
    let two = "filter[external_id][]=t2&filter[external_id][]=t4";
    assert_eq!(ids(two).await, [2, 4]);
    assert_eq!(ids("page=2&limit=2").await, [3, 4]);
    let list = client.read(&format!("{TEMPLATES}?page=2&limit=2")).await;
    assert_eq!(list["_page"], 2);
    assert!(
        list["_links"]["next"]["href"]
            .as_str()
            .unwrap()
            .contains("page=3")
    );
    client
        .get(&format!("{TEMPLATES}?filter[external_id]=none"))
        .await
        .is(204);
    client
        .get(&format!("{TEMPLATES}?filter[name]=N"))
        .await
        .is(400);
}

#[tokio::test]
async fn an_integration_sees_only_its_own_templates() {
    let server = Server::start().await;
    let client = server.client();
    let (own, _) = installed(client).await;
    offers_the_other(client).await;
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let (other, _) = installs(&browser, OTHER_CLIENT).await;
    does(client, &own, "POST", TEMPLATES, &json!([whole()]))
        .await
        .is(200);
    let one = format!("{TEMPLATES}/1");
    does(client, &own, "GET", &one, &Value::Null).await.is(200);
    let foreign = [other.as_str(), TOKEN, OTHER_TOKEN];
    for token in foreign {
        let asks = async |method: &str, target: &str, body: Value| {
            does(client, token, method, target, &body).await
        };
        asks("GET", TEMPLATES, Value::Null).await.is(204);
        asks("GET", &one, Value::Null).await.is(404);
        asks("PATCH", &one, json!({ "content": "x" })).await.is(404);
        asks("PATCH", TEMPLATES, json!([{ "id": 1, "content": "x" }]))
            .await
            .is(400);
        asks("DELETE", &one, Value::Null).await.is(404);
        asks("DELETE", TEMPLATES, json!([{ "id": 1 }]))
            .await
            .is(400);
        asks("POST", &format!("{one}/review"), Value::Null)
            .await
            .is(404);
    }
    let own_view = does(client, &own, "GET", &one, &Value::Null).await;
    assert_eq!(own_view.json["content"], whole()["content"]);
}

#[tokio::test]
async fn a_review_is_asked_for_and_answered() {
    let server = Server::start().await;
    let client = server.client();
    for external_id in ["shop", "desk"] {
        let source = json!({ "name": external_id, "external_id": external_id });
        admin(client, "POST", "/api/v4/sources", &source)
            .await
            .is(200);
    }
    add(client, &whole()).await;
    let review = format!("{TEMPLATES}/1/review");
    let answer = admin(client, "POST", &review, &json!({})).await.is(200);
    let reviews = entries(&answer.json, "reviews").to_vec();
    let review_view = |id: u64, source: u64, status: &str| json!({ "id": id, "source_id": source, "status": status, "reject_reason": "" });
    assert_eq!(
        reviews,
        [review_view(1, 1, "review"), review_view(2, 2, "review")]
    );
    let read = || async { client.read(&format!("{TEMPLATES}/1?with=reviews")).await };
    let now = read().await;
    assert_eq!(now["review_status"], "review");
    assert_eq!(now["is_on_review"], true);
    assert_eq!(now["_embedded"]["reviews"], json!(reviews));
    let change = json!({ "content": "Another" });
    let one = format!("{TEMPLATES}/1");
    let refusal = admin(client, "PATCH", &one, &change).await.is(400);
    assert_eq!(
        refusal.wrong(),
        [("content".to_owned(), "InvalidValue".to_owned())]
    );
    let approval = json!({ "status": "approved" });
    let response = admin(client, "POST", &format!("{review}/1"), &approval).await;
    assert_eq!(response.is(200).json, review_view(1, 1, "approved"));
    let rejection = json!({ "status": "rejected", "reject_reason": "No footer" });
    let response = admin(client, "PATCH", &format!("{review}/2"), &rejection).await;
    assert_eq!(response.is(200).json["reject_reason"], "No footer");
    assert_eq!(read().await["review_status"], "rejected");
    // A change begins anew.
    admin(client, "PATCH", &one, &change).await.is(200);
    let now = read().await;
    assert_eq!(now["review_status"], "draft");
    assert_eq!(now["_embedded"]["reviews"], json!([]));
    for (target, body, status) in [
        (format!("{review}/9"), approval.clone(), 404),
        (format!("{TEMPLATES}/9/review/1"), approval.clone(), 404),
        (format!("{review}/x"), approval, 404),
        (format!("{review}/1"), json!({ "status": "draft" }), 400),
        (
            format!("{review}/1"),
            json!({ "status": "rejected", "reject_reason": "x".repeat(65_536) }),
            400,
        ),
    ] {
        admin(client, "POST", &target, &body).await.is(status);
    }
}

#[tokio::test]
async fn wrong_templates_are_refused_whole() {
    let server = Server::start().await;
    let client = server.client();
    let button = |kind: &str, url: &str| json!({ "type": kind, "text": "Go", "url": url });
    let buttons = json!([
        button("inline", "https://a.example"),
        button("url", "https://a.example")
    ]);
    let wrong = json!([
        { "name": "N", "content": "C" },
        { "name": "", "content": "x".repeat(16_385), "request_id": "long" },
        { "name": "N", "content": "C", "buttons": buttons, "type": "sms" },
    ]);
    let answer = admin(client, "POST", TEMPLATES, &wrong).await.is(400);
    let items = answer.json["validation-errors"].as_array().unwrap();
    let ids: Vec<_> = items.iter().map(|item| &item["request_id"]).collect();
    assert_eq!(ids, ["long", "2"]);
    let text = answer.json.to_string();
    for path in ["name", "content", "buttons", "type"] {
        assert!(
            text.contains(&format!("\"path\":\"{path}\"")),
            "{path}: {text}"
        );
    }
    client.get(TEMPLATES).await.is(204);
    let many: Vec<_> = (0..251)
        .map(|_| json!({ "name": "N", "content": "C" }))
        .collect();
    admin(client, "POST", TEMPLATES, &json!(many)).await.is(400);
    for _ in 0..2 {
        admin(client, "POST", TEMPLATES, &json!(many[1..]))
            .await
            .is(200);
    }
    let refusal = admin(client, "POST", TEMPLATES, &json!(many[..1]))
        .await
        .is(422);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("at most 500")
    );
}
