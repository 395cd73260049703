//! A caller that queues more than leaves is refused before anything is written, exactly at the edge, also after a
//! restart.
use std::time::Duration;

use futures_util::future::join_all;
use switchboard_actors::Threads;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::quota::{Quota, QuotaRejection};
use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::user_access::AnswerRejection;
use switchboard_worlds::{FaultyDisk, Setup, TestSystem, eventually};

/// A receiver that is away for as long as the test lasts.
fn away(setup: &Setup) {
    for _ in 0..1_000 {
        setup
            .sender
            .answer(Outcome::Failed(AttemptFailure::Refused));
    }
}

async fn conversation(test: &TestSystem, name: &str) -> ConversationId {
    let answer = test.customer(name).says("hello").await;
    answer.unwrap().conversation
}

fn refusal<T>(answer: Result<T, CommandError<AnswerRejection>>) -> QuotaRejection {
    let quota = match answer {
        Err(CommandError::Rejected(AnswerRejection::TooMuchQueued(refusal))) => Some(*refusal),
        Ok(_) | Err(CommandError::Rejected(_) | CommandError::Unavailable(_)) => None,
    };
    quota.unwrap()
}

#[actix::test]
async fn the_narrowest_quota_refuses_and_names_the_endpoint_health() {
    let mut setup = Setup::default();
    setup.config.quotas.queue = 2;
    setup.config.quotas.scope = 3;
    away(&setup);
    let test = setup.start().await;
    let first = conversation(&test, "bo").await;
    let second = conversation(&test, "cy").await;
    for text in ["one", "two"] {
        test.ada().replies(first, text).await.unwrap();
    }
    let queue = refusal(test.ada().replies(first, "three").await);
    assert_eq!(
        (queue.quota, queue.limit, queue.queued),
        (Quota::Queue, 2, 2)
    );
    assert_eq!(
        queue.retry_after,
        Duration::from_secs(3_600),
        "nothing drains"
    );
    test.ada().replies(second, "one").await.unwrap();
    let scope = refusal(test.ada().replies(second, "two").await);
    assert_eq!((scope.quota, scope.queued), (Quota::Scope, 3));
    assert!(scope.health.takes_messages(), "it has not failed often yet");
    assert_eq!(test.messages_of(first).await.len(), 3);
    assert_eq!(
        test.messages_of(second).await.len(),
        2,
        "nothing was written"
    );
    test.stop().await;
}

#[actix::test]
async fn the_whole_node_has_a_quota_too() {
    let mut setup = Setup::default();
    setup.config.quotas.node = 1;
    away(&setup);
    let test = setup.start().await;
    let bo = conversation(&test, "bo").await;
    test.ada().replies(bo, "one").await.unwrap();
    let node = refusal(test.ada().replies(bo, "two").await);
    assert_eq!(node.quota, Quota::Node);
    assert!(node.quota.is_of_the_node());
    test.stop().await;
}

#[actix::test]
async fn a_delivered_callback_frees_its_quota_at_once() {
    let mut setup = Setup::default();
    setup.config.quotas.queue = 1;
    let test = setup.start().await;
    let bo = conversation(&test, "bo").await;
    for number in 1..=20 {
        test.ada().replies(bo, "again").await.unwrap();
        setup.sender.wait_for(number).await;
        // Delivered, and that is on disk: the conversation is empty again.
        all_delivered(&test, bo).await;
    }
    test.stop().await;
}

/// Waits until all that was written has arrived, and that is on disk.
async fn all_delivered(test: &TestSystem, conversation: ConversationId) {
    while !test
        .messages_of(conversation)
        .await
        .iter()
        .all(is_delivered)
    {
        tokio::task::yield_now().await;
    }
}

/// Lets time pass until there is a second attempt.
async fn second_attempt(setup: &Setup) {
    eventually(|| {
        setup.clock.advance(Duration::from_secs(1));
        setup.sender.attempts().len() == 2
    })
    .await;
}

fn is_delivered(message: &switchboard_actors::system::inbox::MessageView) -> bool {
    use switchboard_actors::system::inbox::MessageView;
    match message {
        MessageView::In { .. } => true,
        MessageView::Out { callback, .. } => callback.is_delivered(),
    }
}

