//! Web Push: which browsers are pushed what, against a push service that decrypts and verifies.

mod push_service;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Received, Reply};

use self::push_service::{Browser, PushService, claims};
use super::listen::Stream;
use crate::rights::floor::{self, PASSWORD, Person};
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::server::{ACCOUNT, Server, Setup};

const ME: &str = "/inbox/v1/me";
const PUSHES: &str = "/inbox/v1/me/pushes";

/// A service that trusts these push services, with a user who answers for a conversation.
struct Floor {
    server: Server,
    boris: Person,
    conversation: String,
}

impl Floor {
    async fn start(services: &[&PushService]) -> Self {
        let setup = PushService::trusted(Setup::default(), services);
        let server = setup.start().await;
        let client = server.client();
        client.connect("v2").await;
        let mut rights = floor::rights("A");
        rights["status_rights"] = json!([floor::stage(1, "A")]);
        let boris = floor::add(client, "boris", &rights).await;
        let answer = client.sent(&message("m0", "c1")).await;
        let conversation = answer["conversation_id"].as_str().unwrap().to_owned();
        let target = format!("/inbox/v1/conversations/{conversation}/responsible");
        let body = json!({ "user_id": boris.id, "replaces": null });
        let answer = floor::admin(client, "PATCH", &target, &body).await;
        assert!(answer.status < 300, "{}", answer.body);
        Self {
            server,
            boris,
            conversation,
        }
    }

    fn client(&self) -> &Client {
        self.server.client()
    }

    async fn subscribes(&self, browser: &Browser) -> Value {
        let body = browser.subscription();
        let answer = self.boris.sends(self.client(), "POST", PUSHES, &body).await;
        answer.is(201).json.clone()
    }

    async fn list(&self) -> Value {
        self.boris
            .reads(self.client(), PUSHES)
            .await
            .is(200)
            .json
            .clone()
    }

    async fn ids(&self) -> Vec<u64> {
        let list = self.list().await;
        let ids = list["pushes"].as_array().unwrap().iter();
        ids.map(|it| it["id"].as_u64().unwrap()).collect()
    }

    /// The customer writes to the conversation of the user.
    async fn says(&self, msgid: &str) {
        self.client().sent(&message(msgid, "c1")).await;
    }

    async fn wants(&self, notifications: Value) {
        let body = json!({ "notifications": notifications });
        let answer = self.boris.sends(self.client(), "PATCH", ME, &body).await;
        answer.is(200);
    }

    async fn metric(&self, outcome: &str) -> u64 {
        let page = self.client().request("GET", "/metrics").send().await.body;
        let series = format!("switchboard_pushes_total{{outcome=\"{outcome}\"}} ");
        let line = page.lines().find_map(|line| line.strip_prefix(&series));
        line.unwrap().parse().unwrap()
    }
}

fn seconds_now() -> u64 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_secs()
}

#[tokio::test]
async fn a_push_is_for_one_browser_and_without_customers_text() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let (phone, desk) = (service.browser("phone"), service.browser("desk"));
    let list = floor.list().await;
    let key = list["public_key"].as_str().unwrap().to_owned();
    assert_eq!(list["pushes"], json!([]));
    let subscription = floor.subscribes(&phone).await;
    assert_eq!(subscription["host"], "127.0.0.1");
    assert_eq!(subscription["is_of_this_session"], true);
    floor.says("m1").await;
    let push = service.pushes("phone", 1).await.remove(0);
    assert_eq!(push.method, "POST");
    assert_eq!(push.header("urgency"), Some("high"));
    let ttl: u64 = push.header("ttl").unwrap().parse().unwrap();
    assert!((1..=86_400).contains(&ttl), "{ttl}");
    let topic = push.header("topic").unwrap().to_owned();
    assert_eq!(topic.len(), 32);
    assert!(!topic.contains(&floor.conversation[..8]), "{topic}");
    let claims = claims(&push, &key);
    assert_eq!(claims["aud"], service.origin());
    assert_eq!(claims["sub"], "mailto:postmaster@localhost");
    let life = claims["exp"].as_u64().unwrap() - seconds_now();
    assert!((1..=86_400).contains(&life), "{life}");
    let expected = json!({
        "kind": "new_message", "tag": floor.conversation, "conversation_id": floor.conversation,
        "channel": "First messenger", "count": 1, "conversations": 1, "lang": "en",
    });
    assert_eq!(phone.read(&push), expected);

    // With the wish for it, the beginning of the text is in the next one, under the same topic.
    floor.wants(json!({ "show_text": true })).await;
    floor.subscribes(&desk).await;
    floor.says("m2").await;
    let push = service.pushes("desk", 1).await.remove(0);
    assert_eq!(push.header("topic"), Some(topic.as_str()));
    assert_eq!(desk.read(&push)["text"], "text of m2");
    assert_eq!(service.pushes("phone", 2).await.len(), 2);
    let me = floor
        .boris
        .reads(floor.client(), ME)
        .await
        .is(200)
        .json
        .clone();
    assert_eq!(me["notifications"]["show_text"], true);
    assert!(floor.metric("sent").await >= 2);
}

