//! `DELETE /inbox/v1/oauth-clients/{id}/grant`: the account uninstalls a client.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::grants::revoke::RevokeGrantRejection;
use switchboard_actors::error::CommandError;

use crate::extract::caller::GrantEnder;
use crate::oauth::admitted::AdmittedPage;
use crate::oauth::id;
use crate::oauth::view::AdmittedUserView;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn revoke(
    ender: GrantEnder,
    path: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = id(&path)?;
    let caller = ender.for_client(client)?;
    let by = By::from(&caller);
    let result = state
        .system()
        .revoke_grant(by, caller.account, client)
        .await;
    result.map_err(not_installed)?;
    let page = AdmittedPage::first(caller.account, client);
    page.answer(&state).await
}

/// The client is not installed.
pub(crate) fn not_installed(refused: CommandError<RevokeGrantRejection>) -> Problem {
    refused.into_error(|rejection| Problem::NotFound(rejection.to_string()))
}

pub(crate) fn describe() -> Operation {
    Operation::ends_grants("revokeGrant", "Revoke the grant to an OAuth client (uninstall it).")
        .says("The service refuses its codes and tokens from now on, disconnects the account from the client's channel, deletes the webhooks that the client created, and reports it to the client's uninstall hook.")
        .path("id", Schema::uuid())
        .answers_next::<AdmittedUserView<'_>>("users", "On disk. The active users whom the client created or was the last to activate, the first 50.")
        .refuses(404, "The account has not installed the client.")
}
