//! Snapshots and forks: several futures of one past.

use switchboard_worlds::prelude::*;

#[test]
fn forks_go_on_from_a_snapshot_each_by_itself() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    let snapshot = world.snapshot();
    let (red, white) = (snapshot.fork(), snapshot.fork());
    let in_red = red.user("ada").replies("Red ones.");
    let in_white = white.user("ada").replies("White ones.");
    world.customer("bo").says("Hello?");
    assert_eq!(red.texts("bo"), ["Have you any tulips?", "Red ones."]);
    assert_eq!(white.texts("bo"), ["Have you any tulips?", "White ones."]);
    assert_eq!(world.texts("bo"), ["Have you any tulips?", "Hello?"]);
    assert_eq!(red.callbacks().len(), 1);
    assert_eq!(world.callbacks().len(), 0);
    // The same seed: the same call has the same effect.
    assert_eq!(in_red, in_white);
}

#[test]
fn a_world_goes_back_to_a_snapshot() {
    let mut world = World::start();
    world.receiver().answer_always(Behaviour::status(500));
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    let (snapshot, then) = (world.snapshot(), world.now());
    for attempts in [3, 4] {
        world.advance(Duration::from_secs(60));
        world.wait(Until::attempts(message.message, attempts));
        world.customer("bo").says("Hello?");
        assert_eq!(world.texts("bo").len(), 3);
        world.restore(&snapshot);
        assert_eq!(world.texts("bo").len(), 2);
        assert!(world.now().since(then) < Duration::from_millis(10));
    }
    // The orders of the receiver are those of the snapshot, too.
    world.receiver().answer_always(Behaviour::status(200));
    world.wait(Until::delivered(message.message));
}

/// Ids of a fork are not those that its past has used.
#[test]
fn a_fork_draws_no_id_again() {
    let world = World::start();
    let before = world.customer("bo").says("Have you any tulips?");
    let fork = world.snapshot().fork();
    let after = fork.customer("bo").says("Hello?");
    assert_eq!(before.conversation, after.conversation);
    assert_ne!(before.message, after.message);
}
