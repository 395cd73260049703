//! What the operator sees of a relay, and does about it: in the interface and from the shell.

use std::process::Command;

use serde_json::{Value, json};

use super::{Counterpart, SECRET, SHOP, message_id, relaying_to, setup};
use crate::support::client::signature;
use crate::support::eventually;
use crate::support::limit::Limited as _;
use crate::support::receiver::Receiver;
use crate::support::server::{OPERATOR_TOKEN, PROGRAM, Server, Setup};

const RELAY: &str = "/admin/v1/relays/shop";

async fn read(server: &Server, target: &str) -> Value {
    server
        .client()
        .operate("GET", target)
        .send()
        .await
        .is(200)
        .json
}

async fn act(server: &Server, target: &str, body: Value) -> Value {
    server
        .client()
        .operates("POST", target, &body)
        .await
        .is(200)
        .json
}

#[tokio::test]
async fn a_paused_relay_takes_hooks_and_delivers_them_when_resumed() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    let counterpart = Counterpart::to(&server);
    assert_eq!(
        act(&server, &format!("{RELAY}/pause"), json!({})).await["paused"],
        true
    );
    counterpart.writes("c", "m-1").await;
    counterpart.writes("c", "m-2").await;
    let relays = read(&server, "/admin/v1/relays").await;
    assert_eq!(relays["relays"][0]["targets"][0]["waiting"], 2);
    assert_eq!(bridge.connections(), 0);
    act(&server, &format!("{RELAY}/resume"), json!({})).await;
    let requests = bridge.requests(2).await;
    let ids = requests.iter().map(|it| message_id(&it.body));
    assert_eq!(ids.collect::<Vec<_>>(), ["m-1", "m-2"]);
    let audit = read(&server, "/admin/v1/audit?limit=2").await;
    let entries = audit["entries"].as_array().unwrap().iter();
    let actions: Vec<_> = entries.map(|it| it["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["relay.resume", "relay.pause"]);
}

#[tokio::test]
async fn hooks_are_found_and_replayed_and_news_have_no_contents() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    let counterpart = Counterpart::to(&server);
    counterpart.writes("c", "m-1").await;
    let strange = br#"{"time":1,"message":{"conversation":{"id":"c"},"message":{"id":"m-2","type":"hologram","mood":"sad secret"}}}"#;
    assert_eq!(counterpart.sends(strange).await, 200);
    bridge.requests(2).await;
    let hooks = read(&server, &format!("{RELAY}/hooks?message_id=m-1")).await;
    assert_eq!(hooks["hooks"][0]["kind"], "message");
    let page = read(&server, &format!("{RELAY}/hooks?limit=1")).await;
    assert_eq!(page["hooks"][0]["message_id"], "m-2");
    let next = page["next"].as_str().unwrap();
    let page = read(&server, &format!("{RELAY}/hooks?limit=1&cursor={next}")).await;
    assert_eq!(
        (&page["hooks"][0]["message_id"], &page["next"]),
        (&json!("m-1"), &Value::Null)
    );
    eventually("the hook is at its end", async || {
        let hooks = read(&server, &format!("{RELAY}/hooks?message_id=m-1")).await;
        (hooks["hooks"][0]["deliveries"][0]["state"] == "delivered").then_some(())
    })
    .await;
    let replay = act(
        &server,
        &format!("{RELAY}/replay"),
        json!({ "message_id": "m-1" }),
    )
    .await;
    assert_eq!(replay["replayed"], 1);
    let requests = bridge.requests(3).await;
    assert_eq!(requests[2].header("x-delivery-attempt"), Some("2"));
    let detail = eventually("news are noted", async || {
        let detail = read(&server, RELAY).await;
        (detail["news"].as_array().unwrap().len() > 1).then_some(detail)
    })
    .await;
    let news = detail["news"].to_string();
    assert!(
        news.contains("field: message.message.mood (text)"),
        "{news}"
    );
    assert!(
        news.contains("word: message.message.type=hologram"),
        "{news}"
    );
    assert!(!news.contains("sad"), "{news}");
}

