//! A disconnection cancels the queued callbacks of its scope, also after the next start.
use std::time::Duration;

use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::inbox::MessageView;
use switchboard_worlds::{ManualClock, Setup, TestSystem};
use tokio::time::{sleep, timeout};

/// The states of the callbacks of a conversation.
async fn states(test: &TestSystem, conversation: ConversationId) -> Vec<&'static str> {
    let messages = test.messages_of(conversation).await;
    let states = messages.iter().filter_map(|message| match message {
        MessageView::Out { callback, .. } => Some(callback.state),
        MessageView::In { .. } => None,
    });
    states.collect()
}

/// Callbacks that were left at the stop are cancelled, though the clock was set back since.
#[actix::test]
async fn a_clock_set_back_does_not_keep_disconnected_callbacks() {
    let mut setup = Setup::default();
    setup.config.hold_callbacks = true;
    let test = setup.start().await;
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;
    test.ada()
        .replies(conversation, "hello back")
        .await
        .unwrap();
    test.disconnect(&test.scope).await.unwrap();
    assert_eq!(states(&test, conversation).await, ["queued"]);
    test.stop().await;

    setup.config.hold_callbacks = false;
    setup.clock = ManualClock::at(UnixMillis::from_secs(1_600_000_000));
    let test = setup.start_bare().unwrap();
    let cancelled = async {
        while states(&test, conversation).await != ["cancelled"] {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(120), cancelled).await.unwrap();
    assert!(setup.sender.attempts().is_empty());
    test.stop().await;
}
