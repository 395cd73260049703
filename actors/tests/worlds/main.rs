//! Worlds: what a test of an embedder can do, without sockets, files and sleep.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod assigning;
mod crowd;
mod drafts;
mod failing;
mod faults;
mod forks;
mod habits;
mod hooks;
mod oauth;
mod receiver;
mod scheduled_replies;
mod simulations;
mod snoozes;
mod time;
mod webhooks;
mod windows;

use switchboard_worlds::prelude::*;

#[test]
fn a_reply_reaches_the_integration() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    world.user("ada").replies("Red ones and white ones.");
    world.wait(Until::callbacks(1));
    assert_eq!(world.callbacks()[0].text(), "Red ones and white ones.");
}

#[test]
fn customers_and_users_are_there_from_the_beginning() {
    let world = World::start();
    let question = world.customer("bo").says("Have you any tulips?");
    world.customer("cy").says("And roses?");
    let reply = world.user("ben").replies_to("bo", "Red ones.");
    assert_eq!(question.conversation, reply.conversation);
    world.user("ada").replies("No roses.");
    assert_eq!(world.texts("bo"), ["Have you any tulips?", "Red ones."]);
    assert_eq!(world.texts("cy"), ["And roses?", "No roses."]);
    assert_eq!(world.texts("nobody"), [""; 0]);
    assert_eq!(world.leads().len(), 2);
}

#[test]
fn an_integration_reports_on_a_message() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    let reply = world.user("ada").replies("Red ones.");
    world.reports(reply.message, DeliveryStatus::Read).unwrap();
    let [_, MessageView::Out { afterwards, .. }] = &world.messages("bo")[..] else {
        panic!("a question and an answer are there");
    };
    let report = afterwards.status.as_ref();
    assert_eq!(report, Some(&DeliveryStatus::Read));
}

/// The same seed gives the same ids, times and attempts; another seed gives others.
#[test]
fn the_same_seed_gives_the_same_effects() {
    let story = |seed| {
        let world = World::with(WorldConfig {
            seed,
            ..WorldConfig::default()
        });
        world.receiver().answer_times(5, Behaviour::status(500));
        world.customer("bo").says("Have you any tulips?");
        world.user("ada").replies("Red ones.");
        world.wait(Until::callbacks(6));
        world.receiver().attempts()
    };
    let (once, again, other) = (story(7), story(7), story(8));
    assert_eq!(once, again);
    assert_ne!(once[0].message, other[0].message);
    assert_ne!(once[5].at, other[5].at);
}