/// The kinds and the quiet hours of a user hold for pushes, and no user is pushed what concerns others.
#[tokio::test]
async fn a_push_is_sent_for_what_its_user_wants_alone() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let client = floor.client();
    let vera = floor::add(client, "vera", &floor::rights("M")).await;
    let hers = service.browser("vera").subscription();
    vera.sends(client, "POST", PUSHES, &hers).await.is(201);
    floor.subscribes(&service.browser("boris")).await;
    let minute = seconds_now() / 60 + 60;
    let time = |minutes: u64| format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
    let always = json!({ "from": time(minute - 60), "to": time(minute - 61), "utc_offset": 60 });
    floor.wants(json!({ "quiet_hours": always })).await;
    floor.says("m1").await;
    floor.wants(json!({ "off": ["new_message"] })).await;
    floor.says("m2").await;
    // Another kind comes, and shows that nothing came before it.
    client.sent(&message("m3", "c2")).await;
    let push = service.pushes("boris", 1).await.remove(0);
    assert_eq!(push.header("urgency"), Some("normal"));
    floor.wants(json!({ "show_text": true })).await;
    let browser = service.browser("desk");
    floor.subscribes(&browser).await;
    floor.says("m4").await;
    let push = service.pushes("desk", 1).await.remove(0);
    assert_eq!(browser.read(&push)["text"], "text of m4");
    service.pushes("boris", 2).await;
    assert_eq!(service.count(), 3);
}

/// A conversation without a responsible user is pushed to those who have not chosen to be away.
#[tokio::test]
async fn a_new_conversation_is_pushed_unless_its_user_is_away() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let client = floor.client();
    floor.subscribes(&service.browser("phone")).await;
    let chooses = async |presence: &str| {
        let body = json!({ "presence": presence });
        floor.boris.sends(client, "PATCH", ME, &body).await.is(200);
    };
    chooses("away").await;
    client.sent(&message("m1", "c2")).await;
    // What concerns the user alone comes nevertheless, and shows that nothing came before it.
    floor.says("m2").await;
    let push = service.pushes("phone", 1).await.remove(0);
    assert_eq!(push.header("urgency"), Some("high"));
    chooses("here").await;
    let browser = service.browser("desk");
    floor.subscribes(&browser).await;
    let answer = client.sent(&message("m3", "c3")).await;
    let push = service.pushes("desk", 1).await.remove(0);
    assert_eq!(push.header("urgency"), Some("normal"));
    let notification = browser.read(&push);
    assert_eq!(notification["kind"], "new_conversation");
    assert_eq!(notification["conversation_id"], answer["conversation_id"]);
}

