//! Reasons that take days, or do not happen: worlds, whose time passes on order.

use std::time::Duration;

use serde_json::{Value, json};
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;

use crate::reasons::standing::AT_ONCE;

/// The operator of the world.
const OPERATOR: &str = "token-of-the-operator-of-a-world";

/// A world with an operator, in which Bo has written.
fn world() -> HttpWorld {
    let world = HttpWorld::start();
    let settled = world.run(async |system| system.settle_operator_token(Some(OPERATOR)).await);
    settled.unwrap();
    world.customer("bo").says("Have you any tulips?");
    world
}

fn operate(world: &HttpWorld, method: &str, path: &str) -> Value {
    let request = world
        .request(method, path)
        .header("Authorization", &format!("Bearer {OPERATOR}"));
    let answer = request.send();
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    answer.json()
}

/// The delivery of a reply, over HTTP.
fn delivery(world: &HttpWorld, reply: &Said) -> Value {
    operate(
        world,
        "GET",
        &format!("/admin/v1/deliveries/{}", reply.message),
    )
}

pub(super) fn an_attempt_panics() -> Value {
    let world = world();
    world
        .receiver()
        .answer_with(|_| panic!("a defect of the sender"));
    let reply = world.user("ada").replies("Red ones.");
    world.advance(Duration::from_millis(400));
    delivery(&world, &reply)
}

/// As many attempts as an endpoint gets at once hang while no time passes.
pub(super) fn an_address_has_its_most_attempts() -> Value {
    let world = world();
    world.receiver().answer_always(Behaviour::hangs());
    for number in 0..AT_ONCE {
        let customer = format!("c{number}");
        world.customer(&customer).says("Have you any roses?");
        let reply = world.user("ada").replies_to(&customer, "Red ones.");
        world.wait(Until::attempts(reply.message, 1));
    }
    let reply = world.user("ada").replies_to("bo", "Red ones.");
    delivery(&world, &reply)
}

pub(super) fn the_channel_vanishes() -> Value {
    let world = world();
    world.receiver().answer(Behaviour::status(500));
    let reply = world.user("ada").replies("Red ones.");
    world.wait(Until::attempts(reply.message, 1));
    world.lose_channel();
    let message = reply.message;
    world.wait(Until::holds("the second attempt is over", move |world| {
        let delivery = world.delivery_record(message);
        delivery.is_some_and(|delivery| delivery.tally.made == 2)
    }));
    let delivery = delivery(&world, &reply);
    assert_eq!(delivery["log"][1]["failure"], "no_channel");
    delivery
}

pub(super) fn an_address_fails_for_days() -> Value {
    let world = world();
    world.receiver().answer_always(Behaviour::status(401));
    let reply = world.user("ada").replies("Red ones.");
    world.advance(Duration::from_secs(5 * 24 * 3_600));
    delivery(&world, &reply)
}

/// The owner of the channel knows that there is no address before the dispatcher hears of it: the attempt between is one
/// without an address, and not one whose name is unknown.
#[test]
fn an_attempt_without_an_address_says_so() {
    let world = world();
    world.receiver().answer(Behaviour::status(500));
    let reply = world.user("ada").replies("Red ones.");
    world.wait(Until::attempts(reply.message, 1));
    world.stall_disk(Duration::from_secs(3));
    let request = world
        .request(
            "PATCH",
            &format!("/admin/v1/channels/{}", world.channel().id),
        )
        .header("Authorization", &format!("Bearer {OPERATOR}"));
    let answer = request
        .json(&json!({ "webhook_v1": null, "webhook_v2": null }))
        .send();
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    world.stall_disk(Duration::ZERO);
    let delivery = delivery(&world, &reply);
    assert_eq!(delivery["log"][1]["failure"], "no_address", "{delivery}");
    assert_eq!(
        (&delivery["state"], &delivery["reason_code"]),
        (&json!("held"), &json!("no_address"))
    );
}
