//! Replays by filter: jobs that go on after a crash, show how far they are, and can be ended.

use serde_json::{Value, json};

use crate::delivery::{act, conversation, delivery_is, done, listed, read};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, OTHER_CHANNEL, Server, Setup};

/// The number of cancelled messages, and the limit of the queue.
const CANCELLED: usize = 30;
const ROOM: usize = 12;

/// A service with cancelled callbacks in three conversations, whose channel is paused.
async fn with_cancelled(receiver: &Receiver) -> (Server, Vec<(String, Vec<String>)>) {
    let server = Setup::default()
        .webhook(receiver)
        .setting("dispatch", &format!("queued_per_endpoint_max = {ROOM}"))
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    pause(&server, "pause").await;
    let mut messages = Vec::new();
    for name in ["a", "b", "c"] {
        let conversation = conversation(&server, name).await;
        let mut own = Vec::new();
        for number in 0..CANCELLED / 3 {
            let id = client
                .replied(&conversation, &format!("{name} {number}"))
                .await;
            act(&server, &id, "discard").await.is(200);
            own.push(id);
        }
        messages.push((conversation, own));
    }
    (server, messages)
}

async fn pause(server: &Server, what: &str) {
    let target = format!("/admin/v1/channels/{CHANNEL}/{what}");
    let response = server.client().operates("POST", &target, &json!({})).await;
    response.is(200);
}

async fn begin(server: &Server, filter: &Value) -> Value {
    let response = server
        .client()
        .operates("POST", "/admin/v1/replays", filter)
        .await;
    response.is(202).json
}

async fn job_is(server: &Server, id: &Value, what: impl Fn(&Value) -> bool) -> Value {
    let target = format!("/admin/v1/replays/{id}");
    eventually("the replay is so far", async || {
        let job = read(server, &target).await;
        what(&job).then_some(job)
    })
    .await
}

/// A job waits for room, goes on after `kill -9`, and sends everything in order.
#[tokio::test]
async fn a_replay_job_waits_for_room_survives_kill_9_and_keeps_order() {
    let receiver = Receiver::start().await;
    let (mut server, written) = with_cancelled(&receiver).await;
    assert_eq!(
        listed(&server, "&state=cancelled", 7).await.len(),
        CANCELLED
    );
    let job = begin(
        &server,
        &json!({ "state": "cancelled", "channel_id": CHANNEL }),
    )
    .await;
    assert_eq!(job["state"], "running");
    job_is(&server, &job["id"], |job| job["replayed"] == ROOM).await;
    server.kill_9();
    server.restart().await;
    let still = job_is(&server, &job["id"], |job| job["replayed"] == ROOM).await;
    assert_eq!(still["state"], "running");
    pause(&server, "resume").await;
    let end = job_is(&server, &job["id"], |job| job["state"] == "done").await;
    assert_eq!(
        (&end["replayed"], &end["skipped"]),
        (&json!(CANCELLED), &json!(0))
    );
    for (_, own) in &written {
        for message in own {
            let delivery = delivery_is(&server, message, "delivered").await;
            assert_eq!(delivery["replays"], 1);
        }
    }
    let arrived = receiver.so_far();
    for (conversation, own) in &written {
        let of_it = arrived.iter().filter(|callback| {
            callback.json["message"]["conversation"]["id"] == conversation.as_str()
        });
        let mut ids: Vec<_> = of_it
            .map(|callback| callback.request.header("webhook-id").unwrap())
            .collect();
        ids.dedup();
        assert_eq!(ids, *own, "in order");
    }
    for group in ["waiting", "failed"] {
        let rest = listed(&server, &format!("&group={group}"), 50).await;
        assert_eq!(rest, Vec::<String>::new());
    }
    let log = done(&server).await;
    assert!(log.contains(&("replay.create".to_owned(), "1".to_owned())));
}

#[tokio::test]
async fn a_stopped_replay_job_leaves_the_other_callbacks_alone() {
    let receiver = Receiver::start().await;
    let (server, _) = with_cancelled(&receiver).await;
    let job = begin(&server, &json!({ "state": "cancelled" })).await;
    job_is(&server, &job["id"], |job| job["replayed"] == ROOM).await;
    let target = format!("/admin/v1/replays/{}/cancel", job["id"]);
    let cancel = async || server.client().operates("POST", &target, &json!({})).await;
    assert_eq!(cancel().await.is(200).json["state"], "cancelled");
    cancel().await.is(409);
    pause(&server, "resume").await;
    eventually("what was queued has left", async || {
        let of_channel = format!("&channel_id={CHANNEL}");
        let waiting = listed(&server, &format!("{of_channel}&group=waiting"), 50).await;
        let failed = listed(&server, &format!("{of_channel}&group=failed"), 50).await;
        (waiting.is_empty() && failed.len() == CANCELLED - ROOM).then_some(())
    })
    .await;
    let list = read(&server, "/admin/v1/replays").await;
    assert_eq!(list["replays"][0]["state"], "cancelled");
}

#[tokio::test]
async fn a_filter_selects_only_the_deliveries_it_names() {
    let receiver = Receiver::start().await;
    let (server, written) = with_cancelled(&receiver).await;
    let client = server.client();
    for filter in [
        json!({}),
        json!({ "state": "queued" }),
        json!({ "everything": true }),
    ] {
        let answer = client.operates("POST", "/admin/v1/replays", &filter).await;
        answer.is(400);
    }
    for filter in [
        json!({ "channel_id": "nowhere" }),
        json!({ "scope_id": "nowhere_30c362b9-9201-4864-8c24-1f637b1733ed" }),
    ] {
        let answer = client.operates("POST", "/admin/v1/replays", &filter).await;
        let detail = &answer.is(404).json["detail"];
        assert_eq!(detail, "there is no such channel: nowhere", "{filter}");
    }
    let jobs = read(&server, "/admin/v1/replays").await;
    assert_eq!(jobs["replays"], json!([]), "no job is begun for nothing");
    let nobody = json!({ "conversation_id": "30c362b9-9201-4864-8c24-1f637b1733ed" });
    client
        .operates("POST", "/admin/v1/replays", &nobody)
        .await
        .is(404);
    for other in [
        json!({ "state": "dead" }),
        json!({ "channel_id": OTHER_CHANNEL }),
    ] {
        let job = begin(&server, &other).await;
        let end = job_is(&server, &job["id"], |job| job["state"] == "done").await;
        assert_eq!(end["replayed"], 0);
    }
    let (conversation, own) = &written[1];
    let job = begin(&server, &json!({ "conversation_id": conversation })).await;
    let end = job_is(&server, &job["id"], |job| job["state"] == "done").await;
    assert_eq!(end["replayed"], own.len());
    assert_eq!(
        listed(&server, "&state=cancelled", 50).await.len(),
        CANCELLED - own.len()
    );
}
