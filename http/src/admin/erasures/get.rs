//! `GET /admin/v1/erasures/{id}`: what became of an erasure, with its certificate.

use actix_web::{HttpResponse, web};

use crate::admin::erasures::view::Erasure;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such erasure".to_owned());
    // Text that cannot be a number is answered like a number without an erasure.
    let number: u64 = path.parse().map_err(|_not_a_number| unknown())?;
    let erasures = access.system().erasures().await?;
    let erasure = erasures.iter().find(|erasure| erasure.number == number);
    Ok(HttpResponse::Ok().json(Erasure::new(erasure.ok_or_else(unknown)?)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("getErasure", "Get an erasure with its certificate.")
        .path("id", Schema::number())
        .gives::<Erasure<'_>>(200, "The erasure.")
        .refuses(404, "There is no such erasure.")
}
