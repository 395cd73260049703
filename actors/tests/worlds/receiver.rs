//! The receiver misbehaves on order, and records what reached it.

use switchboard_worlds::prelude::*;

/// Returns the arrivals of each attempt and the attempts until the reply is delivered, for a receiver that begins so.
fn delivered_after(first: Behaviour) -> (usize, usize) {
    let world = World::start();
    world.receiver().answer(first);
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    world.wait(Until::delivered(message.message));
    let (attempts, arrived) = (world.receiver().attempts(), world.callbacks());
    assert!(arrived.iter().all(|it| it.message == message.message));
    (attempts.len(), arrived.len())
}

#[test]
fn each_misbehaviour_has_its_effect() {
    let second = Duration::from_secs(1);
    let cases = [
        ("a status", Behaviour::status(503), (2, 2)),
        ("a pause", Behaviour::retry_after(429, 30 * second), (2, 2)),
        ("a broken connection", Behaviour::drops(), (2, 1)),
        ("a lost answer", Behaviour::loses_answer(), (2, 2)),
        ("no answer", Behaviour::hangs(), (2, 2)),
        (
            "a late answer",
            Behaviour::status(200).after(9 * second),
            (1, 1),
        ),
        ("a duplicate", Behaviour::duplicates(), (1, 2)),
    ];
    for (name, behaviour, expected) in cases {
        assert_eq!(delivered_after(behaviour), expected, "{name}");
    }
}

#[test]
fn a_receiver_fails_so_many_times() {
    let world = World::start();
    world.receiver().answer_times(3, Behaviour::status(500));
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    world.wait(Until::delivered(message.message));
    assert_eq!(world.receiver().attempts().len(), 4);
}

#[test]
fn a_pause_that_the_receiver_asks_for_is_kept() {
    let world = World::start();
    let pause = Duration::from_secs(300);
    world.receiver().answer(Behaviour::retry_after(503, pause));
    world.customer("bo").says("Have you any tulips?");
    world.user("ada").replies("Red ones.");
    world.wait(Until::callbacks(2));
    let attempts = world.receiver().attempts();
    assert!(attempts[1].at.since(attempts[0].at) >= pause);
}

/// The code of an integration is called with what reaches it, and decides on the answer.
#[test]
fn the_code_of_an_integration_can_be_the_receiver() {
    let world = World::start();
    world.receiver().answer_with(|callback| {
        let refuses = callback.text().contains("roses");
        refuses.then(|| Behaviour::no_retry(400))
    });
    world.customer("bo").says("Have you any tulips?");
    let roses = world.user("ada").replies("No roses.");
    let tulips = world.user("ada").replies("Red tulips.");
    world.wait(Until::delivered(tulips.message));
    world.wait(Until::given_up(roses.message));
}

/// The same seed strikes the same attempts again, also after a snapshot.
#[test]
fn a_receiver_fails_sometimes() {
    let outcomes = |seed| {
        let world = World::start();
        let fails = Behaviour::status(500);
        world.receiver().answer_sometimes(0.5, seed, fails);
        world.customer("bo").says("Have you any tulips?");
        let count = |world: &World| {
            for number in 0..10 {
                world.user("ada").replies(&format!("{number} red ones."));
            }
            world.wait(Until::quiet());
            let attempts = world.receiver().attempts();
            let first = attempts.iter().map(|it| (it.message, it.attempt));
            first.filter(|(_, attempt)| *attempt > 1).count()
        };
        let (one, two) = (world.snapshot().fork(), world.snapshot().fork());
        let struck = count(&one);
        assert_eq!(struck, count(&two));
        struck
    };
    let struck = outcomes(7);
    assert_eq!(struck, outcomes(7));
    assert!((2..40).contains(&struck), "{struck}");
}
