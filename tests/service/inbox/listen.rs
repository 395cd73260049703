//! `GET /inbox/v1/events`: events, sent as they happen.

use reqwest::Response;
use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message, scope};
use crate::support::described;
use crate::support::oauth::does;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_TOKEN, Server, Setup, TOKEN};
use crate::support::{PATIENCE, eventually};

/// An open stream of events.
pub(crate) struct Stream {
    response: Response,
    text: String,
}

#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: Option<u64>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Stream {
    pub(crate) async fn open(server: &Server, token: &str, last: Option<&str>) -> Self {
        Self::open_with(server, ("Authorization", &format!("Bearer {token}")), last).await
    }

    pub(crate) async fn open_with(
        server: &Server,
        known_by: (&str, &str),
        last: Option<&str>,
    ) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut request = http
            .get(format!("{}/inbox/v1/events", server.url()))
            .header(known_by.0, known_by.1);
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut stream = Self {
            response,
            text: String::new(),
        };
        assert_eq!(stream.next().await.unwrap().name, "ready");
        stream
    }

    /// The next event that is no notification and no presence; `None` when the stream ends. Those come in their own time.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            let event = self.next_of_all().await?;
            if !["notification", "presence"].contains(&event.name.as_str()) {
                return Some(event);
            }
        }
    }

    /// The data of the next notification.
    pub(crate) async fn notification(&mut self) -> Value {
        loop {
            let event = self.next_of_all().await.unwrap();
            if event.name == "notification" {
                assert_eq!(event.id, None, "it is not stored");
                return event.data;
            }
        }
    }

    /// The data of the next presence of a user.
    pub(crate) async fn presence(&mut self) -> Value {
        loop {
            let event = self.next_of_all().await.unwrap();
            if event.name == "presence" {
                return event.data;
            }
        }
    }

    async fn next_of_all(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| {
                    let line = event.lines().find_map(|line| line.strip_prefix(name));
                    line.map(str::to_owned)
                };
                let Some(name) = field("event: ") else {
                    continue;
                };
                let data = serde_json::from_str(&field("data: ").unwrap()).unwrap();
                described::event(&name, &data);
                return Some(Event {
                    id: field("id: ").map(|id| id.parse().unwrap()),
                    name,
                    data,
                });
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk())
                .await
                .unwrap()
                .ok()
                .flatten()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Events up to the first of this name, that one included.
    pub(crate) async fn upto(&mut self, name: &str) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            events.push(self.next().await.unwrap());
            if events.last().unwrap().name == name {
                return events;
            }
        }
    }
}

async fn spoken(client: &Client, msgid: &str) -> String {
    let new_message = client.sent(&message(msgid, "c")).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

fn named<'e>(events: &'e [Event], name: &str) -> &'e Event {
    events.iter().find(|event| event.name == name).unwrap()
}

#[tokio::test]
async fn an_event_of_a_fetched_file_matches_the_message_list() {
    let files = Receiver::answering(404).await;
    let setup = Setup::default().setting("media", "policy = \"check\"");
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let mut event = message("m", "c");
    let url = files.webhook("file");
    event["payload"]["sender"]["avatar"] = json!(files.webhook("avatar"));
    event["payload"]["message"] =
        json!({ "type": "file", "media": url, "file_name": "a", "file_size": 1 });
    let new_message = client.sent(&event).await;
    let events = stream.upto("media").await;
    let data = &events.last().unwrap().data;
    assert_eq!(
        (&data["message_id"], &data["url"]),
        (&new_message["msgid"], &json!(url))
    );
    assert_eq!(data["check"]["state"], "unreachable");
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let messages = client.messages(conversation).await;
    assert_eq!(data["check"], messages[0]["media_check"]);
}

