//! `conversation_ref_id` and `sender.ref_id` bind ids of the integration to what the service knows.
use futures_util::future::join_all;
use switchboard_actors::domain::id::{ContactId, ConversationId, PersonId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::SendRejection;
use switchboard_worlds::integration::{Answered, IntegrationError};
use switchboard_worlds::{TestMessage, TestSystem};

fn rejected<T: std::fmt::Debug>(answer: Answered<T, SendRejection>) -> SendRejection {
    match answer {
        Err(CommandError::Rejected(IntegrationError::Said(rejection))) => rejection,
        other => panic!("a rejection was expected: {other:?}"),
    }
}

#[actix::test]
async fn a_bound_id_always_means_the_same_conversation() {
    let test = TestSystem::start().await;
    let first = test
        .post(&TestMessage::new("m-a", "hello").in_conversation("old"))
        .await
        .unwrap();
    let binding = TestMessage::new("m-b", "it is me")
        .in_conversation("new")
        .bound_to(first.conversation);
    assert_eq!(
        test.post(&binding).await.unwrap().conversation,
        first.conversation
    );

    let plain = TestMessage::new("m-c", "and again").in_conversation("new");
    assert_eq!(
        test.post(&plain).await.unwrap().conversation,
        first.conversation
    );
    let test = test.restart().await;
    let later = TestMessage::new("m-d", "and later").in_conversation("new");
    assert_eq!(
        test.post(&later).await.unwrap().conversation,
        first.conversation
    );
    assert_eq!(test.messages_of(first.conversation).await.len(), 4);
    assert_eq!(test.leads().await.len(), 1);
    test.stop().await;
}

#[actix::test]
async fn a_bound_person_is_the_same_contact() {
    let test = TestSystem::start().await;
    let first = test
        .post(&TestMessage::new("m-a", "hello").by("old"))
        .await
        .unwrap();
    let test_message = TestMessage::new("m-b", "it is me")
        .in_conversation("c-2")
        .by("new");
    let bound = test
        .post(&test_message.by_person(first.sender))
        .await
        .unwrap();
    assert_eq!(bound.sender, first.sender);
    let plain = TestMessage::new("m-c", "again")
        .in_conversation("c-3")
        .by("new");
    assert_eq!(test.post(&plain).await.unwrap().sender, first.sender);
    let leads = test.leads().await;
    assert_eq!(leads.len(), 3);
    assert!(
        leads.iter().all(|lead| lead.contact == Some(ContactId(1))),
        "{leads:?}"
    );
    test.stop().await;
}

#[actix::test]
async fn an_unknown_reference_is_refused_and_leaves_nothing() {
    let test = TestSystem::start().await;
    let durable = test.counts().durable;
    let nowhere = ConversationId::from_random([1; 16]);
    let test_message = TestMessage::new("m-a", "hello").bound_to(nowhere);
    assert_eq!(
        rejected(test.post(&test_message).await),
        SendRejection::UnknownConversation
    );
    let test_message = TestMessage::new("m-b", "hello").by_person(PersonId::from_random([1; 16]));
    assert_eq!(
        rejected(test.post(&test_message).await),
        SendRejection::UnknownSender
    );
    assert_eq!(test.counts().durable, durable);
    assert_eq!(test.leads().await, []);
    test.stop().await;
}

#[actix::test]
async fn concurrent_bindings_of_one_id_bind_it_once() {
    let test = TestSystem::start().await;
    let first = test
        .post(&TestMessage::new("m-a", "hello").in_conversation("old"))
        .await
        .unwrap();
    let durable = test.counts().durable;
    let test_messages: Vec<_> = (0..10)
        .map(|n| {
            TestMessage::new(&format!("n-{n}"), "me")
                .in_conversation("new")
                .bound_to(first.conversation)
        })
        .collect();
    let answers = join_all(
        test_messages
            .iter()
            .map(|test_message| test.post(test_message)),
    )
    .await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.as_ref().unwrap().conversation == first.conversation)
    );
    // Ten messages and one binding.
    assert_eq!(test.counts().durable, durable + 11);
    test.stop().await;
}

#[actix::test]
async fn a_late_repeat_does_not_bind_again() {
    let test = TestSystem::start().await;
    let one = test
        .post(&TestMessage::new("m-a", "one").in_conversation("one"))
        .await
        .unwrap();
    let two = test
        .post(&TestMessage::new("m-b", "two").in_conversation("two"))
        .await
        .unwrap();
    let to_one = TestMessage::new("m-c", "me")
        .in_conversation("new")
        .bound_to(one.conversation);
    let to_two = TestMessage::new("m-d", "me")
        .in_conversation("new")
        .bound_to(two.conversation);
    let first = test.post(&to_one).await.unwrap();
    test.post(&to_two).await.unwrap();
    let durable = test.counts().durable;

    let repeat = test.post(&to_one).await.unwrap();
    assert_eq!(repeat.message, first.message);
    assert_eq!(test.counts().durable, durable, "a repeat writes nothing");
    let plain = TestMessage::new("m-e", "where?").in_conversation("new");
    assert_eq!(
        test.post(&plain).await.unwrap().conversation,
        two.conversation
    );
    test.stop().await;
}
