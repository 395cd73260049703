//! A callback that was given up or cancelled is sent again: with the same id, before those behind it.

use serde_json::json;
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{act, conversation, delivery_is, done, listed, read};
use crate::support::eventually;
use crate::support::receiver::{Callback, Receiver};
use crate::support::server::{CHANNEL, Server, Setup};

/// The integration wants no further attempt of this message.
fn abort() -> Behaviour {
    Behaviour::Answer(Reply::new(422).header("X-No-Retry", "1"))
}

/// The integration fails, and wants the next attempt no sooner than after so many seconds: longer than what is to be done
/// meanwhile takes on any machine.
fn fail_for(seconds: u32) -> Behaviour {
    Behaviour::Answer(Reply::new(500).header("Retry-After", &seconds.to_string()))
}

fn texts(callbacks: &[Callback]) -> Vec<&str> {
    let text = |it: &'_ Callback| -> String {
        it.json["message"]["message"]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    callbacks
        .iter()
        .map(|it| match text(it).as_str() {
            "one" => "one",
            "two" => "two",
            "three" => "three",
            other => panic!("{other} was never written"),
        })
        .collect()
}

#[tokio::test]
async fn a_replayed_dead_callback_keeps_its_id_and_precedes_its_queue() {
    let receiver = Receiver::start().await;
    receiver.script([abort(), Behaviour::status(200), fail_for(8)]);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    let dead = delivery_is(&server, &one, "dead").await;
    assert_eq!(dead["reason_code"], "message_aborted");
    let status = dead["log"][0]["status"].as_u64().unwrap();
    let reason = format!(
        "the integration answered {status}: it rejects this message and asks for no further attempt"
    );
    assert_eq!(dead["reason"], reason);
    client.replied(&conversation, "two").await;
    let three = client.replied(&conversation, "three").await;
    delivery_is(&server, &three, "waiting").await;
    let response = act(&server, &one, "replay").await.is(200).json;
    assert_eq!(response["replays"], 1);
    let arrived = receiver.callbacks(5).await;
    assert_eq!(texts(&arrived), ["one", "two", "three", "one", "three"]);
    let attempt = |place: usize| arrived[place].request.header("x-delivery-attempt").unwrap();
    assert_eq!((attempt(0), attempt(3)), ("1", "2"));
    assert_eq!(arrived[3].request.header("webhook-id"), Some(one.as_str()));
    let delivery = delivery_is(&server, &one, "delivered").await;
    assert_eq!(delivery["log"].as_array().unwrap().len(), 2);
    delivery_is(&server, &three, "delivered").await;
    let replays = vec![("delivery.replay".to_owned(), one)];
    assert_eq!(done(&server).await, replays);
}

