//! Idle actors leave memory, and return from the store as if they had never been away.

use std::time::Duration;

use futures_util::future::join_all;
use switchboard_worlds::{Setup, TestSystem, eventually};

const SECOND: Duration = Duration::from_secs(1);

/// Lets the time pass in steps that those who sleep notice.
async fn pass(test: &TestSystem, time: Duration) {
    for _ in 0..time.as_secs() {
        test.setup.clock.advance(SECOND);
        // Those who woke go to sleep again before the next second passes.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    }
}

#[actix::test]
async fn passivation_removes_an_idle_actor_and_a_message_reloads_it() {
    let mut setup = Setup::default();
    setup.config.idle_after = Duration::from_secs(60);
    let test = setup.start().await;
    let bo = test.customer("bo");
    let test_message = bo.message("hello");
    let first = test.post(&test_message).await.unwrap();
    let before = test
        .whole()
        .conversation(first.conversation)
        .await
        .unwrap()
        .unwrap();
    let awake = test.counts().actors;

    pass(&test, Duration::from_secs(50)).await;
    assert_eq!(
        test.counts().actors,
        awake,
        "it is not idle for long enough"
    );
    pass(&test, Duration::from_secs(20)).await;
    // Channels and accounts stay: there is one actor of each.
    eventually(|| test.counts().actors == 2).await;

    let after = test
        .whole()
        .conversation(first.conversation)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(after, before);
    assert_eq!(test.counts().actors, 2, "reading starts no actor");
    assert_eq!(
        test.post(&test_message).await.unwrap().message,
        first.message
    );
    bo.says("more").await.unwrap();
    let replied = test.ada().replies(first.conversation, "hi").await.unwrap();
    assert_eq!(replied.number, 3);
    assert_eq!(test.leads().await.len(), 1);
    test.stop().await;
}

#[actix::test]
async fn passivation_keeps_few_actors_of_many_conversations() {
    let mut setup = Setup::default();
    setup.config.hot_max = 500;
    let test = setup.start().await;
    let mut most = 0;
    for round in 0..40 {
        let names: Vec<_> = (0..500).map(|n| format!("{round}-{n}")).collect();
        let customers: Vec<_> = names.iter().map(|name| test.customer(name)).collect();
        let answers = join_all(customers.iter().map(|customer| customer.imports("hello"))).await;
        assert!(answers.iter().all(Result::is_ok));
        most = most.max(test.counts().actors);
        pass(&test, 3 * SECOND).await;
        // No more leave than are too many, but for some of other kinds.
        eventually(|| (490..=500).contains(&test.counts().actors)).await;
    }
    assert!(
        most <= 1_010,
        "20,000 conversations, {most} actors in memory"
    );
    let early = test.customer("0-0").says("still here").await.unwrap();
    assert_eq!(test.messages_of(early.conversation).await.len(), 2);
    test.stop().await;
}

#[actix::test]
async fn messages_during_passivation_are_not_lost() {
    let mut setup = Setup::default();
    setup.config.idle_after = 4 * SECOND;
    let test = setup.start().await;
    let bo = test.customer("bo");
    for round in 1..=100_usize {
        let test_messages: Vec<_> = (0..3).map(|_| bo.message("hello")).collect();
        test.setup.clock.advance(5 * SECOND);
        let answers = join_all(
            test_messages
                .iter()
                .map(|test_message| test.post(test_message)),
        )
        .await;
        let conversation = answers.first().unwrap().as_ref().unwrap().conversation;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!(test.messages_of(conversation).await.len(), 3 * round);
    }
    test.stop().await;
}
