//! `switchboard delivery`, as a process beside the service.

use std::process::Output;

use serde_json::Value;
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{conversation, delivery_is};
use crate::support::eventually;
use crate::support::operating::{json_in, printed_by, run_aside};
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server};

async fn delivery(server: &Server, args: &[&str]) -> Output {
    run_aside(server, &[&["delivery"], args].concat()).await
}

async fn printed(server: &Server, args: &[&str]) -> String {
    printed_by(delivery(server, args).await, args)
}

async fn json(server: &Server, args: &[&str]) -> Value {
    json_in(&printed(server, &[args, &["--json"]].concat()).await)
}

#[tokio::test]
async fn a_dead_callback_is_found_shown_and_replayed() {
    let receiver = Receiver::start().await;
    let no_more = || Behaviour::Answer(Reply::new(422).header("X-No-Retry", "1"));
    receiver.script([no_more(), no_more()]);
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = server.client().replied(&conversation, "one").await;
    let two = server.client().replied(&conversation, "two").await;
    delivery_is(&server, &two, "dead").await;
    let list = printed(&server, &["list", "--state", "dead"]).await;
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(list.contains(&one) && list.contains(&two), "{list}");
    let page = json(
        &server,
        &["list", "--limit", "1", "--conversation", &conversation],
    )
    .await;
    assert_eq!(page["deliveries"][0]["id"], two.as_str());
    let next = page["next"].as_str().unwrap();
    let page = json(&server, &["list", "--limit", "1", "--cursor", next]).await;
    assert_eq!(page["deliveries"][0]["id"], one.as_str());
    let text = printed(&server, &["get", &one]).await;
    assert!(
        text.contains("state         dead") && text.contains("422"),
        "{text}"
    );
    printed(&server, &["replay", &one]).await;
    delivery_is(&server, &one, "delivered").await;
    let output = printed(
        &server,
        &["replay", "--state", "dead", "--channel", CHANNEL],
    )
    .await;
    assert!(output.starts_with("replay 1 is running"), "{output}");
    delivery_is(&server, &two, "delivered").await;
    let listing = printed(&server, &["list", "--state", "delivered"]).await;
    assert!(
        listing.contains(&one) && listing.contains(&two),
        "{listing}"
    );
    let failed = printed(&server, &["list", "--group", "failed"]).await;
    assert_eq!(failed.trim_end(), "no such deliveries");
    // One that was delivered can be sent again as well.
    printed(&server, &["replay", &one]).await;
    let delivery = eventually("the repeat is delivered", async || {
        let delivery = json(&server, &["get", &one]).await;
        (delivery["replays"] == 2 && delivery["state"] == "delivered").then_some(delivery)
    });
    delivery.await;
    let endpoints = printed(&server, &["endpoints"]).await;
    assert!(endpoints.contains("healthy"), "{endpoints}");
    let replays = json(&server, &["replays"]).await;
    assert_eq!(replays["replays"][0]["id"], 1);
}

#[tokio::test]
async fn a_refused_command_ends_with_1_and_a_wrong_one_with_2() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = server.client().replied(&conversation, "one").await;
    printed(&server, &["discard", &one]).await;
    let unknown = "30c362b9-9201-4864-8c24-1f637b1733ed";
    for (args, code, told) in [
        (&["discard", &one][..], 1, "has already ended"),
        (&["get", unknown], 1, "there is no such delivery"),
        (&["replay"], 2, "nothing to replay"),
        (
            &["replay", &one, "--state", "dead"],
            2,
            "cannot be used with",
        ),
        (&["get", "nonsense"], 2, "invalid value"),
        (&["list", "--state", "lost"], 2, "invalid value"),
        (&["cancel-replay", "7"], 1, "there is no such replay"),
        (&["enable", CHANNEL, "v2"], 1, "was not disabled"),
    ] {
        let output = delivery(&server, args).await;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(told), "{args:?}: {stderr}");
    }
}

/// A version without an address has another reason than one that an operator switched off.
#[tokio::test]
async fn a_missing_address_and_a_paused_one_have_different_reasons() {
    let server = Server::start().await;
    let none = serde_json::json!({ "webhook_v1": null });
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let client = server.client();
    client.operates("PATCH", &target, &none).await.is(200);
    let text = eventually("the address is gone", async || {
        let text = printed(&server, &["endpoints"]).await;
        text.contains("no_address").then_some(text)
    })
    .await;
    let line = |version: &str| {
        let mut lines = text.lines();
        let row = lines.find(|line| line.contains(CHANNEL) && line.contains(version));
        row.unwrap().trim_end().to_owned()
    };
    assert!(
        line(" v1 ").ends_with("the channel has no endpoint for callbacks of this version"),
        "{text}"
    );
    assert!(line(" v2 ").ends_with(" -"), "{text}");
}

#[tokio::test]
async fn an_integration_that_refuses_callbacks_is_named_and_why() {
    let receiver = Receiver::answering(403).await;
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = server.client().replied(&conversation, "one").await;
    let list = eventually("the answer is told", async || {
        let list = printed(&server, &["list"]).await;
        let line = list.lines().find(|line| line.contains(&one))?.to_owned();
        line.contains("403").then_some(line)
    })
    .await;
    assert!(
        list.ends_with("the integration answered 403: it refuses the authorization of callbacks"),
        "{list}"
    );
    let endpoints = printed(&server, &["endpoints"]).await;
    let line = endpoints
        .lines()
        .find(|line| line.contains(" v2 "))
        .unwrap();
    assert!(
        !line.contains("healthy") && line.ends_with("(last error: 403)"),
        "{endpoints}"
    );
}
