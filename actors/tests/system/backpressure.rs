//! Every queue is bounded, and a caller that finds it full gets an error: nothing is lost silently.
use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::{System, Threads};
use switchboard_worlds::{Setup, TestSystem, eventually};
use tokio::sync::watch;

#[actix::test]
async fn senders_wait_in_order_at_a_full_mailbox() {
    let mut setup = Setup::default();
    setup.config.mailbox = 1;
    let test = setup.start().await;
    let bo = test.customer("bo");
    let test_messages: Vec<_> = (0..200).map(|_| bo.message("hello")).collect();
    let answers = join_all(
        test_messages
            .iter()
            .map(|test_message| test.post(test_message)),
    )
    .await;
    let conversation = answers.first().unwrap().as_ref().unwrap().conversation;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(test.messages_of(conversation).await.len(), 200);
    test.stop().await;
}

/// A command that waits too long gets «busy», and nothing of it is written.
#[actix::test]
async fn a_command_that_waits_too_long_is_busy_and_writes_nothing() {
    let mut setup = Setup::default();
    setup.config.threads = Threads::Own(1);
    setup.config.mailbox = 2;
    let stuck = stuck::Stuck::default();
    setup.entropy = stuck.entropy();
    let test = setup.start().await;
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;

    // The actors' thread stands still inside a decision: new callers wait, some in the mailbox, some before it.
    stuck.hold();
    let test_message = bo.message("held");
    // From then on no time passes but that which is waited for when nothing else can happen, and that at once.
    let decision = async {
        eventually(|| !stuck.is_through()).await;
        tokio::time::pause();
    };
    let (held, ()) = join(test.post(&test_message), decision).await;
    // The decision still runs: its outcome is unknown.
    assert_eq!(
        held,
        Err(CommandError::Unavailable(UnavailableError::Interrupted))
    );
    let test_messages: Vec<_> = (0..20).map(|n| bo.message(&format!("{n}"))).collect();
    let answers = join_all(
        test_messages
            .iter()
            .map(|test_message| test.post(test_message)),
    )
    .await;
    let busy = Err(CommandError::Unavailable(UnavailableError::Busy));
    assert!(answers.iter().all(|answer| *answer == busy), "{answers:?}");
    stuck.release();
    tokio::time::resume();

    // The one that was being decided may have happened; those who waited did not, and repeating them is safe.
    eventually(|| stuck.is_through()).await;
    let there = test.messages_of(conversation).await.len();
    assert!(there <= 2, "{there} messages");
    let mut messages = Vec::new();
    for test_message in &test_messages {
        messages.push(test.post(test_message).await.unwrap().message);
    }
    messages.dedup();
    assert_eq!(messages.len(), 20);
    assert!(test.messages_of(conversation).await.len() >= 21);
    test.stop().await;
}

/// A decision that waits for a slow disk is not reported as refused.
#[actix::test]
async fn a_decision_that_waits_for_a_slow_disk_is_not_refused() {
    let mut setup = Setup::default();
    setup.config.threads = Threads::Stepped;
    let test = setup.start_bare().unwrap();
    let (stalls, mut stalled) = watch::channel(false);
    let system = System::clone(&test);
    let writing = actix::spawn(async move {
        while stalled.wait_for(|stalled| !stalled).await.is_ok() {
            system.write_waiting();
            tokio::task::yield_now().await;
        }
    });
    let account = DeclareAccount {
        id: TestSystem::account_id(),
        settings: AccountSettings::new("Account".parse().unwrap()),
    };
    test.declare_account(account).await.unwrap();
    test.declare_channel(TestSystem::channel()).await.unwrap();
    let request = TestSystem::connect_request();
    let connected = test.connect(&TestSystem::channel_id(), request).await;
    connected.unwrap();
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;

    stalls.send_replace(true);
    let test_message = bo.message("slow").silent();
    let interrupted = Err(CommandError::Unavailable(UnavailableError::Interrupted));
    // Time passes only when nothing else can happen: when it was decided, and waits for the disk.
    tokio::time::pause();
    assert_eq!(test.post(&test_message).await, interrupted);
    tokio::time::resume();
    stalls.send_replace(false);
    let acceptance = test.post(&test_message).await.unwrap();
    let there = test.messages_of(conversation).await;
    assert_eq!(there.len(), 2);
    assert_eq!(there.last().unwrap().id(), acceptance.message);
    writing.abort();
    test.stop().await;
}

#[actix::test]
async fn an_abandoned_answer_does_no_harm() {
    let test = TestSystem::start().await;
    let bo = test.customer("bo");
    for _ in 0..50 {
        let test_message = bo.message("hello");
        // Given up before it is answered, as when a client goes away.
        drop(Box::pin(test.post(&test_message)).now_or_never());
        let acceptance = test.post(&test_message).await.unwrap();
        assert_eq!(
            test.post(&test_message).await.unwrap().message,
            acceptance.message
        );
    }
    let conversation = bo.says("last").await.unwrap().conversation;
    assert_eq!(test.messages_of(conversation).await.len(), 51);
    assert_eq!(test.leads().await.len(), 1);
    test.stop().await;
}

/// A source of randomness that stands still on order, and with it the actor that asks.
mod stuck {
    use std::sync::{Arc, Condvar, Mutex};

    use switchboard_engine::runtime::entropy::{Entropy, Generator};

    #[derive(Clone, Debug, Default)]
    pub(crate) struct Stuck {
        state: Arc<(Mutex<State>, Condvar)>,
    }

    #[derive(Debug, Default)]
    struct State {
        held: bool,
        inside: usize,
    }

    impl Stuck {
        pub(crate) fn entropy(&self) -> Arc<dyn Entropy> {
            Arc::new(StuckEntropy {
                stuck: self.clone(),
                generator: Generator::from_seed(7),
            })
        }

        pub(crate) fn hold(&self) {
            self.state.0.lock().unwrap().held = true;
        }

        pub(crate) fn release(&self) {
            self.state.0.lock().unwrap().held = false;
            self.state.1.notify_all();
        }

        pub(crate) fn is_through(&self) -> bool {
            self.state.0.lock().unwrap().inside == 0
        }
    }

    #[derive(Debug)]
    struct StuckEntropy {
        stuck: Stuck,
        generator: Generator,
    }

    impl Entropy for StuckEntropy {
        fn bytes(&self) -> [u8; 16] {
            let (state, released) = &*self.stuck.state;
            let mut state = state.lock().unwrap();
            state.inside += 1;
            let mut state = released.wait_while(state, |state| state.held).unwrap();
            state.inside -= 1;
            drop(state);
            self.generator.bytes()
        }
    }
}
