//! `DELETE /admin/v1/channels/{id}/connections/{account}`: the operator disconnects an account from a channel.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::system::operator::connections::DisconnectRejection;

use crate::admin::channels::{id, id_schema};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn delete(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (channel, account) = path.into_inner();
    let not_there = || Problem::NotFound(DisconnectRejection.to_string());
    let account: AccountId = account.parse().map_err(|_not_an_id| not_there())?;
    let scope = ScopeId::new(id(&channel)?, account);
    let system = access.system();
    let result = system.disconnect_as_operator(By::Operator, &scope).await;
    result.map_err(|refused| refused.into_error(|DisconnectRejection| not_there()))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::operator("disconnectAsOperator",
        "Disconnect an account from a channel.",
    )
    .says("Callbacks that are still queued for it are cancelled. The integration may connect the account again.")
    .path("id", id_schema())
    .path("account", Schema::uuid())
    .answers_nothing(204, "The account is not connected.")
    .refuses(404, "There is no such channel, or the account is not connected to it.")
}
