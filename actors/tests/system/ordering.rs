//! One handler at a time, first in first out, and every query sees what was answered before it.

use futures_util::future::{join, join_all};
use switchboard_actors::Threads;
use switchboard_actors::system::inbox::MessageView;
use switchboard_worlds::{Setup, TestSystem};

async fn on_two_threads() -> TestSystem {
    let mut setup = Setup::default();
    setup.config.threads = Threads::Own(2);
    setup.start().await
}

/// The integration's ids of a conversation's messages, and their numbers.
fn ids_and_numbers(messages: &[MessageView]) -> (Vec<String>, Vec<u64>) {
    let each = messages.iter().map(|message| match message {
        MessageView::In { received, .. } => (received.msgid.to_string(), received.number),
        MessageView::Out { replied, .. } => (format!("out-{}", replied.out), replied.number),
    });
    each.unzip()
}

#[actix::test]
async fn messages_of_one_sender_keep_their_order() {
    for test in [TestSystem::start().await, on_two_threads().await] {
        let bo = test.customer("bo");
        // Never awaited one by one: all are on their way before the first is answered.
        let test_messages: Vec<_> = (0..100).map(|n| bo.message(&format!("{n}"))).collect();
        let answers = join_all(
            test_messages
                .iter()
                .map(|test_message| test.post(test_message)),
        )
        .await;
        let conversation = answers.first().unwrap().as_ref().unwrap().conversation;
        assert!(answers.iter().all(Result::is_ok));
        let (ids, numbers) = ids_and_numbers(&test.messages_of(conversation).await);
        assert_eq!(numbers, (1..=100).collect::<Vec<_>>());
        assert_eq!(ids, (0..100).map(|n| format!("m-{n}")).collect::<Vec<_>>());
        test.stop().await;
    }
}

#[actix::test]
async fn concurrent_senders_of_a_conversation_are_serialised() {
    let test = on_two_threads().await;
    let first = test.customer("bo").says("hello").await.unwrap();
    let customers = join_all((0..60).map(|_| test.customer("bo").says("again")));
    let users = join_all((0..60).map(|_| test.ada().replies(first.conversation, "yes")));
    let (received, replied) = join(customers, users).await;
    assert!(received.iter().all(Result::is_ok) && replied.iter().all(Result::is_ok));
    let (_, numbers) = ids_and_numbers(&test.messages_of(first.conversation).await);
    assert_eq!(numbers, (1..=121).collect::<Vec<_>>());
    let mut outs: Vec<_> = replied
        .into_iter()
        .map(|reply| reply.unwrap().out)
        .collect();
    outs.sort_unstable();
    assert_eq!(outs, (1..=60).collect::<Vec<_>>());
    test.stop().await;
}

#[actix::test]
async fn a_query_sees_every_command_answered_before_it() {
    for test in [TestSystem::start().await, on_two_threads().await] {
        for count in 1..=50_u64 {
            let conversation = test
                .customer("bo")
                .says("hello")
                .await
                .unwrap()
                .conversation;
            let view = test
                .whole()
                .conversation(conversation)
                .await
                .unwrap()
                .unwrap();
            assert_eq!(view.state.messages, 2 * count - 1);
            assert_eq!(view.lead.map(|lead| lead.id.0), Some(1));
            let replied = test.ada().replies(conversation, "yes").await.unwrap();
            let messages = test.messages_of(conversation).await;
            assert_eq!(messages.last().map(MessageView::id), Some(replied.id));
        }
        test.stop().await;
    }
}
