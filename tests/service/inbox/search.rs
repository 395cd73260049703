//! Searching and narrowing the list of conversations.

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message, silent_message};
use crate::support::receiver::Receiver;
use crate::support::rounds::Rounds;
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

/// The integration's ids of the conversations that a query finds, page by page of this length.
async fn found_by(
    client: &Client,
    token: &str,
    query: &[(&str, &str)],
    limit: usize,
) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let mut target = url::form_urlencoded::Serializer::new(String::new());
        target
            .extend_pairs(query)
            .append_pair("limit", &limit.to_string());
        let target = format!("/inbox/v1/conversations?{}{cursor}", target.finish());
        let page = client.get_as(token, &target).await.is(200).json;
        let entries = page["conversations"].as_array().unwrap();
        assert!(entries.len() <= limit);
        ids.extend(
            entries
                .iter()
                .map(|it| it["client_id"].as_str().unwrap().to_owned()),
        );
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return ids,
        }
    }
}

async fn found(client: &Client, query: &str) -> Vec<String> {
    let all = found_by(client, TOKEN, &[("query", query)], 50).await;
    for limit in [1, 2] {
        assert_eq!(
            found_by(client, TOKEN, &[("query", query)], limit).await,
            all
        );
    }
    all
}

/// A message with another text.
fn says(msgid: &str, conversation: &str, text: &str) -> Value {
    let mut event = message(msgid, conversation);
    event["payload"]["message"]["text"] = json!(text);
    event
}

#[tokio::test]
async fn search_finds_customers_and_ids_in_any_letter_case() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut event = says("m", "Order-17", "hello");
    event["payload"]["sender"]["name"] = json!("Jürgen Groß");
    event["payload"]["sender"]["id"] = json!("Customer-9");
    event["payload"]["sender"]["profile"] =
        json!({ "phone": "+49 (30) 1234-567", "email": "Jay@Example.com" });
    let new_message = client.sent(&event).await;
    client.sent(&says("m", "other", "hi")).await;
    let id = new_message["conversation_id"].as_str().unwrap();
    for query in [
        "jürgen",
        "JÜRGEN GROSS",
        "groß jür",
        "493012",
        "+49 30 1234567",
        "jay@example.COM",
        "order-17",
        "customer-9",
        id,
        &id.to_uppercase(),
        "hello jürgen",
    ] {
        assert_eq!(found(client, query).await, ["Order-17"], "{query}");
    }
    // Our ids count as a whole only: a part of one is like any short word.
    for query in ["jürgen hi", "991", "nobody", &id[..8]] {
        assert!(found(client, query).await.is_empty(), "{query}");
    }
    for blank in ["", "  "] {
        assert_eq!(found(client, blank).await, ["other", "Order-17"]);
    }
}

#[tokio::test]
async fn search_lists_names_before_texts_each_newest_first() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for (conversation, text) in [
        ("a", "about TULIPS"),
        ("tulips-1", "hello"),
        ("b", "tulips please, and tulips again"),
        ("tulips-2", "tulips"),
        ("c", "roses"),
    ] {
        client.sent(&says("m1", conversation, text)).await;
        client.sent(&silent_message("m2", conversation)).await;
    }
    assert_eq!(
        found(client, "tulips").await,
        ["tulips-2", "tulips-1", "b", "a"]
    );
    let page = client.read("/inbox/v1/conversations?query=tulips").await;
    let texts: Vec<&Value> = page["conversations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["found"]["text"])
        .collect();
    assert_eq!(
        texts,
        [
            &Value::Null,
            &Value::Null,
            &json!("tulips please, and tulips again"),
            &json!("about TULIPS"),
        ]
    );
}

#[tokio::test]
async fn replies_and_the_newest_versions_of_messages_are_searched() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent_today(&says("m", "c", "before")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    client.replied(conversation, "We have Tulips").await;
    assert_eq!(found(client, "tulips").await, ["c"]);
    assert_eq!(found(client, "before").await, ["c"]);
    let mut edit = says("m", "c", "afterwards");
    edit["event_type"] = json!("edit_message");
    client.send_today(&edit).await.is(200);
    assert_eq!(found(client, "afterwards").await, ["c"]);
    assert!(found(client, "before").await.is_empty());
}