#[tokio::test]
async fn a_user_with_a_page_open_is_pushed_nothing() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    floor.subscribes(&service.browser("phone")).await;
    let cookie = ("Cookie", floor.boris.cookie.as_str());
    let mut page = Stream::open_with(&floor.server, cookie, None).await;
    floor.says("m1").await;
    assert_eq!(page.notification().await["kind"], "new_message");
    assert_eq!(service.count(), 0);
    drop(page);
    // The service notices that the page is gone when it says something to it.
    let mut number = 1;
    eventually("the browser is pushed to", async || {
        number += 1;
        floor.says(&format!("m{number}")).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        (service.count() > 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_browser_that_is_gone_is_deleted_with_an_audit_entry() {
    for status in [404, 410] {
        let service = PushService::start().await;
        let floor = Floor::start(&[&service]).await;
        floor.subscribes(&service.browser("old")).await;
        service.script([Behaviour::status(status)]);
        floor.says("m1").await;
        eventually("it is deleted", async || {
            floor.ids().await.is_empty().then_some(())
        })
        .await;
        let client = floor.client();
        let target = format!("/admin/v1/audit?account_id={ACCOUNT}");
        let audit = client
            .operate("GET", &target)
            .send()
            .await
            .is(200)
            .json
            .clone();
        let entries = audit["entries"].as_array().unwrap();
        let of = |action: &str| entries.iter().find(|it| it["action"] == action);
        let deletion = of("push.delete").unwrap();
        assert_eq!(deletion["by"]["kind"], "service", "{deletion}");
        assert_eq!(of("push.create").unwrap()["by"]["kind"], "user");
        let text = audit.to_string();
        assert!(
            text.contains("127.0.0.1") && !text.contains("/send/"),
            "{text}"
        );
        assert_eq!(floor.metric("gone").await, 1);
        // Nothing more is sent there.
        floor.subscribes(&service.browser("new")).await;
        floor.says("m2").await;
        service.pushes("new", 1).await;
        assert_eq!(service.pushes("old", 1).await.len(), 1);
    }
}

#[tokio::test]
async fn a_slow_push_service_delays_no_other() {
    let slow = PushService::behaving(Behaviour::Hang).await;
    let fast = PushService::start().await;
    let floor = Floor::start(&[&slow, &fast]).await;
    floor.subscribes(&slow.browser("slow")).await;
    floor.subscribes(&fast.browser("fast")).await;
    let began = Instant::now();
    for number in 1..=4 {
        floor.says(&format!("m{number}")).await;
        fast.pushes("fast", number).await;
    }
    // The requests of the slow one take ten seconds each, and there is one at a time.
    if began.elapsed() < Duration::from_secs(8) {
        assert_eq!(slow.connections(), 1);
    }
    // Replies leave and callbacks go on as well.
    let target = format!("/inbox/v1/conversations/{}/messages", floor.conversation);
    let body = json!({ "type": "text", "text": "hello" });
    let reply = floor
        .boris
        .sends(floor.client(), "POST", &target, &body)
        .await;
    reply.is(201);
}

fn patience(status: u16, seconds: u64) -> Behaviour {
    Behaviour::Answer(Reply::new(status).header("Retry-After", &seconds.to_string()))
}

#[tokio::test]
async fn a_push_service_that_asks_for_patience_gets_it() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let browser = service.browser("phone");
    floor.subscribes(&browser).await;
    service.script([patience(429, 2), patience(503, 1)]);
    let began = Instant::now();
    floor.wants(json!({ "show_text": true })).await;
    floor.says("m1").await;
    let pushes: Vec<Received> = service.pushes("phone", 3).await;
    assert!(began.elapsed() >= Duration::from_secs(3));
    assert_eq!(browser.read(&pushes[2])["text"], "text of m1");
    eventually("the push counts as sent", async || {
        (floor.metric("sent").await == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_refused_key_or_a_large_push_is_dropped_and_logged_once() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    floor.subscribes(&service.browser("phone")).await;
    service.script([403, 401, 413].map(Behaviour::status));
    for number in 1..=4 {
        floor.says(&format!("m{number}")).await;
        service.pushes("phone", number).await;
    }
    eventually("all have ended", async || {
        let sent = floor.metric("sent").await;
        (sent == 1).then_some(())
    })
    .await;
    assert_eq!(floor.metric("refused").await, 2);
    assert_eq!(floor.metric("too_large").await, 1);
    let log = floor.server.log();
    let count = |words: &str| log.matches(words).count();
    assert_eq!(count("refuses the key of this installation"), 1, "{log}");
    assert_eq!(count("too large for its push service"), 1, "{log}");
    assert!(!log.contains("/send/") && !log.contains("vapid"), "{log}");
    // The subscription stays: the browser may subscribe again.
    assert_eq!(floor.ids().await, [1]);
}

#[tokio::test]
async fn addresses_that_may_not_be_reached_are_refused() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let client = floor.client();
    let refusal = async |endpoint: &str| {
        let mut body = service.browser("x").subscription();
        body["endpoint"] = json!(endpoint);
        let answer = floor.boris.sends(client, "POST", PUSHES, &body).await;
        answer.is(400).body.clone()
    };
    for (endpoint, words) in [
        ("http://127.0.0.1/send/x", "https://"),
        ("https://169.254.169.254/send/x", "link-local"),
        ("https://u:p@push.example/x", "before the @"),
        ("push", "absolute address"),
    ] {
        let refusal = refusal(endpoint).await;
        assert!(refusal.contains(words), "{endpoint}: {refusal}");
        assert!(refusal.contains("\"endpoint\""), "{refusal}");
    }
    let body =
        json!({ "endpoint": "https://push.example/x", "keys": { "p256dh": "AAAA", "auth": "AA" } });
    let wrong = floor
        .boris
        .sends(client, "POST", PUSHES, &body)
        .await
        .is(400)
        .body
        .clone();
    assert!(
        wrong.contains("keys.p256dh") && wrong.contains("keys.auth"),
        "{wrong}"
    );
    // What the guard learns later counts as well: the policy has become stricter.
    floor.subscribes(&service.browser("phone")).await;
    let mut floor = floor;
    floor.server.kill_9();
    floor
        .server
        .change(|setup| setup.setting("dispatch", "allow_private_networks = false"));
    floor.server.restart().await;
    floor.says("m1").await;
    eventually("it is refused", async || {
        (floor.metric("refused").await == 1).then_some(())
    })
    .await;
    assert_eq!(service.count(), 0);
    let answer = floor
        .boris
        .sends(
            floor.client(),
            "POST",
            PUSHES,
            &service.browser("y").subscription(),
        )
        .await;
    let refusal = answer.is(400).body.clone();
    assert!(refusal.contains("loopback"), "{refusal}");
}

#[tokio::test]
async fn the_eleventh_browser_ends_the_oldest() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    for number in 0..11 {
        floor
            .subscribes(&service.browser(&format!("b{number}")))
            .await;
    }
    assert_eq!(floor.ids().await, (2..=11).collect::<Vec<u64>>());
    let list = floor.list().await.to_string();
    assert!(
        !list.contains("/send/") && !list.contains("p256dh"),
        "{list}"
    );
}

#[tokio::test]
async fn no_other_user_sees_or_ends_a_subscription() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let client = floor.client();
    let vera = floor::add(client, "vera", &floor::rights("A")).await;
    let push = floor.subscribes(&service.browser("phone")).await;
    let target = format!("{PUSHES}/{}", push["id"]);
    let hers = vera.reads(client, PUSHES).await.is(200).json.clone();
    assert_eq!(hers["pushes"], json!([]));
    vera.asks(client, "DELETE", &target).send().await.is(404);
    // A program with a token subscribes no browser.
    let body = service.browser("x").subscription();
    floor::admin(client, "POST", PUSHES, &body).await.is(400);
    floor
        .boris
        .asks(client, "DELETE", &target)
        .send()
        .await
        .is(204);
    floor
        .boris
        .asks(client, "DELETE", &target)
        .send()
        .await
        .is(404);
    floor.says("m1").await;
    floor.subscribes(&service.browser("next")).await;
    floor.says("m2").await;
    service.pushes("next", 1).await;
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn a_sign_out_ends_the_browsers_of_its_session() {
    let service = PushService::start().await;
    let floor = Floor::start(&[&service]).await;
    let client = floor.client();
    floor.subscribes(&service.browser("first")).await;
    let body = json!({ "email": "boris@floor.example", "password": PASSWORD });
    let second = floor::person(&floor::sign_in(client, &body).await.is(201));
    let other = service.browser("second").subscription();
    second.sends(client, "POST", PUSHES, &other).await.is(201);
    let own = second.reads(client, PUSHES).await.is(200).json.clone();
    let flags = own["pushes"].as_array().unwrap().iter();
    let flags: Vec<_> = flags.map(|it| it["is_of_this_session"].clone()).collect();
    assert_eq!(flags, [json!(false), json!(true)]);
    second
        .asks(client, "DELETE", "/inbox/v1/session")
        .send()
        .await
        .is(204);
    assert_eq!(floor.ids().await, [1]);
    floor.says("m1").await;
    service.pushes("first", 1).await;
    // Another password ends all sessions, and all browsers with them.
    let body = json!({ "current_password": PASSWORD, "password": "aBcde1@346" });
    let answer = floor
        .boris
        .sends(client, "POST", "/inbox/v1/me/password", &body)
        .await;
    answer.is(200);
    floor.says("m2").await;
    let body = json!({ "email": "boris@floor.example", "password": "aBcde1@346" });
    let third = floor::person(&floor::sign_in(client, &body).await.is(201));
    let own = third.reads(client, PUSHES).await.is(200).json.clone();
    assert_eq!(own["pushes"], json!([]));
    let next = service.browser("third").subscription();
    third.sends(client, "POST", PUSHES, &next).await.is(201);
    floor.says("m3").await;
    service.pushes("third", 1).await;
    assert_eq!(service.count(), 2, "one before, one after");
}

#[tokio::test]
async fn the_key_and_the_browsers_survive_a_power_cut() {
    let service = PushService::start().await;
    let mut floor = Floor::start(&[&service]).await;
    let before = floor.list().await["public_key"].clone();
    let browser = service.browser("phone");
    floor.subscribes(&browser).await;
    floor.server.kill_9();
    floor.server.restart().await;
    assert_eq!(floor.list().await["public_key"], before);
    floor.says("m1").await;
    let push = service.pushes("phone", 1).await.remove(0);
    claims(&push, before.as_str().unwrap());
    assert_eq!(browser.read(&push)["kind"], "new_message");
    let log = floor.server.log();
    assert!(!log.contains("/send/"), "{log}");
}
