//! A stored event is applied exactly once, in order, also after a restart; what is derived from it is derived again.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use switchboard_actors::Threads;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::dispatch::outcome::{Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt};
use switchboard_actors::system::inbox::MessageView;
use switchboard_worlds::{FaultyDisk, ManualClock, Setup, TestMessage, TestSystem, eventually};

#[actix::test]
async fn a_restart_brings_everything_back_exactly_once() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let test = setup.start().await;
        let bo = test.customer("bo").says("hello").await.unwrap();
        let replied = test.ada().replies(bo.conversation, "hi").await.unwrap();
        let read = DeliveryStatus::Read;
        test.reports(replied.id, read.clone()).await.unwrap();
        setup.sender.wait_for(1).await;
        let before = test
            .whole()
            .conversation(bo.conversation)
            .await
            .unwrap()
            .unwrap();
        let crm = test.whole().crm().await.unwrap();

        let test = test.restart().await;
        let after = test
            .whole()
            .conversation(bo.conversation)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(after.state, before.state);
        assert_eq!(test.whole().crm().await.unwrap(), crm);
        assert!(test.connection(&test.scope).await.unwrap().is_some());
        let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
        assert_eq!(ada.name.as_str(), "Ada");
        let messages = test.messages_of(bo.conversation).await;
        assert_eq!(messages.len(), 2);
        let MessageView::Out {
            afterwards,
            callback,
            ..
        } = messages.last().unwrap()
        else {
            panic!("the answer is the last message: {messages:?}");
        };
        assert_eq!(afterwards.status, Some(read));
        assert!(callback.is_delivered(), "{callback:?}");

        // The numbers go on where they were.
        let more = test
            .ada()
            .replies(bo.conversation, "still there?")
            .await
            .unwrap();
        assert_eq!((more.number, more.out), (3, 2));
        test.stop().await;
    }
}

/// A repeated message is the same message, also after a restart and after passivation.
#[actix::test]
async fn idempotency_survives_a_restart_and_passivation() {
    let test = TestSystem::start().await;
    let test_message = TestMessage::new("m", "hello");
    let first = test.post(&test_message).await.unwrap();
    let test = test.restart().await;
    let again = test.post(&test_message).await.unwrap();
    assert_eq!(
        (again.message, again.conversation),
        (first.message, first.conversation)
    );
    assert_eq!(test.messages_of(first.conversation).await.len(), 1);
    test.post(&TestMessage::new("m", "something else"))
        .await
        .unwrap_err();
    assert_eq!(test.messages_of(first.conversation).await.len(), 1);
    test.stop().await;
}

#[actix::test]
async fn a_callback_that_failed_is_sent_after_a_restart() {
    let test = TestSystem::start().await;
    let bo = test.customer("bo").says("hello").await.unwrap();
    test.setup
        .sender
        .answer(Outcome::Answered(ReceiverAnswer::plain(503)));
    let replied = test.ada().replies(bo.conversation, "hi").await.unwrap();
    test.setup.sender.wait_for(1).await;
    let test = test.restart().await;
    test.setup.clock.advance(Duration::from_secs(3_600));
    let attempts = test.setup.sender.wait_for(2).await;
    assert!(attempts.iter().all(|attempt| attempt.message == replied.id));
    test.stop().await;
}

#[actix::test]
async fn a_callback_whose_outcome_was_not_stored_is_sent_again() {
    let disk = FaultyDisk::new();
    let mut setup = Setup::on_disk(disk.clone());
    setup.config.low_water_bytes = 0;
    setup.config.disk_reserve_bytes = 0;
    let test = setup.start().await;
    let bo = test.customer("bo").says("hello").await.unwrap();
    // The answer is written; what becomes of its callback is not.
    disk.fail_write(2);
    let replied = test.ada().replies(bo.conversation, "hi").await.unwrap();
    let attempts = test.setup.sender.wait_for(2).await;
    let numbered = attempts.iter().map(|it| (it.message, it.attempt));
    let both_attempts = [(replied.id, 1), (replied.id, 2)];
    assert_eq!(numbered.collect::<Vec<_>>(), both_attempts);
    // The disk is asked for space again a moment after it refused.
    loop {
        let delivery = test.delivery(replied.id).await.unwrap().unwrap();
        if delivery.callback.is_delivered() {
            break;
        }
        tokio::task::yield_now().await;
    }
    test.stop().await;
}

/// A sender that never comes back.
#[derive(Debug, Default)]
struct Silent(AtomicBool);

impl CallbackSender for Silent {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        assert_eq!(attempt.attempt, 1);
        self.0.store(true, Ordering::Relaxed);
        Box::pin(std::future::pending())
    }

    fn send_hook(&self, _: HookAttempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(std::future::pending())
    }
}

#[actix::test]
async fn an_attempt_before_a_crash_counts_despite_a_clock_set_back() {
    let disk = FaultyDisk::new();
    let setup = Setup::on_disk(disk.clone());
    let silent = Arc::new(Silent::default());
    let test = setup.start_with(Arc::<Silent>::clone(&silent)).await;
    let bo = test.customer("bo").says("hello").await.unwrap();
    let replied = test.ada().replies(bo.conversation, "hi").await.unwrap();
    eventually(|| silent.0.load(Ordering::Relaxed)).await;

    let mut setup = Setup::on_disk(disk.crash(1));
    setup.clock = ManualClock::at(UnixMillis::from_secs(1_600_000_000));
    let after = setup.start_bare().unwrap();
    let attempts = after.setup.sender.wait_for(1).await;
    let numbered = attempts.iter().map(|it| (it.message, it.attempt));
    assert_eq!(numbered.collect::<Vec<_>>(), [(replied.id, 2)]);
    after.stop().await;
    drop(test);
}
