//! `accept = "later"`: a message of the bridge is answered when it is on disk, and goes up once, in its order, with a signature that counts.

use std::collections::BTreeSet;

use reqwest::{Client, Response};
use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Received, Reply, Sink};

use super::{Counterpart, SECRET, SHOP, setup};
use crate::support::client::{content_md5, date, message, signature};
use crate::support::eventually;
use crate::support::line::{Line, LineState};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Server, Setup};

const LATER: &str = "accept = \"later\"\n";
const REAL: &str = "6cbab3d5-c4c1-46ff-b710-ad59ad10805f";

/// A bridge that posts through a relay.
#[derive(Clone)]
struct Bridge {
    client: Client,
    base: String,
}

impl Bridge {
    fn of_relay(relay: &Server) -> Self {
        Self {
            client: Client::new(),
            base: relay.url().to_owned(),
        }
    }

    /// Posts this body to a path of the scope, signed for this time, by this secret.
    async fn sends(&self, behind: &str, body: &Value, later: i64, secret: &str) -> Response {
        let path = format!("/v2/origin/custom/{}{behind}", scope());
        let (body, sent_at) = (body.to_string(), date(later));
        let digest = content_md5(body.as_bytes());
        let text = ["POST", &digest, "application/json", &sent_at, &path].join("\n");
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .header("Date", sent_at)
            .header("Content-Type", "application/json")
            .header("Content-MD5", digest)
            .header("X-Signature", signature(secret, text.as_bytes()));
        request.body(body).send().await.unwrap()
    }

    /// Posts a message, which is answered; gives the id in the answer.
    async fn posts(&self, event: &Value) -> String {
        let answer = self.sends("", event, 0, SECRET).await;
        assert_eq!(answer.status(), 200);
        let body: Value = json_of(answer).await;
        assert_eq!(body["new_message"]["ref_id"], event["payload"]["msgid"]);
        body["new_message"]["msgid"].as_str().unwrap().to_owned()
    }
}

