//! `GET /admin/v1/erasures`: the erasures that are remembered, newest first.

use actix_web::{HttpResponse, web};

use crate::http::admin::erasures::view::Erasure;
use crate::http::extract::operator::Operator;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let erasures = state.system().erasures().await?;
    Ok(list::all("erasures", erasures.iter().map(Erasure::of)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listErasures", "List erasures.")
        .says("Newest first.")
        .answers_list::<Erasure<'_>>("erasures", "The erasures.")
}
