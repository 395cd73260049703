//! `POST /admin/v1/channels/{id}/end-rotation`: the old secret is refused from now on, and the new one signs.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;

use crate::admin::channels::id_schema;
use crate::admin::channels::view::Channel;
use crate::admin::channels::{id, refused};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn end(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let result = access.system().end_rotation(By::Operator, id(&path)?).await;
    let channel = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(Channel::new(&channel, access.state.now())))
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "endRotation",
        "End a secret rotation: refuse the old secret, sign with the new one.",
    )
    .path("id", id_schema())
    .gives::<Channel<'_>>(200, "The channel as it is now.")
    .refuses(404, "There is no such channel.")
}