#[tokio::test]
async fn an_edited_hook_is_sent_once_and_nothing_stored_changes() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    Counterpart::to(&server).writes("c", "m-1").await;
    bridge.requests(1).await;
    let target = format!("{RELAY}/edited-replay");
    let body = r#"{"edited":true}"#;
    let outcome = act(
        &server,
        &target,
        json!({ "message_id": "m-1", "body": body }),
    )
    .await;
    assert_eq!(
        (&outcome["delivered"], &outcome["status"]),
        (&json!(true), &json!(200))
    );
    let forged = json!({ "message_id": "m-1", "body": body, "signature": "forged" });
    act(&server, &target, forged).await;
    let requests = bridge.requests(3).await;
    let right = signature(SECRET, body.as_bytes());
    for (request, sign) in requests[1..].iter().zip([right.as_str(), "forged"]) {
        assert_eq!(request.body, body.as_bytes());
        assert_eq!(request.header("x-signature"), Some(sign));
        assert_eq!(request.header("webhook-id"), Some("m-1"));
        assert_eq!(request.target, requests[0].target);
    }
    let hooks = read(&server, &format!("{RELAY}/hooks?message_id=m-1")).await;
    assert_eq!(hooks["hooks"][0]["deliveries"][0]["attempts"], 1);
    let audit = read(&server, "/admin/v1/audit?limit=1").await;
    assert_eq!(audit["entries"][0]["action"], "relay.edited-replay");
    assert!(!audit.to_string().contains("edited\\\":true"), "{audit}");
    for unknown in [
        json!({ "message_id": "m-2", "body": body }),
        json!({ "message_id": "m-1", "body": body, "target": 1 }),
    ] {
        let answer = server.client().operates("POST", &target, &unknown).await;
        answer.is(404);
    }
}

#[tokio::test]
async fn relay_check_tries_the_way_in_and_the_bridge_gets_nothing() {
    let bridge = Receiver::start().await;
    let server = setup(&bridge.webhook("in"), "").start().await;
    let config = server.directory().join("switchboard.toml");
    let check = |secret: &str| {
        let text = std::fs::read_to_string(&config).unwrap();
        let other = server.directory().join("other.toml");
        std::fs::write(&other, text.replace(SECRET, secret)).unwrap();
        let output = Command::new(PROGRAM)
            .args([
                "relay",
                "check",
                "--url",
                server.url(),
                "--token",
                OPERATOR_TOKEN,
                "--config",
            ])
            .arg(&other)
            .limited_output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), text)
    };
    let (is_well, text) = check(SECRET);
    assert!(is_well, "{text}");
    assert_eq!(text.matches(&format!("ok: {SHOP}: ")).count(), 2, "{text}");
    let (is_well, text) = check("another-secret");
    assert!(
        !is_well && text.contains("failed: shop: a signed hook is taken"),
        "{text}"
    );
    let counterpart = Counterpart::to(&server);
    counterpart.writes("c", "m").await;
    let requests = bridge.requests(1).await;
    assert_eq!(message_id(&requests[0].body), "m");
    let detail = read(&server, RELAY).await;
    let wrong = detail["wrong_signatures"].as_array().unwrap();
    // Two of a wrong try, one of the right one: of the last, the reason is the secret.
    assert_eq!(wrong.len(), 3, "{wrong:?}");
}

#[tokio::test]
async fn a_service_only_relays_until_it_has_an_account() {
    let bridge = Receiver::start().await;
    let config = format!(
        "[server]\nlisten = \"127.0.0.1:0\"\n[store]\npath = \"data\"\nlow_water_mib = 0\n[operator]\ntoken = \"{OPERATOR_TOKEN}\"\n\
         [dispatch]\nallow_private_networks = true\ndisk_reserve_mib = 0\n\
         [[relay]]\nchannel = \"{SHOP}\"\nsecret = \"{}\"\nfrom = \"/relay/shop\"\nto = \"{}\"\n",
        super::SECRET,
        bridge.webhook("in")
    );
    let server = Setup::default().config(&config).start().await;
    let setup = read(&server, "/inbox/v1/setup").await;
    assert_eq!(setup, json!({ "is_needed": true, "only_relays": true }));
    let log = server.log();
    assert!(log.contains("the relays, for the operator"), "{log}");
    assert!(!log.contains("makes an account"), "{log}");
    let account = json!({ "name": "Flower shop" });
    let creation = server
        .client()
        .operates("POST", "/admin/v1/accounts", &account);
    creation.await.is(201);
    let setup = read(&server, "/inbox/v1/setup").await;
    assert_eq!(setup, json!({ "is_needed": true, "only_relays": false }));
    // One with accounts and channels of its own has a relay besides.
    let server = relaying_to(&bridge).await;
    let setup = read(&server, "/inbox/v1/setup").await;
    assert_eq!(setup, json!({ "is_needed": false, "only_relays": false }));
}
