//! Ordered faults of a world, and their effects.

use switchboard_worlds::prelude::*;

#[test]
fn a_restart_and_a_power_cut_keep_what_was_answered() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    world.restart();
    world.user("ada").replies("Red ones.");
    world.cut_power();
    world.customer("bo").says("And white ones?");
    let texts = world.texts("bo");
    assert_eq!(
        texts,
        ["Have you any tulips?", "Red ones.", "And white ones?"]
    );
}

/// The callback arrived, and the power went before the answer did: it is sent again.
#[test]
fn a_callback_that_a_power_cut_interrupts_arrives_again() {
    let world = World::start();
    world
        .receiver()
        .answer(Behaviour::status(200).after(Duration::from_secs(5)));
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    assert_eq!(world.callbacks().len(), 1);
    world.cut_power();
    world.wait(Until::delivered(message.message));
    let messages: Vec<MessageId> = world.callbacks().iter().map(|it| it.message).collect();
    assert_eq!(messages, [message.message; 2]);
}

/// At whatever step the power goes, a message that is repeated until it is acknowledged is there once.
#[test]
fn a_message_is_there_once_whenever_the_power_goes() {
    let mut interrupted = 0;
    for step in 1.. {
        let world = World::start();
        world.cut_power_within(step);
        let message = world.customer("bo").message("Have you any tulips?");
        let first = world.customer("bo").try_posts(&message);
        if first.is_ok() {
            break;
        }
        assert_eq!(first, Err(PersonError::NoAnswer));
        interrupted += 1;
        world.customer("bo").try_posts(&message).unwrap();
        assert_eq!(world.texts("bo"), ["Have you any tulips?"]);
        assert_eq!(world.leads().len(), 1);
    }
    assert!(interrupted > 2, "{interrupted}");
}

#[test]
fn an_answer_is_lost_before_or_after_its_commit() {
    for (lost, stored) in [(LostAnswer::BeforeCommit, 0), (LostAnswer::AfterCommit, 1)] {
        let world = World::start();
        world.lose_answer(lost);
        let message = world.customer("bo").message("Have you any tulips?");
        let answer = world.customer("bo").try_posts(&message);
        assert_eq!(answer, Err(PersonError::NoAnswer));
        assert_eq!(world.leads().len(), stored, "{lost:?}");
        // The order is for one answer, and a repeat is harmless.
        world.customer("bo").try_posts(&message).unwrap();
        assert_eq!(world.texts("bo").len(), 1);
    }
}

#[test]
fn a_full_disk_refuses_what_is_new_until_it_is_freed() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    world.disk_full();
    let refusal = Err(PersonError::Refused(CommandError::Unavailable(
        UnavailableError::DiskFull,
    )));
    assert_eq!(world.customer("bo").try_says("Hello?"), refusal);
    world.cut_power();
    assert_eq!(world.customer("bo").try_says("Hello?"), refusal);
    world.disk_freed();
    world.customer("bo").says("Hello?");
    assert_eq!(world.texts("bo"), ["Have you any tulips?", "Hello?"]);
}

#[test]
fn a_write_that_fails_has_no_effect() {
    let world = World::start();
    world.fail_write(1);
    let failed = world.customer("bo").try_says("Have you any tulips?");
    let interrupted = CommandError::Unavailable(UnavailableError::Interrupted);
    assert_eq!(failed, Err(PersonError::Refused(interrupted)));
    assert_eq!(world.leads().len(), 0);
    world.customer("bo").says("Have you any tulips?");
    assert_eq!(world.texts("bo"), ["Have you any tulips?"]);
}

#[test]
fn a_disk_that_stalls_delays_answers() {
    let world = World::start();
    let before = world.now();
    world.stall_disk(Duration::from_secs(30));
    world.customer("bo").says("Have you any tulips?");
    let took = world.now().since(before);
    assert!(took >= Duration::from_secs(30), "{took:?}");

    world.stall_disk(Duration::ZERO);
    world.advance(Duration::from_secs(60));
    let before = world.now();
    world.customer("bo").says("Hello?");
    assert!(world.now().since(before) < Duration::from_secs(1));
}
