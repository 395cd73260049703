//! `/inbox/v1/canned-replies`: texts of account users, filled from a conversation, and never seen by an integration.

use image::ImageFormat;
use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::inbox::setting::question;
use crate::operator::audit_log;
use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::receiver::Receiver;
use crate::support::server::{OTHER_TOKEN, Server, Setup, TOKEN};
use crate::support::upload::{form, picture, post, uploaded};

const ALL: &str = "/inbox/v1/canned-replies";

fn one(id: &Value) -> String {
    format!("{ALL}/{id}")
}

async fn creates(client: &Client, body: &Value) -> Answer {
    floor::admin(client, "POST", ALL, body).await
}

/// The names of a list, in its order.
fn names(list: &Value) -> Vec<&str> {
    let replies = list["canned_replies"].as_array().unwrap().iter();
    replies.map(|it| it["name"].as_str().unwrap()).collect()
}

async fn seller(client: &Client, name: &str) -> Person {
    floor::add(client, name, &floor::rights("A")).await
}

#[tokio::test]
async fn own_and_shared_ones_are_seen_as_they_may_be() {
    let mut server = Server::start().await;
    let client = server.client();
    let (boris, dora) = (
        seller(client, "boris").await,
        floor::add(client, "dora", &floor::rights("D")).await,
    );
    let mine = json!({ "name": "Greeting", "text": "Hello {{contact.name}}" });
    let own = creates(client, &mine).await.is(201).json;
    let expected = json!({
        "id": 1, "name": "Greeting", "text": "Hello {{contact.name}}", "is_shared": false,
        "user_id": 1, "file": null, "created_at": own["created_at"], "updated_at": own["created_at"],
    });
    assert_eq!(own, expected);
    let body = json!({ "name": "greeting", "text": "Good day", "is_shared": true });
    let shared = boris.sends(client, "POST", ALL, &body).await.is(201).json;
    // Another user's own one does not exist, for an administrator either.
    boris.reads(client, &one(&own["id"])).await.is(404);
    for (method, body) in [("PATCH", json!({ "text": "x" })), ("DELETE", json!({}))] {
        let target = one(&own["id"]);
        boris.sends(client, method, &target, &body).await.is(404);
        let target = one(&shared["id"]);
        dora.sends(client, method, &target, &body).await.is(403);
    }
    dora.reads(client, &one(&shared["id"])).await.is(200);
    dora.sends(client, "POST", ALL, &mine).await.is(403);
    let of_boris = boris.sends(client, "POST", ALL, &mine).await.is(201).json;
    client.get(&one(&of_boris["id"])).await.is(404);
    // Nothing of it is another account's.
    for target in [one(&own["id"]), one(&shared["id"])] {
        client.get_as(OTHER_TOKEN, &target).await.is(404);
    }
    let other = client.get_as(OTHER_TOKEN, ALL).await.is(200).json;
    assert_eq!(names(&other), [""; 0]);
    // An administrator changes a shared one of another user.
    let change = json!({ "text": "Good evening" });
    let response = floor::admin(client, "PATCH", &one(&shared["id"]), &change).await;
    let canned_reply = response.is(200).json;
    assert_eq!(canned_reply["user_id"], boris.id);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(client.read(&one(&own["id"])).await, own);
    assert_eq!(client.read(&one(&shared["id"])).await, canned_reply);
    let deleted = floor::admin(client, "DELETE", &one(&shared["id"]), &json!({})).await;
    deleted.is(204);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    boris.reads(client, &one(&shared["id"])).await.is(404);
    let next = creates(client, &body).await.is(201).json;
    assert_eq!(next["id"], 4, "a number is not given again");
    let log = audit_log(&server).await.to_string();
    for action in ["create", "update", "delete"] {
        assert!(log.contains(&format!("canned_reply.{action}")), "{log}");
    }
    for text in ["Hello {{contact.name}}", "Good day", "Good evening"] {
        assert!(!log.contains(text), "{log}");
    }
}

#[tokio::test]
async fn a_user_who_left_leaves_the_shared_ones_to_the_account() {
    let server = Server::start().await;
    let client = server.client();
    let boris = seller(client, "boris").await;
    let shared = json!({ "name": "Bye", "text": "Good bye", "is_shared": true });
    let reply = boris.sends(client, "POST", ALL, &shared).await.is(201).json;
    let off = json!([{ "id": boris.id }]);
    let deactivated = floor::admin(client, "POST", "/api/v4/users/deactivate", &off).await;
    deactivated.is(204);
    boris.reads(client, ALL).await.is(401);
    assert_eq!(names(&client.read(ALL).await), ["Bye"]);
    let deleted = floor::admin(client, "DELETE", &one(&reply["id"]), &json!({})).await;
    deleted.is(204);
}