#[tokio::test]
async fn replaying_a_delivered_callback_sends_it_as_a_repeat() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    delivery_is(&server, &one, "delivered").await;
    act(&server, &one, "replay").await.is(200);
    let arrived = receiver.callbacks(2).await;
    assert_eq!(texts(&arrived), ["one", "one"]);
    let again = &arrived[1].request;
    assert_eq!(again.header("x-delivery-attempt"), Some("2"));
    assert_eq!(again.header("webhook-id"), Some(one.as_str()));
    let delivery = delivery_is(&server, &one, "delivered").await;
    assert_eq!(delivery["replays"], 1);
    // A filter means only what did not arrive.
    let body = json!({ "channel_id": CHANNEL });
    let response = client.operates("POST", "/admin/v1/replays", &body).await;
    let job = response.json["id"].clone();
    let job_view = eventually("the replay is done", async || {
        let job = read(&server, &format!("/admin/v1/replays/{job}")).await;
        (job["state"] == "done").then_some(job)
    })
    .await;
    assert_eq!(
        (&job_view["replayed"], &job_view["skipped"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(receiver.so_far().len(), 2);
}

/// A replay sends a callback at once: a repaired integration does not wait for the next attempt.
#[tokio::test]
async fn replaying_a_waiting_callback_sends_it_now() {
    let receiver = Receiver::start().await;
    receiver.script([fail_for(3_600)]);
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    delivery_is(&server, &one, "waiting").await;
    let two = client.replied(&conversation, "two").await;
    let refusal = act(&server, &two, "replay").await.is(409);
    let detail = refusal.json["detail"].as_str().unwrap().to_owned();
    assert_eq!(
        detail,
        "this message is queued already: the callback waits for an earlier message of its conversation"
    );
    // Also when only the disk knows that it waits.
    server.kill_9();
    server.restart().await;
    delivery_is(&server, &one, "waiting").await;
    let response = act(&server, &one, "replay").await.is(200).json;
    assert_eq!(response["replays"], 1);
    let delivery = delivery_is(&server, &one, "delivered").await;
    assert_eq!(delivery["log"].as_array().unwrap().len(), 2);
    delivery_is(&server, &two, "delivered").await;
    let arrived = receiver.callbacks(3).await;
    assert_eq!(texts(&arrived), ["one", "one", "two"]);
    assert_eq!(arrived[1].request.header("x-delivery-attempt"), Some("2"));
    let replays = vec![("delivery.replay".to_owned(), one)];
    assert_eq!(done(&server).await, replays);
}

/// A callback in progress is not sent twice at once, and one that its endpoint holds says so.
#[tokio::test]
async fn a_callback_that_cannot_be_sent_now_says_why() {
    let receiver = Receiver::start().await;
    receiver.script([Behaviour::Hang]);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    delivery_is(&server, &one, "sending").await;
    let refusal = act(&server, &one, "replay").await.is(409);
    assert_eq!(
        refusal.json["detail"],
        "an attempt to deliver this message is in progress"
    );
    let pause = format!("/admin/v1/channels/{CHANNEL}/pause");
    client.operates("POST", &pause, &json!({})).await.is(200);
    let other = crate::delivery::conversation(&server, "d").await;
    let reply = client.replied(&other, "two").await;
    delivery_is(&server, &reply, "held").await;
    let refusal = act(&server, &reply, "replay").await.is(409);
    assert_eq!(
        refusal.json["detail"],
        "this message is queued already: an operator paused the channel"
    );
}

#[tokio::test]
async fn a_replay_survives_kill_9_and_is_never_a_first_attempt() {
    let receiver = Receiver::start().await;
    let mut server = Setup::default().start().await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = server.client().replied(&conversation, "one").await;
    act(&server, &one, "discard").await.is(200);
    delivery_is(&server, &one, "cancelled").await;
    act(&server, &one, "replay").await.is(200);
    server.kill_9();
    server.change(|setup| setup.webhook(&receiver));
    server.restart().await;
    delivery_is(&server, &one, "delivered").await;
    let arrived = receiver.callbacks(1).await;
    let attempt: u32 = arrived[0]
        .request
        .header("x-delivery-attempt")
        .unwrap()
        .parse()
        .unwrap();
    assert!(attempt > 1);
    assert_eq!(listed(&server, "", 10).await, [one]);
}

/// A callback that a disconnect cancelled is sent when it is replayed after another connect.
#[tokio::test]
async fn a_callback_cancelled_by_a_disconnect_can_be_replayed() {
    let receiver = Receiver::start().await;
    receiver.script([fail_for(3_600)]);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    let two = client.replied(&conversation, "two").await;
    delivery_is(&server, &one, "waiting").await;
    client.disconnect().await;
    for message in [&one, &two] {
        let cancelled = delivery_is(&server, message, "cancelled").await;
        assert_eq!(
            cancelled["reason"],
            "the account was disconnected from the channel"
        );
        act(&server, message, "replay").await.is(409);
    }
    client.connect("v2").await;
    act(&server, &two, "replay").await.is(200);
    delivery_is(&server, &two, "delivered").await;
    assert_eq!(texts(&receiver.callbacks(2).await), ["one", "two"]);
    delivery_is(&server, &one, "cancelled").await;
}

#[tokio::test]
async fn discarding_the_head_of_a_queue_sends_the_next_callback() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 500);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    let two = client.replied(&conversation, "two").await;
    let discarded = act(&server, &one, "discard").await;
    // It may have been in progress just then, and have arrived.
    assert!([200, 409].contains(&discarded.status), "{}", discarded.body);
    delivery_is(&server, &two, "delivered").await;
}