#[tokio::test]
async fn the_list_can_be_filtered_by_unread_and_by_failed() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut ids = Vec::new();
    for conversation in ["read", "failed", "unread"] {
        let new_message = client.sent(&message("m", conversation)).await;
        ids.push(new_message["conversation_id"].as_str().unwrap().to_owned());
    }
    let first = client.replied(&ids[0], "Yes").await;
    let reported = client.replied(&ids[1], "Yes").await;
    client.callback_is(&ids[0], &first, "delivered").await;
    let error = json!({ "msgid": reported, "delivery_status": -1, "error_code": 904 });
    client.delivery_status(&reported, &error).await.is(200);
    let narrowed =
        async |state: &'static str| found_by(client, TOKEN, &[("state", state)], 1).await;
    assert_eq!(narrowed("unread").await, ["unread"]);
    assert_eq!(narrowed("failed").await, ["failed"]);
    assert_eq!(narrowed("all").await, ["failed", "read", "unread"]);
    // Ada answered there.
    assert_eq!(narrowed("mine").await, ["failed", "read"]);
    let both = [("state", "failed"), ("query", "TEXT OF M")];
    assert_eq!(found_by(client, TOKEN, &both, 1).await, ["failed"]);
    let target = format!("/inbox/v1/conversations/{}", ids[1]);
    assert_eq!(client.read(&target).await["trouble"], "error");
    // Whatever else is written, the customer does not have it.
    client.replied(&ids[1], "Another matter").await;
    assert_eq!(narrowed("failed").await, ["failed"]);
    assert_eq!(client.read(&target).await["trouble"], "error");
    let late = json!({ "msgid": reported, "delivery_status": 1 });
    client.delivery_status(&reported, &late).await.is(200);
    assert!(narrowed("failed").await.is_empty());
    assert_eq!(client.read(&target).await["trouble"], Value::Null);
}

async fn write(client: &Client, conversation: &str, body: &Value) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await
}

#[tokio::test]
async fn failed_messages_are_no_trouble_once_each_was_sent_again() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    let mut failed = Vec::new();
    for text in ["one", "two"] {
        let id = client.replied(&conversation, text).await;
        let error = json!({ "msgid": id, "delivery_status": -1, "error_code": 905, "error": "no" });
        client.delivery_status(&id, &error).await.is(200);
        failed.push(id);
    }
    let query = [("state", "failed")];
    let again = |id: &str| json!({ "type": "text", "text": "again", "resends": id });
    write(client, &conversation, &again(&failed[0]))
        .await
        .is(201);
    assert_eq!(found_by(client, TOKEN, &query, 1).await, ["c"]);
    // A customer's message, and one of another conversation, cannot be sent again.
    let message_elsewhere = client.sent(&message("m", "d")).await;
    let elsewhere = message_elsewhere["conversation_id"].as_str().unwrap();
    let in_another = write(client, elsewhere, &again(&failed[1])).await.is(400);
    let reply_to_customer = again(new_message["msgid"].as_str().unwrap());
    let of_customer = write(client, &conversation, &reply_to_customer)
        .await
        .is(400);
    for refused in [in_another, of_customer] {
        assert_eq!(
            refused.wrong(),
            [("resends".to_owned(), "InvalidValue".to_owned())]
        );
    }
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(client.read("/inbox/v1/counts").await["failed"]["count"], 1);
    write(client, &conversation, &again(&failed[1]))
        .await
        .is(201);
    assert!(found_by(client, TOKEN, &query, 1).await.is_empty());
    assert_eq!(client.read("/inbox/v1/counts").await["failed"]["count"], 0);
}

#[tokio::test]
async fn dead_and_cancelled_callbacks_count_as_trouble() {
    let no_more = Reply::new(422).header("X-No-Retry", "1");
    let receiver = Receiver::behaving(Behaviour::Answer(no_more)).await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let reply = client.replied(conversation, "Yes").await;
    client.callback_is(conversation, &reply, "dead").await;
    let failed = [("state", "failed")];
    assert_eq!(found_by(client, TOKEN, &failed, 1).await, ["c"]);
    client.replied(conversation, "Another matter").await;
    assert_eq!(found_by(client, TOKEN, &failed, 1).await, ["c"]);
    let entry = client.conversations().await.remove(0);
    assert_eq!(entry["trouble"], "undelivered");
}

