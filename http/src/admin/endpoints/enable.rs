//! `POST /admin/v1/endpoints/{channel}/{version}/enable`: one that was disabled is used again.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::dispatch::endpoint::EndpointId;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::system::endpoints::EnableRejection;

use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn enable(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound(EnableRejection::Unknown.to_string());
    let (channel, version) = path.into_inner();
    let entry = HookVersion::NAMES.iter().find(|(name, _)| *name == version);
    let (_, version) = *entry.ok_or_else(unknown)?;
    let channel = channel.parse().map_err(|_not_an_id| unknown())?;
    let id = EndpointId { channel, version };
    let result = access.system().enable_endpoint(By::Operator, id).await;
    result.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            EnableRejection::Unknown => unknown(),
            EnableRejection::NotDisabled => Problem::Conflict(rejection.to_string()),
        })
    })?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::operator("enableEndpoint", "Enable a disabled endpoint.")
        .path("channel", Schema::text())
        .path("version", Schema::choice(&HookVersion::NAMES))
        .answers_nothing(204, "On disk.")
        .refuses(404, "There is no such address.")
        .refuses(409, "The endpoint is not disabled.")
}