#[tokio::test]
async fn messages_leads_callbacks_reports_and_typing_cause_events() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let conversation = spoken(client, "m1").await;
    let first = [stream.next().await.unwrap(), stream.next().await.unwrap()];
    let data = named(&first, "message");
    assert_eq!(data.data["conversation_id"], conversation.as_str());
    assert_eq!(
        data.data["message"],
        client.messages(&conversation).await[0]
    );
    let lead = &named(&first, "lead").data["lead"];
    assert_eq!(lead["id"], client.leads().await[0]["id"]);

    let replied = client.replied(&conversation, "hello").await;
    let events = stream.upto("callback").await;
    assert_eq!(events[0].data["message"]["id"], replied.as_str());
    let callback = &events[1].data;
    assert_eq!(callback["message_id"], replied.as_str());
    assert_eq!(callback["callback"]["state"], "delivered");
    let status = json!({ "msgid": replied, "delivery_status": 2 });
    client.delivery_status(&replied, &status).await.is(200);
    let read = stream.next().await.unwrap();
    assert_eq!(read.name, "delivery");
    assert_eq!(read.data["delivery"], json!({ "status": "read" }));

    let target = format!("/inbox/v1/conversations/{conversation}/typing");
    let typing = client.request("POST", &target).bearer(TOKEN);
    typing.send().await.is(204);
    let event = stream.next().await.unwrap();
    assert_eq!((event.name.as_str(), event.id), ("typing", None));
    assert_eq!(event.data["user"]["name"], "Ada");

    let target = format!("/inbox/v1/conversations/{conversation}/viewing");
    for _page_of_ada in 0..2 {
        let viewing = client.request("POST", &target).bearer(TOKEN);
        viewing.send().await.is(204);
        let event = stream.next().await.unwrap();
        assert_eq!((event.name.as_str(), event.id), ("viewing", None));
        let viewers = &client.conversations().await[0]["viewers"];
        assert_eq!(
            viewers,
            &json!([event.data["user"]]),
            "one person, not one page"
        );
        assert_eq!(viewers[0]["name"], "Ada");
    }

    let typing = json!({ "conversation_id": "c", "sender": { "id": "customer of c" }, "duration_ms": 60_000 });
    let tail = format!("{}/typing", scope(CHANNEL, ACCOUNT));
    client.post_today(&tail, &typing).await.is(204);
    let event = stream.next().await.unwrap();
    assert_eq!((event.name.as_str(), event.id), ("typing", None));
    assert_eq!(event.data["conversation_id"], conversation.as_str());
    let state = &client.conversations().await[0]["typing"];
    assert_eq!(&event.data["customer"], state);
}

#[tokio::test]
async fn an_account_receives_no_events_of_another() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let mut theirs = Stream::open(&server, OTHER_TOKEN, None).await;
    let ours = spoken(client, "m1").await;
    let typing = format!("/inbox/v1/conversations/{ours}/typing");
    let typed = |token| client.request("POST", &typing).bearer(token).send();
    typed(TOKEN).await.is(204);
    typed(OTHER_TOKEN).await.is(404);
    let scope = crate::support::client::scope(crate::support::server::CHANNEL, OTHER_ACCOUNT);
    let response = client.post(&scope, &message("m2", "c")).await.is(200);
    let events = [theirs.next().await.unwrap(), theirs.next().await.unwrap()];
    for event in events {
        let conversation = &event.data["conversation_id"];
        assert_eq!(
            *conversation,
            response.json["new_message"]["conversation_id"]
        );
    }
    let request = client.request("GET", "/inbox/v1/events");
    request.send().await.is(401);
}

#[tokio::test]
async fn each_user_receives_only_events_of_visible_objects() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 2).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    floor::place(client, 1, 2, Some(mia.id)).await;
    floor::place(client, 2, 2, None).await;
    let known_by = ("Cookie", mia.cookie.as_str());
    let mut hers = Stream::open_with(&server, known_by, None).await;
    let typing = async |conversation: &str| {
        let target = format!("/inbox/v1/conversations/{conversation}/typing");
        let request = client.request("POST", &target).bearer(TOKEN);
        request.send().await.is(204);
    };
    client.replied(&conversations[1], "not for her").await;
    typing(&conversations[1]).await;
    floor::place(client, 2, 3, None).await;
    client.replied(&conversations[0], "for her").await;
    let mut events = hers.upto("message").await;
    let first = events.pop().unwrap();
    assert!(
        events.iter().all(|event| event.name == "channel"),
        "{events:?}"
    );
    assert_eq!(first.data["conversation_id"], conversations[0].as_str());
    assert_eq!(first.data["message"]["text"], "for her");

    floor::place(client, 1, 2, None).await;
    client.replied(&conversations[0], "not any more").await;
    floor::place(client, 2, 3, Some(mia.id)).await;
    typing(&conversations[1]).await;
    let events = hers.upto("typing").await;
    assert!(
        events.iter().all(|event| event.name != "message"),
        "{events:?}"
    );
    assert_eq!(
        events.last().unwrap().data["conversation_id"],
        conversations[1].as_str()
    );
}

#[tokio::test]
async fn a_stream_behind_a_list_misses_nothing() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for round in 0..2 {
        spoken(client, &format!("before {round}")).await;
        let list = client.get_as(TOKEN, "/inbox/v1/conversations").await;
        spoken(client, &format!("meanwhile {round}")).await;
        let mut stream = Stream::open(&server, TOKEN, Some(list.header("last-event-id"))).await;
        // It may repeat what the list has.
        let missing = format!("meanwhile {round}");
        let next_message = async |stream: &mut Stream| stream.upto("message").await.pop().unwrap();
        while next_message(&mut stream).await.data["message"]["client_id"] != missing {}
    }
}