#[tokio::test]
async fn bodies_are_checked_and_names_are_unique() {
    let server = Server::start().await;
    let client = server.client();
    let longest = json!({ "name": "n".repeat(255), "text": "t".repeat(65_536) });
    creates(client, &longest).await.is(201);
    let wrong =
        json!({ "name": " ", "text": "t".repeat(65_537), "is_shared": "yes", "media_id": "x" });
    let mut paths: Vec<_> = creates(client, &wrong).await.is(400).wrong();
    paths.sort();
    let paths: Vec<_> = paths.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["is_shared", "media_id", "name", "text"]);
    let unknown =
        json!({ "name": "a", "text": "b", "media_id": "2b9c6e0a-5d1f-4c3b-8a7e-9f0d1c2b3a49" });
    let refusal = creates(client, &unknown).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "media_id");
    creates(client, &json!({ "name": "a" })).await.is(400);
    let hours = json!({ "name": "Öffnung", "text": "At nine" });
    creates(client, &hours).await.is(201);
    let same = json!({ "name": "öFFNUNG", "text": "At ten" });
    creates(client, &same).await.is(409);
    let body = json!({ "name": "öFFNUNG", "text": "At ten", "is_shared": true });
    let shared_reply = creates(client, &body).await.is(201).json;
    let unshare = json!({ "is_shared": false });
    let refusal = floor::admin(client, "PATCH", &one(&shared_reply["id"]), &unshare).await;
    refusal.is(409);
    assert_eq!(names(&client.read(ALL).await).len(), 3);
    client.get(&format!("{ALL}?page=2")).await.is(400);
    client.get(&format!("{ALL}?cursor=here")).await.is(400);
    client.get(&one(&json!("none"))).await.is(404);
}

#[tokio::test]
async fn a_list_is_by_name_searched_and_bounded() {
    let server = Server::start().await;
    let client = server.client();
    for (name, text) in [
        ("delta", "x"),
        ("Alpha", "Größe 42"),
        ("Émile", "y"),
        ("beta", "x"),
    ] {
        creates(client, &json!({ "name": name, "text": text }))
            .await
            .is(201);
    }
    let list = client.read(ALL).await;
    assert_eq!(names(&list), ["Alpha", "beta", "delta", "Émile"]);
    assert_eq!(list["next"], Value::Null);
    for (words, expected) in [("EMIL", "Émile"), ("groß", "Alpha"), ("%20BETA%20", "beta")] {
        let found = client.read(&format!("{ALL}?query={words}")).await;
        assert_eq!(names(&found), [expected], "{words}");
    }
    let mut all = Vec::new();
    let mut target = format!("{ALL}?limit=1");
    loop {
        let page = client.read(&target).await;
        all.extend(names(&page).into_iter().map(str::to_owned));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        target = format!("{ALL}?limit=1&cursor={next}");
    }
    assert_eq!(all, ["Alpha", "beta", "delta", "Émile"]);
    for number in 5..=200 {
        let body = json!({ "name": format!("n{number}"), "text": "x" });
        creates(client, &body).await.is(201);
    }
    let body = json!({ "name": "one more", "text": "x" });
    creates(client, &body).await.is(422);
    assert_eq!(
        names(&client.read(&format!("{ALL}?limit=999")).await).len(),
        200
    );
}

#[tokio::test]
async fn a_repeated_request_creates_one() {
    let mut server = Server::start().await;
    let send = async |client: &Client, text: &str| {
        let body = json!({ "name": "Hours", "text": text });
        let request = client.request("POST", ALL).bearer(TOKEN);
        request
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "k")
            .body(body.to_string())
            .send()
            .await
    };
    let first = send(server.client(), "At nine").await.is(201).json;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(send(client, "At nine").await.is(201).json, first);
    send(client, "At ten").await.is(409);
    assert_eq!(names(&client.read(ALL).await), ["Hours"]);
}

#[tokio::test]
async fn markers_are_filled_once_from_the_conversation() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = question(client, "{{lead.id}} and {{contact.cf.5}}").await;
    let target = format!("/inbox/v1/conversations/{conversation}/canned-replies");
    let text = "Dear {{contact.name}}, you wrote «{{message_text}}» in {{lead.id}}. {{contact.cf.9}}{{contact.cf.9}}";
    creates(client, &json!({ "name": "A", "text": text }))
        .await
        .is(201);
    let boris = seller(client, "boris").await;
    let own = json!({ "name": "B", "text": "Mine" });
    boris.sends(client, "POST", ALL, &own).await.is(201);
    let list = client.read(&target).await;
    assert_eq!(names(&list), ["A"]);
    let contact = client.read("/api/v4/contacts/1").await;
    let name = contact["name"].as_str().unwrap();
    let expected = format!(
        "Dear {name}, you wrote «{{{{lead.id}}}} and {{{{contact.cf.5}}}}» in 1. {{{{contact.cf.9}}}}{{{{contact.cf.9}}}}"
    );
    assert_eq!(list["canned_replies"][0]["text"], expected);
    assert_eq!(
        list["canned_replies"][0]["empty"],
        json!(["{{contact.cf.9}}"])
    );
    // The text as it is stored is another one.
    assert_eq!(client.read(&one(&json!(1))).await["text"], text);
    let long = "{{contact.name}}".repeat(4_096);
    creates(client, &json!({ "name": "C", "text": long }))
        .await
        .is(201);
    let renamed = json!({ "name": "a name that is longer than its marker" });
    floor::admin(client, "PATCH", "/api/v4/contacts/1", &renamed)
        .await
        .is(200);
    let list = client.read(&format!("{target}?query=c")).await;
    let of_long = list["canned_replies"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&of_long["name"], &of_long["text"]),
        (&json!("C"), &Value::Null)
    );
    client.get_as(OTHER_TOKEN, &target).await.is(404);
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    dora.reads(client, &target).await.is(404);
}