#[tokio::test]
async fn search_never_finds_hidden_objects() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 6).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let gus = floor::add(client, "Gus", &floor::rights("G")).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let all = floor::add(client, "All", &floor::rights("A")).await;
    for (lead, responsible) in [
        (1, Some(mia.id)),
        (2, Some(gus.id)),
        (3, Some(1)),
        (4, None),
    ] {
        floor::place(client, lead, 2, responsible).await;
    }
    for who in [&mia, &gus, &dee, &all] {
        let mut visible = floor::inbox(client, who, 50).await;
        visible.sort();
        let queries = conversations.iter().map(String::as_str);
        // By name, by what was said, by the integration's id, by the service's.
        for query in ["grace", "text", "of", "c1", "c3", "c6"]
            .into_iter()
            .chain(queries)
        {
            for state in ["all", "unread"] {
                let base = format!("/inbox/v1/conversations?limit=1&state={state}&query={query}");
                let mut target = base.clone();
                let mut ids = Vec::new();
                let mut rounds = Rounds::default();
                loop {
                    rounds.note();
                    let page = who.reads(client, &target).await.is(200).json;
                    let entries = page["conversations"].as_array().unwrap().iter();
                    ids.extend(entries.map(|entry| entry["id"].as_str().unwrap().to_owned()));
                    let Some(next) = page["next"].as_str() else {
                        break;
                    };
                    target = format!("{base}&cursor={next}");
                }
                ids.sort();
                let mut matches = visible.clone();
                match query {
                    "grace" | "text" | "of" => {}
                    own => {
                        let place = own.strip_prefix('c').and_then(|n| n.parse::<usize>().ok());
                        let id = place.map_or(own, |n| conversations[n - 1].as_str());
                        matches.retain(|known| known == id);
                    }
                }
                assert_eq!(ids, matches, "{query} among {state} by {}", who.id);
            }
        }
        let mine = who
            .reads(client, "/inbox/v1/conversations?state=mine")
            .await
            .is(200)
            .json["conversations"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(mine, usize::from(who.id == mia.id || who.id == gus.id));
    }
    for query in ["grace", "text", conversations[0].as_str()] {
        let query = [("query", query)];
        assert!(found_by(client, OTHER_TOKEN, &query, 50).await.is_empty());
    }
}

