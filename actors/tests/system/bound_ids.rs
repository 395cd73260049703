//! An id that a person wrote under and that another request, at the same moment, gave to an account user.

use switchboard_actors::domain::scope::bind::Bind;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::SendRejection;
use switchboard_engine::runtime::ask::execute;
use switchboard_worlds::{IntegrationError, TestMessage, TestSystem};

/// A customer who was made an account user still writes as the customer.
#[actix::test]
async fn a_customer_who_becomes_an_account_user_stays_the_customer() {
    let test = TestSystem::start().await;
    let first = test.post(&TestMessage::new("m-1", "hello")).await.unwrap();
    let bot = test.bot_of(&TestSystem::channel_id());
    let bind = Bind {
        conversation: None,
        people: vec![("u-1".parse().unwrap(), bot)],
    };
    execute(test.kernel(), &test.scope, bind).await.unwrap();
    let test = test.restart().await;
    let second = test.post(&TestMessage::new("m-2", "again")).await.unwrap();
    assert_eq!(second.sender, first.sender);
    let third = TestMessage::new("m-3", "elsewhere").in_conversation("c-2");
    assert_eq!(test.post(&third).await.unwrap().sender, first.sender);
    test.stop().await;
}

#[actix::test]
async fn an_id_without_messages_means_its_bound_account_user() {
    let test = TestSystem::start().await;
    let bot = test.bot_of(&TestSystem::channel_id());
    let bind = Bind {
        conversation: None,
        people: vec![("u-1".parse().unwrap(), bot)],
    };
    execute(test.kernel(), &test.scope, bind).await.unwrap();
    let error = test
        .post(&TestMessage::new("m-1", "hello"))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            CommandError::Rejected(IntegrationError::Said(SendRejection::ReceiverMissing))
        ),
        "{error:?}"
    );
    test.stop().await;
}