/// A listener that reconnects goes on behind its last event, also after a restart.
#[tokio::test]
async fn a_reconnecting_listener_resumes_also_after_a_restart() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    spoken(server.client(), "m1").await;
    let first = stream.upto("message").await.pop().unwrap();
    for round in 0..2 {
        spoken(server.client(), &format!("more {round}")).await;
        if round == 0 {
            server.kill_9();
        } else {
            assert_eq!(server.terminate().await, Some(0));
        }
        server.restart().await;
        let id = first.id.unwrap().to_string();
        let mut again = Stream::open(&server, TOKEN, Some(&id)).await;
        for seen in 0..=round {
            let event = again.upto("message").await.pop().unwrap();
            assert_eq!(event.data["message"]["client_id"], format!("more {seen}"));
            assert!(event.id > first.id);
        }
    }
    for unknown in ["99999999", "x", "-1"] {
        let mut new_stream = Stream::open(&server, TOKEN, Some(unknown)).await;
        let reset = new_stream.next().await.unwrap();
        assert_eq!(reset.name, "reset", "{unknown}");
        assert!(reset.id.is_some());
        spoken(server.client(), &format!("after {unknown}")).await;
        assert_eq!(new_stream.next().await.unwrap().name, "message");
    }
}

#[tokio::test]
async fn streams_are_limited_per_user() {
    let setup = Setup::default().setting("limits", "streams_per_user_max = 2");
    let server = setup.start().await;
    let client = server.client();
    let mut streams = Vec::new();
    for _ in 0..2 {
        streams.push(Stream::open(&server, TOKEN, None).await);
    }
    let full = client.get("/inbox/v1/events").await.is(429);
    assert!(!full.header("retry-after").is_empty());
    Stream::open(&server, OTHER_TOKEN, None).await;
    // A connection that is gone is noticed when something is sent on it.
    streams.pop();
    client.connect("v2").await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut number = 0;
    eventually("the place of a stream that ended is free", async || {
        number += 1;
        spoken(client, &format!("m-{number}")).await;
        let request = http.get(format!("{}/inbox/v1/events", server.url()));
        let answer = request.bearer_auth(TOKEN).send().await.unwrap();
        (answer.status() == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_hundred_open_streams_do_not_delay_the_shutdown() {
    // Requests that go on are given longer than this test waits for the end.
    let mut server = Setup::default()
        .setting("limits", "streams_per_user_max = 100")
        .setting("server", "drain_seconds = 300")
        .start()
        .await;
    let mut streams = Vec::new();
    for _ in 0..100 {
        streams.push(Stream::open(&server, TOKEN, None).await);
    }
    assert_eq!(server.terminate().await, Some(0));
    for stream in &mut streams {
        assert!(stream.next().await.is_none());
    }
}

#[tokio::test]
async fn a_waiting_callback_causes_an_event() {
    let receiver = Receiver::answering(200).await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let conversation = spoken(client, "m1").await;
    receiver.fail_next(5, 500);
    for number in 0..5 {
        client.replied(&conversation, &number.to_string()).await;
    }
    let waiting = eventually("a callback was tried", async || {
        let messages = client.messages(&conversation).await;
        let message = messages.iter().find(|it| it["callback"]["attempts"] != 0);
        message.map(|it| it["callback"].clone())
    });
    waiting.await;
    let event = stream.upto("callback").await.pop().unwrap();
    assert_eq!(event.data["conversation_id"], conversation.as_str());
    assert_eq!(event.data["callback"]["state"], "waiting");
    assert!(
        event.data["callback"]["reason_code"].is_string(),
        "{event:?}"
    );
}

/// A lead of a form has no chat. Each user who may see it receives it at once, and no other user does.
#[tokio::test]
async fn a_lead_without_a_chat_is_an_event_for_those_who_may_see_it() {
    let server = Server::start().await;
    let client = server.client();
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let known_by = ("Cookie", mia.cookie.as_str());
    let mut hers = Stream::open_with(&server, known_by, None).await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let mut theirs = Stream::open(&server, OTHER_TOKEN, None).await;
    let form = |name: &str| {
        json!({
            "source_name": "Flower shop", "source_uid": "f-1",
            "metadata": {
                "form_id": 318, "form_name": "Order", "form_page": "https://shop.example/order",
                "ip": "203.0.113.77", "form_sent_at": 1_764_000_000, "referer": "",
            },
            "_embedded": { "leads": [{ "name": name }] },
        })
    };
    let forms = "/api/v4/leads/unsorted/forms";
    floor::admin(client, "POST", forms, &json!([form("Roses")]))
        .await
        .is(200);
    let of_mia = json!([{ "name": "Tulips", "responsible_user_id": mia.id }]);
    floor::admin(client, "POST", "/api/v4/leads", &of_mia)
        .await
        .is(200);
    does(client, OTHER_TOKEN, "POST", forms, &json!([form("Lilies")]))
        .await
        .is(200);
    for (stream, names) in [
        (&mut ours, &["Roses", "Tulips"][..]),
        (&mut hers, &["Tulips"]),
        (&mut theirs, &["Lilies"]),
    ] {
        for name in names {
            let event = stream.next().await.unwrap();
            assert_eq!(event.name, "lead");
            assert_eq!(event.data["conversation_id"], Value::Null);
            assert_eq!(event.data["lead"]["name"], *name);
        }
    }
}
