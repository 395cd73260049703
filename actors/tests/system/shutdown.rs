//! Stopping refuses what is new, answers what was accepted, and leaves everything ready for the next start.
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join, join_all};
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::{System, Threads};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::verify::FileState;
use switchboard_worlds::{Setup, TestMessage, TestSystem, eventually};

const PATIENCE: Duration = Duration::from_secs(120);

#[actix::test]
async fn a_stopped_system_refuses_commands_with_the_reason() {
    let test = TestSystem::start().await;
    let system = System::clone(&test);
    let report = system.shutdown(PATIENCE).await;
    assert!(report.answered && report.drained);
    assert_eq!(report.durable, test.counts().durable);
    let refusal = test.customer("bo").says("too late").await;
    assert_eq!(
        refusal,
        Err(CommandError::Unavailable(UnavailableError::Stopping))
    );
    assert_eq!(
        test.disconnect(&test.scope).await,
        Err(UnavailableError::Stopping)
    );
    assert_eq!(test.writable(), Err(UnavailableError::Stopping));
}

#[actix::test]
async fn a_stop_answers_accepted_commands_and_refuses_later_ones() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let test = setup.start().await;
        let bo = test.customer("bo");
        let test_messages: Vec<_> = (0..100).map(|_| bo.message("hello")).collect();
        let posting = join_all(
            test_messages
                .iter()
                .map(|test_message| test.post(test_message)),
        );
        // The stop begins when every letter is on its way, and none is answered.
        let stopping = async {
            let report = System::clone(&test).shutdown(PATIENCE).await;
            (report, bo.says("too late").await)
        };
        let (posted, (report, late)) = join(posting, stopping).await;
        assert!(posted.iter().all(Result::is_ok), "{posted:?}");
        assert!(report.answered);
        assert_eq!(
            late,
            Err(CommandError::Unavailable(UnavailableError::Stopping))
        );
        let conversation = posted.first().unwrap().as_ref().unwrap().conversation;

        let again = setup.start_bare().unwrap();
        assert_eq!(again.messages_of(conversation).await.len(), 100);
        again.stop().await;
    }
}

#[actix::test]
async fn a_stop_waits_for_callbacks_in_flight_and_stores_them() {
    let sender = held::HeldSender::default();
    let setup = Setup::default();
    let test = setup.start_with(Arc::new(sender.clone())).await;
    let conversation = test
        .customer("bo")
        .says("hello")
        .await
        .unwrap()
        .conversation;
    test.ada().replies(conversation, "hi").await.unwrap();
    eventually(|| sender.in_flight() == 1).await;

    let (report, ()) = join(test.stop(), async { sender.release() }).await;
    assert!(report.drained);
    let again = setup.start_bare().unwrap();
    let messages = again.messages_of(conversation).await;
    let Some(MessageView::Out { callback, .. }) = messages.last() else {
        panic!("the answer is the last message: {messages:?}");
    };
    assert!(callback.is_delivered(), "{callback:?}");
    again.stop().await;
    assert_eq!(setup.sender.attempts(), [], "it is not sent again");
}

#[actix::test]
async fn a_slow_callback_is_cut_off_and_sent_after_the_next_start() {
    let sender = held::HeldSender::default();
    let setup = Setup::default();
    let test = setup.start_with(Arc::new(sender.clone())).await;
    let conversation = test
        .customer("bo")
        .says("hello")
        .await
        .unwrap()
        .conversation;
    let replied = test.ada().replies(conversation, "hi").await.unwrap();
    eventually(|| sender.in_flight() == 1).await;

    let report = System::clone(&test).shutdown(Duration::ZERO).await;
    assert!(!report.drained);
    let again = setup.start_bare().unwrap();
    let attempts = setup.sender.wait_for(1).await;
    assert_eq!(attempts.first().unwrap().message, replied.id);
    again.stop().await;
}

fn in_directory(path: &Path, threads: Threads) -> Setup {
    let mut setup = Setup {
        disk: Arc::new(FileDisk::open(path).unwrap()),
        tables: Arc::new(SledHome::new(path.join("tables"))),
        ..Setup::default()
    };
    setup.config.threads = threads;
    setup
}

#[actix::test]
async fn a_directory_can_be_reused_once_its_system_has_stopped() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let directory = tempfile::tempdir().unwrap();
        let open = || in_directory(directory.path(), threads);
        let test = open().start().await;
        let conversation = test
            .customer("bo")
            .says("hello")
            .await
            .unwrap()
            .conversation;
        test.stop().await;
        for round in 2..=4 {
            let test = open().start_bare().unwrap();
            let test_message =
                TestMessage::new(&format!("n-{round}"), "hello").in_conversation("c-bo");
            test.post(&test_message).await.unwrap();
            assert_eq!(test.messages_of(conversation).await.len(), round);
            test.stop().await;
        }
    }
}

/// Tasks of the thread that waits for the stop have no turn before whatever that thread does next.
#[actix::test]
async fn a_directory_can_be_reused_while_a_stopped_system_is_held() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let directory = tempfile::tempdir().unwrap();
        let open = || in_directory(directory.path(), threads);
        let test = open().start().await;
        test.customer("bo").says("hello").await.unwrap();
        let other = System::clone(&test);
        test.stop().await;
        let verified = System::verify(directory.path(), &mut |_| {}).unwrap();
        assert_eq!(verified.verdict(), FileState::Sound, "{verified:#?}");
        let again = open().start_bare().unwrap();
        assert_eq!(again.leads().await.len(), 1);
        let (state, rows) = join(
            other.pipelines(TestSystem::account_id()),
            other.audit(None, None, 1),
        )
        .await;
        assert_eq!(state.err(), Some(UnavailableError::Stopping));
        assert_eq!(rows.err(), Some(UnavailableError::Stopping));
        again.stop().await;
    }
}

#[actix::test]
async fn two_systems_in_one_process_are_independent() {
    let (one, two) = (TestSystem::start().await, TestSystem::start().await);
    let there = one.customer("bo").says("hello").await.unwrap();
    assert_eq!(two.messages_of(there.conversation).await.len(), 0);
    one.stop().await;
    two.customer("bo").says("hello").await.unwrap();
    assert_eq!(two.leads().await.len(), 1);
    two.stop().await;
}

/// A sender whose attempts end when they are released.
mod held {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use switchboard_actors::domain::dispatch::outcome::{Outcome, ReceiverAnswer};
    use switchboard_actors::domain::dispatch::record::AttemptTrace;
    use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt};
    use tokio::sync::Notify;

    #[derive(Clone, Debug, Default)]
    pub(crate) struct HeldSender {
        in_flight: Arc<AtomicUsize>,
        released: Arc<Notify>,
    }

    impl HeldSender {
        pub(crate) fn in_flight(&self) -> usize {
            self.in_flight.load(Ordering::SeqCst)
        }

        pub(crate) fn release(&self) {
            self.released.notify_one();
        }
    }

    impl CallbackSender for HeldSender {
        fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
            let sender = self.clone();
            Box::pin(async move {
                sender.in_flight.fetch_add(1, Ordering::SeqCst);
                sender.released.notified().await;
                sender.in_flight.fetch_sub(1, Ordering::SeqCst);
                let trace = AttemptTrace {
                    began: attempt.at,
                    address: None,
                    answered_ms: None,
                    took_ms: 0,
                    excerpt: String::new(),
                };
                (Outcome::Answered(ReceiverAnswer::plain(200)), trace)
            })
        }

        fn send_hook(
            &self,
            _: HookAttempt,
        ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
            Box::pin(std::future::pending())
        }
    }
}
