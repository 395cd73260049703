//! A panic ends one actor alone; the next message finds it rebuilt from the store.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use switchboard_actors::Threads;
use switchboard_actors::domain::conversation::send_message::Accepted;
use switchboard_actors::domain::dispatch::outcome::Outcome;
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt};
use switchboard_actors::system::chat::SendRejection;
use switchboard_engine::runtime::entropy::{Entropy, Generator};
use switchboard_worlds::integration::Answered;
use switchboard_worlds::{Receiver, Setup, TestSystem, eventually};

/// A source of randomness that panics on order, in the middle of a decision: every message needs an id.
#[derive(Debug)]
struct Mine {
    armed: AtomicUsize,
    generator: Generator,
}

impl Mine {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            armed: AtomicUsize::new(0),
            generator: Generator::from_seed(3),
        })
    }

    fn arm(&self) {
        self.armed.store(1, Ordering::SeqCst);
    }
}

impl Entropy for Mine {
    fn bytes(&self) -> [u8; 16] {
        assert_eq!(self.armed.swap(0, Ordering::SeqCst), 0, "a panic on order");
        self.generator.bytes()
    }
}

async fn mined(mine: &Arc<Mine>, threads: Threads) -> TestSystem {
    let entropy: Arc<Mine> = Arc::clone(mine);
    let mut setup = Setup {
        entropy,
        ..Setup::default()
    };
    setup.config.threads = threads;
    setup.start().await
}

fn refused(with: UnavailableError) -> Answered<Accepted, SendRejection> {
    Err(CommandError::Unavailable(with))
}

#[actix::test]
async fn a_panic_ends_one_actor_and_the_next_message_restarts_it() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let mine = Mine::new();
        let test = mined(&mine, threads).await;
        let (bo, cy) = (test.customer("bo"), test.customer("cy"));
        let of_bo = bo.says("hello").await.unwrap().conversation;
        let of_cy = cy.says("hello").await.unwrap().conversation;

        let test_message = bo.message("boom");
        mine.arm();
        assert_eq!(
            test.post(&test_message).await,
            refused(UnavailableError::Interrupted)
        );
        cy.says("I am well").await.unwrap();
        // What was stored before is there, what was interrupted is not, and the repeat is taken.
        assert_eq!(test.messages_of(of_bo).await.len(), 1);
        test.post(&test_message).await.unwrap();
        assert_eq!(test.messages_of(of_bo).await.len(), 2);
        assert_eq!(test.messages_of(of_cy).await.len(), 2);
        assert_eq!(test.leads().await.len(), 2);
        assert_eq!(test.counts().deaths, 1);
        test.stop().await;
    }
}

#[actix::test]
async fn waiters_of_a_panicking_actor_get_an_error_and_may_repeat() {
    let mine = Mine::new();
    let test = mined(&mine, Threads::Here).await;
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;
    let test_messages: Vec<_> = (0..10).map(|_| bo.message("me too")).collect();
    mine.arm();
    let answers = join_all(
        test_messages
            .iter()
            .map(|test_message| test.post(test_message)),
    )
    .await;
    assert!(answers.contains(&refused(UnavailableError::Interrupted)));
    let count = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(test.messages_of(conversation).await.len(), 1 + count);
    for test_message in &test_messages {
        test.post(test_message).await.unwrap();
    }
    assert_eq!(test.messages_of(conversation).await.len(), 11);
    test.stop().await;
}

#[actix::test]
async fn three_panics_in_a_minute_refuse_the_actor_for_ten_seconds() {
    let mine = Mine::new();
    let test = mined(&mine, Threads::Here).await;
    let bo = test.customer("bo");
    for _ in 0..3 {
        mine.arm();
        assert_eq!(
            bo.says("boom").await,
            refused(UnavailableError::Interrupted)
        );
        test.setup.clock.advance(Duration::from_secs(5));
    }
    assert_eq!(bo.says("hello").await, refused(UnavailableError::Busy));
    assert_eq!(test.counts().deaths, 3);
    test.customer("cy").says("I am well").await.unwrap();
    test.setup.clock.advance(Duration::from_millis(9_999));
    assert_eq!(bo.says("hello").await, refused(UnavailableError::Busy));
    assert_eq!(test.counts().deaths, 3, "a refusal is no death");

    test.setup.clock.advance(Duration::from_millis(1));
    let hello = bo.says("hello").await.unwrap();
    assert_eq!(test.messages_of(hello.conversation).await.len(), 1);
    test.stop().await;
}

#[actix::test]
async fn panics_that_are_far_apart_refuse_nothing() {
    let mine = Mine::new();
    let test = mined(&mine, Threads::Here).await;
    let bo = test.customer("bo");
    for death in 1..=6 {
        mine.arm();
        assert_eq!(
            bo.says("boom").await,
            refused(UnavailableError::Interrupted)
        );
        bo.says("hello").await.unwrap();
        assert_eq!(test.counts().deaths, death);
        test.setup.clock.advance(Duration::from_secs(40));
    }
    test.stop().await;
}

/// Panics during the first attempt, and makes all others.
#[derive(Clone, Debug, Default)]
struct Clumsy {
    receiver: Receiver,
    has_begun: Arc<AtomicBool>,
}

impl CallbackSender for Clumsy {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        // Before it is recorded: the next attempt, of another thread, comes when the test sees this one.
        let is_first = !self.has_begun.swap(true, Ordering::SeqCst);
        let call = self.receiver.send(attempt);
        Box::pin(async move {
            assert!(!is_first, "a panic on order");
            call.await
        })
    }

    fn send_hook(
        &self,
        attempt: HookAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        self.receiver.send_hook(attempt)
    }
}

#[actix::test]
async fn an_attempt_that_panics_is_retried_and_disturbs_no_other() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let sender = Clumsy::default();
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let test = setup.start_with(Arc::new(sender.clone())).await;
        let of_bo = test.customer("bo").says("hello").await.unwrap();
        let of_cy = test.customer("cy").says("hello").await.unwrap();
        test.ada().replies(of_bo.conversation, "hi").await.unwrap();
        sender.receiver.wait_for(1).await;
        test.ada().replies(of_cy.conversation, "hi").await.unwrap();
        sender.receiver.wait_for(2).await;
        eventually(|| {
            test.setup.clock.advance(Duration::from_secs(1));
            sender.receiver.attempts().len() == 3
        })
        .await;
        let attempts = sender.receiver.attempts();
        let numbers: Vec<_> = attempts.iter().map(|attempt| attempt.attempt).collect();
        assert_eq!(numbers, [1, 1, 2]);
        assert_eq!(attempts[0].message, attempts[2].message);
        assert!(test.stop().await.drained);
    }
}
