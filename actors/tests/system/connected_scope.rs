//! A scope is looked up once for each request, and what is written through it needs the proof.

use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::ConnectedScopeError;
use switchboard_actors::wire::chat_body::{Rules, send};
use switchboard_worlds::{TestMessage, TestSystem};

/// A message is stored when its scope was looked up before the disconnect, and not afterwards.
#[actix::test]
async fn a_lookup_before_a_disconnect_still_stores_its_message() {
    let test = TestSystem::start().await;
    let looked_up = test.connection_now().await;
    test.disconnect(&test.scope).await.unwrap();

    let body = TestMessage::new("m-1", "on its way").body();
    let message = send::parse(&body, Rules::V2019, test.now()).unwrap();
    let acceptance = test.send_message(looked_up, message, body).await.unwrap();
    assert_eq!(test.messages_of(acceptance.conversation).await.len(), 1);

    let later = test.connected(test.scope.clone()).await.unwrap_err();
    assert_eq!(later, CommandError::Rejected(ConnectedScopeError));
    test.stop().await;
}

/// A scope that was never connected gives no proof of connection, and nothing of it is stored.
#[actix::test]
async fn a_scope_that_was_never_connected_is_refused_and_not_kept() {
    let test = TestSystem::start().await;
    let stranger = "elsewhere_af9945ff-1490-4cad-807d-945c15d88bec";
    let before = test.counts().durable;
    let refusal = test.connected(stranger.parse().unwrap()).await;
    assert_eq!(
        refusal.unwrap_err(),
        CommandError::Rejected(ConnectedScopeError)
    );
    assert_eq!(test.counts().durable, before);
    test.stop().await;
}