#[tokio::test]
async fn a_forged_cursor_shows_no_hidden_objects() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 1).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let id = conversations[0].replace('-', "");
    // In the middle of the messages of that conversation.
    let cursor = format!("03{:016x}{id}{:016x}", u64::MAX, 2);
    let target = format!("/inbox/v1/conversations?query=text&cursor={cursor}");
    assert_eq!(
        client.read(&target).await["conversations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let page = dee.reads(client, &target).await.is(200).json;
    assert_eq!(page["conversations"], json!([]));
    let foreign = client.get_as(OTHER_TOKEN, &target).await.is(200).json;
    assert_eq!(foreign["conversations"], json!([]));
}

#[tokio::test]
async fn an_invalid_search_is_named() {
    let server = Server::start().await;
    let long = "x".repeat(101);
    for (query, named) in [
        (
            "state=open".to_owned(),
            "must be all, mine, mentioned, unread or failed, got «open»",
        ),
        (
            format!("query={long}"),
            "query: a search has at most 100 characters",
        ),
        ("query=a&query=b".to_owned(), "query"),
        ("query=a&cursor=00".to_owned(), "cursor"),
        (format!("cursor={}", "0".repeat(48)), "cursor"),
    ] {
        let target = format!("/inbox/v1/conversations?{query}");
        let answer = server.client().get(&target).await.is(400);
        assert!(answer.body.contains(named), "{query}: {}", answer.body);
    }
}

/// The first page of a search.
async fn first_page(client: &Client, token: &str, query: &str) -> Value {
    let mut target = url::form_urlencoded::Serializer::new(String::new());
    target.append_pair("query", query);
    let target = format!("/inbox/v1/conversations?{}", target.finish());
    client.get_as(token, &target).await.is(200).json
}

/// An exact search for a number, an address or an id has its object alone on the first page, whatever else has the
/// text.
#[tokio::test]
async fn exact_numbers_addresses_and_ids_are_found_by_key() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut event = says("msg-4711", "order-17", "hello");
    event["payload"]["sender"]["id"] = json!("customer-9");
    event["payload"]["sender"]["profile"] =
        json!({ "phone": "+7 (900) 123-45-67", "email": "Jay@Example.com" });
    let new_message = client.sent(&event).await;
    // Who quotes all of it is found too, afterwards.
    let ours = |name: &str| new_message[name].as_str().unwrap().to_owned();
    let [conversation, customer, message_id] = ["conversation_id", "sender_id", "msgid"].map(ours);
    let quoted = format!(
        "79001234567 9001234567 jay@example.com order-17 customer-9 msg-4711 {conversation} {customer} {message_id}"
    );
    client.sent(&says("m", "quoting", &quoted)).await;
    for query in [
        "79001234567",
        "+7 900 123 45 67",
        "8 (900) 123-45-67",
        "007 900 1234567",
        "JAY@example.com",
        "order-17",
        "customer-9",
        "msg-4711",
        &conversation,
        &customer,
        &message_id,
    ] {
        let page = first_page(client, TOKEN, query).await;
        let entries = page["conversations"].as_array().unwrap();
        assert_eq!(entries.len(), 1, "{query}");
        assert_eq!(entries[0]["client_id"], "order-17", "{query}");
        let is_message = query == "msg-4711" || query == message_id;
        assert_eq!(
            entries[0]["found"]["text"] == "hello",
            is_message,
            "{query}"
        );
        assert_eq!(page["searched"]["is_complete"], false, "{query}");
        let all = found(client, query).await;
        assert_eq!(all[0], "order-17", "{query}");
        assert!(all.len() <= 2, "{query}: {all:?}");
        let others = found_by(client, OTHER_TOKEN, &[("query", query)], 50).await;
        assert!(others.is_empty(), "{query}: {others:?}");
    }
    // A customer with another number is found by that one.
    let mut later = says("msg-4712", "order-17", "I have a new number");
    later["payload"]["sender"] = event["payload"]["sender"].clone();
    later["payload"]["sender"]["profile"]["phone"] = json!("+49 30 7654321");
    client.sent(&later).await;
    assert_eq!(found(client, "+49 30 7654321").await, ["order-17"]);
    assert_eq!(found(client, "030 7654321").await, ["order-17"]);
    assert_eq!(found(client, "79001234567").await, ["quoting"]);
}

#[tokio::test]
async fn a_search_says_how_far_it_went() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&says("m", "c", "hello")).await;
    let page = first_page(client, TOKEN, "nobody-wrote-this").await;
    assert_eq!(page["conversations"], json!([]));
    assert_eq!(page["next"], Value::Null);
    let end = json!({ "part": "messages", "back_to": null, "is_complete": true });
    assert_eq!(page["searched"], end);
    // One result fits on the page: the search goes on behind it.
    let target = "/inbox/v1/conversations?limit=1&query=hello";
    let page = client.read(target).await;
    assert_eq!(page["searched"]["is_complete"], page["next"] == Value::Null);
    let response = client.read("/inbox/v1/conversations").await;
    assert_eq!(response.get("searched"), None);
}

/// The counterpart's lists lead to contacts and leads by the same keys.
#[tokio::test]
async fn leads_are_found_by_the_exact_number_of_their_contact() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for n in 0..3 {
        let mut event = says("m", &format!("c-{n}"), "hello");
        event["payload"]["sender"]["id"] = json!(format!("u-{n}"));
        event["payload"]["sender"]["profile"] = json!({ "phone": format!("+7900123450{n}") });
        client.sent(&event).await;
    }
    for (kind, query) in [("leads", "8 (900) 123-45-01"), ("contacts", "+79001234501")] {
        let mut target = url::form_urlencoded::Serializer::new(String::new());
        target.append_pair("query", query);
        let target = format!("/api/v4/{kind}?{}", target.finish());
        let page = client.read(&target).await;
        let entries = page["_embedded"][kind].as_array().unwrap();
        assert_eq!(entries.len(), 1, "{kind}: {page}");
    }
}