#[actix::test]
async fn sixty_four_writers_at_the_limit_never_exceed_it() {
    for threads in [Threads::Here, Threads::Own(2)] {
        for edge in [Quota::Queue, Quota::Scope, Quota::Endpoint, Quota::Node] {
            let mut setup = Setup::default();
            setup.config.threads = threads;
            let quotas = &mut setup.config.quotas;
            match edge {
                Quota::Queue => quotas.queue = 10,
                Quota::Scope => quotas.scope = 10,
                Quota::Endpoint => quotas.endpoint = 10,
                Quota::Node => quotas.node = 10,
            }
            away(&setup);
            let test = setup.start().await;
            let bo = conversation(&test, "bo").await;
            let writers = (0..64).map(|_| test.ada().replies(bo, "at once"));
            let answers = join_all(writers).await;
            let successes = answers.iter().filter(|answer| answer.is_ok()).count();
            assert_eq!(successes, 10, "{edge:?} {threads:?}");
            let refusals = answers.into_iter().filter(Result::is_err).map(refusal);
            assert!(refusals.map(|it| it.quota).all(|quota| quota == edge));
            assert_eq!(test.messages_of(bo).await.len(), 11);
            test.stop().await;
        }
    }
}

#[actix::test]
async fn the_quota_counts_survive_a_restart() {
    let mut setup = Setup::default();
    setup.config.quotas.scope = 6;
    setup.config.threads = Threads::Own(2);
    away(&setup);
    let test = setup.start().await;
    let (bo, cy) = (
        conversation(&test, "bo").await,
        conversation(&test, "cy").await,
    );
    for conversation in [bo, bo, cy, cy, cy] {
        test.ada().replies(conversation, "hello").await.unwrap();
    }
    let test = test.restart().await;
    test.ada().replies(bo, "the last one").await.unwrap();
    let full = refusal(test.ada().replies(cy, "one too many").await);
    assert_eq!((full.quota, full.queued), (Quota::Scope, 6));
    test.stop().await;
}

#[actix::test]
async fn the_disk_reserve_stores_outcomes_of_accepted_messages() {
    let disk = FaultyDisk::new();
    let setup = Setup::on_disk(disk.clone());
    let test = setup.start().await;
    let bo = conversation(&test, "bo").await;
    setup
        .sender
        .answer(Outcome::Failed(AttemptFailure::Refused));
    test.ada().replies(bo, "before").await.unwrap();
    setup.sender.wait_for(1).await;
    // Less than the reserve of 32 MiB is free, and more than the low-water mark of 16.
    disk.set_quota(Some(24 << 20));
    eventually(|| test.writable().is_err()).await;
    let full = Err(CommandError::Unavailable(UnavailableError::DiskFull));
    assert_eq!(
        test.customer("bo").says("more").await,
        Err(CommandError::Unavailable(UnavailableError::DiskFull))
    );
    assert_eq!(test.ada().replies(bo, "more").await, full);
    assert_eq!(test.messages_of(bo).await.len(), 2);
    setup
        .sender
        .answer(Outcome::Answered(ReceiverAnswer::plain(200)));
    second_attempt(&setup).await;
    all_delivered(&test, bo).await;
    disk.set_quota(None);
    eventually(|| test.writable().is_ok()).await;
    test.ada().replies(bo, "after").await.unwrap();
    test.stop().await;
}

/// An outcome that cannot be stored is kept, and nothing is sent twice for it.
#[actix::test]
async fn an_outcome_that_cannot_be_stored_is_kept_and_sent_once() {
    let disk = FaultyDisk::new();
    let setup = Setup::on_disk(disk.clone());
    let test = setup.start().await;
    let bo = conversation(&test, "bo").await;
    setup
        .sender
        .answer(Outcome::Failed(AttemptFailure::Refused));
    let one = test.ada().replies(bo, "one").await.unwrap();
    test.ada().replies(bo, "two").await.unwrap();
    // The failure is on disk; nothing at all can be written any more when the message arrives.
    let first_attempt = async || {
        let delivery = test.delivery(one.id).await.unwrap().unwrap();
        delivery.callback.attempts == 1
    };
    while !first_attempt().await {
        tokio::task::yield_now().await;
    }
    disk.set_quota(Some(0));
    eventually(|| test.writable().is_err()).await;
    second_attempt(&setup).await;
    for _ in 0..50 {
        setup.clock.advance(Duration::from_secs(60));
        assert_eq!(test.messages_of(bo).await.len(), 3);
    }
    assert_eq!(
        setup.sender.attempts().len(),
        2,
        "it is neither repeated nor overtaken"
    );
    disk.set_quota(None);
    eventually(|| test.writable().is_ok()).await;
    let attempts = setup.sender.wait_for(3).await;
    let numbers: Vec<_> = attempts.iter().map(|attempt| attempt.attempt).collect();
    assert_eq!(numbers, [1, 2, 1]);
    all_delivered(&test, bo).await;
    test.stop().await;
}
