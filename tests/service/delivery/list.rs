//! Lists of deliveries, by state, channel, scope and conversation, page by page.

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{act, conversation, delivery_is, listed, read};
use crate::support::client::{scope, silent_message};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_CHANNEL, Server, Setup};

#[tokio::test]
async fn every_queued_delivery_is_listed_once_in_order_on_any_page() {
    let server = Setup::default()
        .setting("dispatch", "attempts_max = 100")
        .setting("requests", "keep_deliveries_per_channel = 0")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    let mut messages = Vec::new();
    for name in ["a", "b", "c"] {
        let conversation = conversation(&server, name).await;
        let mut own = Vec::new();
        for number in 0..5 {
            own.push(client.replied(&conversation, &number.to_string()).await);
        }
        messages.push((conversation, own));
    }
    messages.sort();
    let all: Vec<String> = messages.iter().flat_map(|(_, own)| own.clone()).collect();
    for limit in [1, 2, 4, 250] {
        assert_eq!(listed(&server, "", limit).await, all, "pages of {limit}");
    }
    let scope = scope(CHANNEL, ACCOUNT);
    for query in [
        format!("&scope_id={scope}"),
        format!("&channel_id={CHANNEL}"),
        format!("&channel_id={CHANNEL}&scope_id={scope}"),
    ] {
        assert_eq!(listed(&server, &query, 4).await, all, "{query}");
    }
    for (conversation, own) in &messages {
        let query = format!("&conversation_id={conversation}");
        assert_eq!(listed(&server, &query, 2).await, *own);
    }
    for query in [
        format!("&channel_id={OTHER_CHANNEL}"),
        format!("&channel_id={OTHER_CHANNEL}&scope_id={scope}"),
        "&conversation_id=30c362b9-9201-4864-8c24-1f637b1733ed".to_owned(),
        "&state=dead".to_owned(),
    ] {
        assert_eq!(
            listed(&server, &query, 4).await,
            Vec::<String>::new(),
            "{query}"
        );
    }
    // Only heads wait for an attempt of their own or for the address; the others wait for them.
    for own in &messages {
        let target = format!("/admin/v1/deliveries?conversation_id={}", own.0);
        let page = read(&server, &target).await;
        for delivery in page["deliveries"].as_array().unwrap() {
            let state = delivery["state"].as_str().unwrap();
            assert!(
                ["queued", "sending", "waiting", "held"].contains(&state),
                "{delivery}"
            );
            assert!(delivery["reason"].is_string(), "{delivery}");
            assert!(delivery["reason_code"].is_string(), "{delivery}");
        }
    }
}

/// Discarded deliveries are listed as cancelled, and messages of customers never.
#[tokio::test]
async fn discarded_deliveries_are_listed_as_cancelled() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&silent_message("s", "silent")).await;
    let conversation = conversation(&server, "c").await;
    let (first, second) = (
        client.replied(&conversation, "one").await,
        client.replied(&conversation, "two").await,
    );
    act(&server, &second, "discard").await.is(200);
    let cancelled = listed(&server, "&state=cancelled", 10).await;
    assert_eq!(cancelled, [second.as_str()]);
    assert_eq!(
        listed(&server, "", 1).await,
        [second.as_str(), first.as_str()]
    );
    let delivery = read(&server, &format!("/admin/v1/deliveries/{second}")).await;
    assert_eq!(delivery["reason"], "an operator discarded the callback");
    assert_eq!(delivery["conversation_id"], conversation.as_str());
    assert_eq!(delivery["scope_id"], scope(CHANNEL, ACCOUNT).as_str());
    let again = act(&server, &second, "discard").await;
    again.is(409);
}