#[tokio::test]
async fn a_file_is_kept_with_its_canned_reply() {
    let mut server = Server::start().await;
    let client = server.client();
    let menu = uploaded(client, "menu.png", &picture(8, 8, ImageFormat::Png)).await;
    let body = json!({ "name": "Menu", "text": "Here it is", "media_id": menu["id"] });
    let reply = creates(client, &body).await.is(201).json;
    let file = json!({ "id": menu["id"], "type": "picture", "file_name": "menu.png", "file_size": menu["file_size"] });
    assert_eq!(reply["file"], file);
    // Only a file without this mark goes when it was not sent in time.
    let id = menu["id"].as_str().unwrap();
    let mark = server
        .data()
        .join("media")
        .join(&id[..2])
        .join(format!("{id}.kept"));
    assert!(mark.exists(), "{}", mark.display());
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let target = one(&reply["id"]);
    let text = json!({ "text": "Here" });
    let changed = floor::admin(client, "PATCH", &target, &text).await.is(200);
    assert_eq!(changed.json["file"], file);
    let upload = post(client, OTHER_TOKEN, form("file", "a.txt", b"x")).await;
    let foreign_file = json!({ "media_id": upload.is(201).json["id"] });
    let refusal = floor::admin(client, "PATCH", &target, &foreign_file).await;
    assert_eq!(refusal.is(400).wrong()[0].0, "media_id");
    let none = json!({ "media_id": null });
    let changed = floor::admin(client, "PATCH", &target, &none).await.is(200);
    assert_eq!(changed.json["file"], Value::Null);
}

/// The event is for those who may see it, and for those who could until now.
#[tokio::test]
async fn an_event_names_it_to_those_who_may_see_it() {
    let server = Server::start().await;
    let client = server.client();
    let boris = seller(client, "boris").await;
    let mut of_ada = Stream::open(&server, TOKEN, None).await;
    let mut of_boris = Stream::open_with(&server, ("Cookie", &boris.cookie), None).await;
    let body = json!({ "name": "One", "text": "x" });
    creates(client, &body).await.is(201);
    let body = json!({ "name": "Two", "text": "x", "is_shared": true });
    creates(client, &body).await.is(201);
    let private = json!({ "is_shared": false });
    floor::admin(client, "PATCH", &one(&json!(2)), &private)
        .await
        .is(200);
    floor::admin(client, "DELETE", &one(&json!(2)), &json!({}))
        .await
        .is(204);
    let body = json!({ "name": "Three", "text": "x", "is_shared": true });
    creates(client, &body).await.is(201);
    let mut ids = [Vec::new(), Vec::new()];
    for (stream, ids) in [&mut of_ada, &mut of_boris].into_iter().zip(&mut ids) {
        while ids.last() != Some(&3) {
            let event = stream.upto("canned_reply").await.pop().unwrap();
            ids.push(event.data["canned_reply_id"].as_u64().unwrap());
        }
    }
    assert_eq!(ids, [vec![1, 2, 2, 2, 3], vec![2, 2, 3]]);
}

/// The bytes of all that integrations and subscribers of hooks get have no word of a canned reply.
#[tokio::test]
async fn no_integration_sees_a_canned_reply() {
    const CANARY: &str = "zwischenzug";
    let (receiver, hooks) = (Receiver::start().await, Receiver::start().await);
    let setup = Setup::default().webhook(&receiver);
    let server = setup.start().await;
    let client = server.client();
    let conversation = question(client, "Hello").await;
    let settings = [
        "add_outgoing_message",
        "update_lead",
        "add_chat_template_review",
    ];
    let subscription = json!({ "destination": hooks.webhook("in?k=7d1f"), "settings": settings });
    let subscribed = floor::admin(client, "POST", "/api/v4/webhooks", &subscription).await;
    subscribed.is(201);
    let body = json!({ "name": CANARY, "text": CANARY, "is_shared": true });
    creates(client, &body).await.is(201);
    let reply = client.replied(&conversation, "Good morning").await;
    client.callback_is(&conversation, &reply, "delivered").await;
    let form = hooks.requests(1).await.remove(0);
    assert!(!String::from_utf8_lossy(&form.body).contains(CANARY));
    for callback in receiver.callbacks(1).await {
        assert!(!callback.json.to_string().contains(CANARY));
    }
    let templates = client.get("/api/v4/chats/templates").await;
    templates.is(204);
    let sendable = format!("/inbox/v1/conversations/{conversation}/templates");
    assert_eq!(client.read(&sendable).await["templates"], json!([]));
    for target in [
        "/api/v4/events",
        "/api/v4/leads/1/notes",
        "/api/v4/talks/1/messages",
    ] {
        let answer = client.get(target).await;
        assert!(!answer.body.contains(CANARY), "{target}");
    }
}
