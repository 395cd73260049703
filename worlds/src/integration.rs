//! Requests of an integration: each looks up its scope and takes its content.

use std::error::Error;

use switchboard_actors::System;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::conversation::report_delivery::{ReportEffect, ReportRejection};
use switchboard_actors::domain::conversation::send_message::Accepted;
use switchboard_actors::domain::id::{MessageId, ScopeId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::{ConnectedScopeError, SendRejection};
use switchboard_actors::wire::chat_body::{Rules, send};

use crate::test_message::TestMessage;

/// The reason why a request of an integration is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IntegrationError<R: Error> {
    /// Its scope is not connected.
    #[error(transparent)]
    NotConnected(ConnectedScopeError),
    /// The content of the request is refused.
    #[error("{0}")]
    Said(R),
}

/// The result of a request of an integration.
pub type Answered<T, R> = Result<T, CommandError<IntegrationError<R>>>;

/// Posts a message through a scope.
///
/// # Errors
/// As [`System::connected`] and the acceptance of a message.
///
/// # Panics
/// When the message is no valid body.
#[expect(
    clippy::expect_used,
    reason = "a wrong test is to fail, and to say where"
)]
pub async fn post(
    system: &System,
    scope: &ScopeId,
    message: &TestMessage,
) -> Answered<Accepted, SendRejection> {
    let body = message.body();
    let message = send::parse(&body, Rules::V2019, system.now()).expect("a valid body");
    let connected = system.connected(scope.clone()).await.map_err(unconnected)?;
    let result = system.send_message(connected, message, body).await;
    result.map_err(|refused| refused.map(IntegrationError::Said))
}

/// Reports through a scope on a message of an account user.
///
/// # Errors
/// As [`System::connected`] and the acceptance of a report.
pub async fn report(
    system: &System,
    scope: &ScopeId,
    message: MessageId,
    status: DeliveryStatus,
) -> Answered<ReportEffect, ReportRejection> {
    let connected = system.connected(scope.clone()).await.map_err(unconnected)?;
    let reported = system.report_delivery(connected, message, status).await;
    reported.map_err(|refused| refused.map(IntegrationError::Said))
}

fn unconnected<R: Error>(
    refused: CommandError<ConnectedScopeError>,
) -> CommandError<IntegrationError<R>> {
    refused.map(IntegrationError::NotConnected)
}