/// Recent deliveries are listed newest first, delivered ones too, and are found by group.
#[tokio::test]
async fn recent_deliveries_are_listed_newest_first_and_by_group() {
    let receiver = Receiver::start().await;
    receiver.script([
        Behaviour::status(200),
        Behaviour::Answer(Reply::new(422).header("X-No-Retry", "1")),
    ]);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let mut all = Vec::new();
    for (text, state) in [
        ("arrives", "delivered"),
        ("is refused", "dead"),
        ("arrives too", "delivered"),
    ] {
        let id = client.replied(&conversation, text).await;
        delivery_is(&server, &id, state).await;
        all.insert(0, id);
    }
    for limit in [1, 2, 250] {
        assert_eq!(listed(&server, "", limit).await, all, "pages of {limit}");
    }
    let (delivered, dead) = ([all[0].as_str(), all[2].as_str()], [all[1].as_str()]);
    for query in ["&state=delivered", "&group=delivered"] {
        assert_eq!(listed(&server, query, 1).await, delivered, "{query}");
    }
    for query in ["&state=dead", "&group=failed"] {
        assert_eq!(listed(&server, query, 1).await, dead, "{query}");
    }
    let query = format!("&group=all&conversation_id={conversation}");
    assert_eq!(listed(&server, &query, 2).await, all);
    for query in [
        "&group=waiting".to_owned(),
        "&group=failed&state=delivered".to_owned(),
        format!("&channel_id={OTHER_CHANNEL}"),
    ] {
        assert_eq!(listed(&server, &query, 9).await, Vec::<String>::new());
    }
    let page = read(&server, "/admin/v1/deliveries?limit=1").await;
    assert_eq!(page["deliveries"][0]["last_attempt"]["status"], 200);
}

/// A queued delivery that is no longer recent is listed behind the others until it arrives.
#[tokio::test]
async fn older_queued_deliveries_are_listed_behind_recent_ones() {
    let receiver = Receiver::start().await;
    let mut server = Setup::default()
        .setting("requests", "keep_deliveries_per_channel = 2")
        .start()
        .await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let mut all = Vec::new();
    for number in 0..5 {
        all.push(
            server
                .client()
                .replied(&conversation, &number.to_string())
                .await,
        );
    }
    let order = [4, 3, 0, 1, 2].map(|place: usize| all[place].clone());
    for limit in [1, 2, 3, 250] {
        assert_eq!(listed(&server, "", limit).await, order, "pages of {limit}");
    }
    // After a restart nothing is recent, but what arrives is.
    server.kill_9();
    server.restart().await;
    assert_eq!(listed(&server, "", 2).await, all);
    server.kill_9();
    server.change(|setup| setup.webhook(&receiver));
    server.restart().await;
    for id in &all {
        delivery_is(&server, id, "delivered").await;
    }
    let last = [all[4].clone(), all[3].clone()];
    assert_eq!(listed(&server, "", 1).await, last);
}

#[tokio::test]
async fn the_log_shows_each_attempt_with_its_answer() {
    let receiver = Receiver::start().await;
    receiver.script([Behaviour::Answer(Reply {
        body: b"the database is away".as_slice().into(),
        ..Reply::new(500)
    })]);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let message = client.replied(&conversation, "one").await;
    let delivery = delivery_is(&server, &message, "delivered").await;
    let log = delivery["log"].as_array().unwrap();
    assert_eq!(log.len(), 2);
    assert_eq!(log[0]["number"], 1);
    assert_eq!(log[0]["status"], 500);
    assert_eq!(log[0]["excerpt"], "the database is away");
    assert_eq!(log[0]["class"], "failing");
    assert_eq!(log[0]["charged"], true);
    assert!(log[0]["next_attempt_at"].is_u64());
    assert!(
        log[0]["address"]
            .as_str()
            .unwrap()
            .starts_with("127.0.0.1:")
    );
    assert_eq!(
        (&log[1]["status"], &log[1]["class"]),
        (&json!(200), &json!("delivered"))
    );
    assert_eq!(delivery["attempts"], 2);
    assert_eq!(delivery["log_omitted"], 0);
    assert_eq!(delivery.get("text"), None::<&Value>);
}

#[tokio::test]
async fn invalid_queries_are_answered_with_their_errors() {
    let server = Server::start().await;
    let client = server.client();
    for query in [
        "state=lost",
        "state=",
        "group=some",
        "cursor=ff00",
        "cursor=zz",
        "cursor=09",
        "limit=0",
        "scope_id=nonsense",
        "conversation_id=nonsense",
        "state=dead&state=dead",
    ] {
        let target = format!("/admin/v1/deliveries?{query}");
        let answer = client.operate("GET", &target).send().await.is(400);
        let name = query.split('=').next().unwrap();
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains(name), "{query}: {detail}");
    }
    for path in [
        "/admin/v1/deliveries/nonsense",
        "/admin/v1/deliveries/30c362b9-9201-4864-8c24-1f637b1733ed",
        "/admin/v1/replays/7",
        "/admin/v1/replays/nonsense",
    ] {
        client.operate("GET", path).send().await.is(404);
    }
    let unknown = "30c362b9-9201-4864-8c24-1f637b1733ed";
    for what in ["replay", "discard"] {
        act(&server, unknown, what).await.is(404);
    }
}
