//! A conversation that a relay took is erased on order: its hooks are in no file any more, delivered or not, and the others stay.

use serde_json::json;
use switchboard_worlds::sink::{Behaviour, Sink};

use super::{ACCOUNT, Counterpart, SHOP, message_body, message_id, setup};
use crate::erasure::traces;
use crate::support::eventually;
use crate::support::operating::{json_in, printed_by, run_aside};

/// The words that only the customer who is erased has.
const WORD: &str = "torpedo";

#[tokio::test]
async fn an_erased_conversation_leaves_no_trace_and_others_stay() {
    // One hook of hers arrives, and the others wait.
    let bridge = Sink::judging(|request| {
        let arrives = message_id(&request.body).ends_with("-1");
        Behaviour::status(if arrives { 200 } else { 503 })
    })
    .await
    .unwrap();
    let mut server = setup(&bridge.url("/in/:scope_id"), "").start().await;
    let counterpart = Counterpart::to(&server);
    for number in 1..=3 {
        let hers = message_body("hers", &format!("h-{number}")).replace("Hello", WORD);
        assert_eq!(counterpart.sends(hers.as_bytes()).await, 200);
        counterpart.writes("other", &format!("o-{number}")).await;
    }
    let hooks = "/admin/v1/relays/shop/hooks";
    eventually("one of hers is delivered", async || {
        let target = format!("{hooks}?message_id=h-1");
        let page = server.client().operate("GET", &target).send().await;
        let state = page.is(200).json["hooks"][0]["deliveries"][0]["state"].take();
        (state == "delivered").then_some(())
    })
    .await;

    let which = ["--channel", SHOP, "--account", ACCOUNT, "--json"];
    let dry_run = ["erase", "relayed-conversation", "hers", "--dry-run"];
    let args = [&dry_run[..], &which].concat();
    let preview = json_in(&printed_by(run_aside(&server, &args).await, &args));
    assert_eq!(preview["counts"]["messages"], 3);
    assert_eq!(preview["counts"]["conversations"], 1);
    let args = [&["erase", "relayed-conversation", "hers"], &which[..]].concat();
    let erasure = json_in(&printed_by(run_aside(&server, &args).await, &args));
    assert_eq!(erasure["what"], "relayed_conversation");
    assert_eq!(erasure["certificate"]["counts"]["messages"], 3);
    let answer = server.client().operate("GET", hooks).send().await;
    let page = answer.is(200).json;
    let left = page["hooks"].as_array().unwrap().iter();
    let ids: Vec<_> = left.map(|it| it["message_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["o-3", "o-2", "o-1"]);
    // The conversation goes on, and a message of before would be a new one.
    counterpart.writes("hers", "h-1").await;
    let body = json!({ "what": "relayed_conversation", "account_id": ACCOUNT, "channel_id": SHOP, "conversation_id": "nobody" });
    let unknown = server
        .client()
        .operates("POST", "/admin/v1/erasures", &body);
    unknown.await.is(404);
    let data = server.data();
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&data, &[WORD, "h-2"]), Vec::<String>::new());
}