/// The body of an answer.
async fn json_of(answer: Response) -> Value {
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

fn scope() -> String {
    format!("{SHOP}_{ACCOUNT}")
}

/// The real service: another one of ours, which has the channel, behind a line.
async fn real_service() -> (Server, Line) {
    let channel = format!(
        "[[channels]]\nid = \"{SHOP}\"\nname = \"Shop\"\nsecret = \"{SECRET}\"\naccounts = [\"*\"]\n"
    );
    let service = Setup::default().lines(&channel).start().await;
    let connect = json!({ "account_id": ACCOUNT, "title": "x", "hook_api_version": "v2" });
    let request =
        service
            .client()
            .canonical("POST", &format!("{SHOP}/connect"), connect.to_string());
    request.canonically_signed(SECRET).send().await.is(200);
    let port = service.url().rsplit(':').next().unwrap().parse().unwrap();
    let line = Line::to(port).await;
    (service, line)
}

async fn relay_to(origin: &str, lines: &str) -> Server {
    let lines = format!("upstream = \"{origin}\"\n{lines}");
    setup("http://127.0.0.1:9/in", &lines).start().await
}

/// The texts of all messages that the service has, by conversation.
async fn texts(service: &Server) -> Vec<Vec<String>> {
    let mut texts = Vec::new();
    for conversation in service.client().conversations().await {
        let id = conversation["id"].as_str().unwrap();
        let messages = service.client().messages(id).await;
        let of_one = messages
            .iter()
            .map(|it| it["text"].as_str().unwrap().to_owned());
        texts.push(of_one.collect());
    }
    texts
}

async fn target(relay: &Server) -> Value {
    let request = relay.client().operate("GET", "/admin/v1/relays/shop");
    let detail = request.send().await.is(200).json;
    let targets = detail["relay"]["targets"].as_array().unwrap();
    let of_posts = targets.iter().find(|target| target["place"] == 65);
    of_posts.cloned().unwrap_or_default()
}

async fn hooks(relay: &Server, query: &str) -> Vec<Value> {
    let path = format!("/admin/v1/relays/shop/hooks?{query}");
    let page = relay
        .client()
        .operate("GET", &path)
        .send()
        .await
        .is(200)
        .json;
    page["hooks"].as_array().unwrap().clone()
}

/// The answer of a counterpart that gives a message this id.
fn named(id: &str) -> Behaviour {
    let body = json!({ "new_message": { "msgid": id, "ref_id": "m" } }).to_string();
    let reply = Reply::new(200).header("Content-Type", "application/json");
    Behaviour::Answer(reply.body(body))
}

/// The counterpart in the form of a sink that gives each message this id.
async fn naming(id: &str) -> Sink {
    Sink::start(named(id)).await.unwrap()
}

fn proves(request: &Received) -> bool {
    let header = |name: &str| request.header(name).unwrap_or_default().to_owned();
    let path = request.target.split('?').next().unwrap();
    let parts = [
        request.method.clone(),
        header("content-md5"),
        header("content-type"),
        header("date"),
        path.to_owned(),
    ];
    let right = signature(SECRET, parts.join("\n").as_bytes());
    right == header("x-signature") && content_md5(&request.body) == header("content-md5")
}

/// The real service took the message, and its answer was lost.
async fn loses_the_answer(lines: &str, is_later: bool) {
    let (service, line) = real_service().await;
    let relay = relay_to(&format!("http://{}", line.address()), lines).await;
    let bridge = Bridge::of_relay(&relay);
    let event = message("m-1", "c-1");
    line.becomes(LineState::Deaf);
    let post = {
        let (bridge, event) = (bridge.clone(), event.clone());
        tokio::spawn(async move { bridge.sends("", &event, 0, SECRET).await })
    };
    eventually("the service has it", async || {
        (!texts(&service).await.is_empty()).then_some(())
    })
    .await;
    line.becomes(LineState::Cut);
    let answer = post.await.unwrap();
    assert_eq!(answer.status(), if is_later { 200 } else { 503 });
    assert_eq!(answer.headers().contains_key("retry-after"), !is_later);
    let first: Value = json_of(answer).await;
    line.becomes(LineState::Whole);
    let again = bridge.sends("", &event, 1, SECRET).await;
    assert_eq!(again.status(), 200);
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    let second: Value = json_of(again).await;
    if is_later {
        assert_eq!(first, second);
        eventually("it went up", async || {
            (target(&relay).await["delivered"] == 1).then_some(())
        })
        .await;
        let of_post = hooks(&relay, "message_id=m-1").await.remove(0);
        assert!(
            of_post["deliveries"][0]["attempts"].as_u64() >= Some(2),
            "{of_post}"
        );
    }
    assert_eq!(texts(&service).await, [["text of m-1"]]);
}

#[tokio::test]
async fn a_lost_answer_makes_no_second_message_when_passed_through() {
    loses_the_answer("", false).await;
}

#[tokio::test]
async fn a_lost_answer_makes_no_second_message_when_stored_first() {
    loses_the_answer(LATER, true).await;
}

#[tokio::test]
async fn stored_messages_survive_a_kill_and_go_up_in_order() {
    let (service, line) = real_service().await;
    line.becomes(LineState::Cut);
    let mut relay = relay_to(&format!("http://{}", line.address()), LATER).await;
    let bridge = Bridge::of_relay(&relay);
    let mut ids = BTreeSet::new();
    for number in 1..=10 {
        for conversation in ["c-1", "c-2"] {
            let msgid = format!("{conversation}-{number:02}");
            ids.insert(bridge.posts(&message(&msgid, conversation)).await);
        }
    }
    assert_eq!(ids.len(), 20);
    relay.kill_9();
    line.becomes(LineState::Whole);
    relay.restart().await;
    eventually("all went up", async || {
        (target(&relay).await["waiting"] == 0).then_some(())
    })
    .await;
    let mut all = texts(&service).await;
    all.iter_mut().for_each(|texts| assert_eq!(texts.len(), 10));
    for texts in &mut all {
        let is_newest_first = texts.first() > texts.last();
        if is_newest_first {
            texts.reverse();
        }
        assert!(texts.is_sorted(), "{texts:?}");
    }
    assert_eq!(all.len(), 2);
}

#[tokio::test]
async fn a_refusal_is_shown_with_its_reason_and_can_be_replayed() {
    let counterpart = naming(REAL).await;
    let refusal = Reply::new(403).body("{\"error_description\":\"no such scope\"}");
    counterpart.script([Behaviour::Answer(refusal)]);
    let relay = relay_to(&format!("http://{}", counterpart.address()), LATER).await;
    let bridge = Bridge::of_relay(&relay);
    let own = bridge.posts(&message("m-1", "c-1")).await;
    let dead = eventually("it is given up", async || {
        let of_post = hooks(&relay, &format!("message_id={own}")).await.remove(0);
        (of_post["deliveries"][0]["state"] == "dead").then_some(of_post)
    })
    .await;
    assert_eq!(dead["kind"], "post");
    let delivery = &dead["deliveries"][0];
    assert_eq!(
        (&delivery["attempts"], &delivery["last_status"]),
        (&json!(1), &json!(403))
    );
    assert!(
        delivery["last_excerpt"]
            .as_str()
            .unwrap()
            .contains("no such scope")
    );
    // What comes behind it is not held.
    bridge.posts(&message("m-2", "c-1")).await;
    counterpart.requests(2).await.unwrap();
    let body = json!({ "message_id": "m-1", "target": 65 });
    let replay = relay
        .client()
        .operates("POST", "/admin/v1/relays/shop/replay", &body)
        .await;
    replay.is(200);
    eventually("both went up", async || {
        let target = target(&relay).await;
        (target["delivered"] == 2 && target["dead"] == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn nothing_of_a_wrong_signature_is_stored_or_sent() {
    let counterpart = naming(REAL).await;
    let relay = relay_to(&format!("http://{}", counterpart.address()), LATER).await;
    let bridge = Bridge::of_relay(&relay);
    let event = message("m-1", "c-1");
    for (later, secret) in [(0, "another"), (-16 * 60, SECRET)] {
        let answer = bridge.sends("", &event, later, secret).await;
        assert_eq!(answer.status(), 403);
        let body: Value = json_of(answer).await;
        assert_eq!(body["error_type"], "ORIGIN_INVALID_SIGNATURE");
    }
    assert_eq!(hooks(&relay, "limit=10").await, Vec::<Value>::new());
    assert_eq!(counterpart.ledger().connections, 0);
    let request = relay.client().operate("GET", "/admin/v1/relays/shop");
    let detail = request.send().await.is(200).json;
    assert_eq!(detail["wrong_signatures"].as_array().unwrap().len(), 2);
    // A message that the interface does not take goes up at once: the bridge hears of it.
    let mut wrong = event.clone();
    wrong["payload"].as_object_mut().unwrap().remove("sender");
    assert_eq!(bridge.sends("", &wrong, 0, SECRET).await.status(), 200);
    assert_eq!(
        counterpart.requests(1).await.unwrap()[0].body,
        wrong.to_string()
    );
    assert_eq!(hooks(&relay, "limit=10").await, Vec::<Value>::new());
}

#[tokio::test]
async fn ids_are_exchanged_in_what_follows_in_both_directions() {
    let counterpart = naming(REAL).await;
    let second = named("0b1f8a80-3f0a-4c55-9d64-2f2a3f1b7c11");
    counterpart.script([Behaviour::status(500), named(REAL), named(REAL), second]);
    let bridge_side = Receiver::start().await;
    let lines = format!("upstream = \"http://{}\"\n{LATER}", counterpart.address());
    let relay = setup(&bridge_side.webhook("in"), &lines).start().await;
    let bridge = Bridge::of_relay(&relay);
    let first = message("m-1", "c-1");
    let own = bridge.posts(&first).await;
    assert_ne!(own, REAL);
    // An edit waits for the message, whose first attempt fails.
    let mut edit = message("m-1", "c-1");
    edit["event_type"] = json!("edit_message");
    edit["payload"]["id"] = json!(own);
    let answer = eventually("the edit goes up", async || {
        let answer = bridge.sends("", &edit, 0, SECRET).await;
        (answer.status() == 200).then_some(answer)
    })
    .await;
    // The answer names the message as the bridge knows it.
    let body: Value = json_of(answer).await;
    assert_eq!(body["new_message"]["msgid"], *own);
    let mut reply = message("m-2", "c-1");
    reply["payload"]["reply_to"] = json!({ "message": { "id": own } });
    bridge.posts(&reply).await;
    let react = json!({ "conversation_id": "c-1", "id": own, "user": { "id": "u" }, "type": "react", "emoji": "x" });
    let status = json!({ "msgid": own, "delivery_status": 1 });
    assert_eq!(
        bridge.sends("/react", &react, 0, SECRET).await.status(),
        200
    );
    let path = format!("/{own}/delivery_status");
    assert_eq!(bridge.sends(&path, &status, 0, SECRET).await.status(), 200);
    let requests = counterpart.requests(6).await.unwrap();
    let exchanged = |event: &Value| event.to_string().replace(&own, REAL);
    let bodies = [
        first.to_string(),
        first.to_string(),
        exchanged(&edit),
        exchanged(&reply),
        exchanged(&react),
        exchanged(&status),
    ];
    for (request, body) in requests.iter().zip(&bodies) {
        assert_eq!(request.body, *body);
        assert!(proves(request), "{}", request.target);
    }
    assert!(
        requests[5]
            .target
            .ends_with(&format!("/{REAL}/delivery_status"))
    );
    // The counterpart names the message by its id; the bridge learns of it by the other one.
    let hook = json!({ "time": 1, "action": { "reaction": { "msgid": REAL, "conversation": { "id": "r-1" } } } });
    let sender = Counterpart {
        client: Client::new(),
        address: format!("{}/relay/shop/{}", relay.url(), scope()),
    };
    assert_eq!(sender.sends(hook.to_string().as_bytes()).await, 200);
    let arrival = bridge_side.requests(1).await.remove(0);
    assert_eq!(arrival.body, hook.to_string().replace(REAL, &own));
    assert_eq!(
        arrival.header("x-signature"),
        Some(signature(SECRET, &arrival.body).as_str())
    );
}

#[tokio::test]
async fn a_message_dated_14_minutes_ago_goes_up_with_its_bytes() {
    let counterpart = naming(REAL).await;
    let relay = relay_to(&format!("http://{}", counterpart.address()), LATER).await;
    let bridge = Bridge::of_relay(&relay);
    let event = message("m-1", "c-1");
    let answer = bridge.sends("", &event, -14 * 60, SECRET).await;
    assert_eq!(answer.status(), 200);
    let request = counterpart.requests(1).await.unwrap().remove(0);
    assert_eq!(request.body, event.to_string());
    assert!(proves(&request));
    let sent_at = jiff::fmt::rfc2822::parse(request.header("date").unwrap()).unwrap();
    let age = jiff::Timestamp::now().duration_since(sent_at.timestamp());
    assert!((14 * 60..15 * 60).contains(&age.as_secs()), "{age:?}");
}
