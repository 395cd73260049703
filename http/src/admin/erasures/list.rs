//! `GET /admin/v1/erasures`: the erasures that are remembered, newest first.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::admin::erasures::view::Erasure;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::Operation;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn list(
    _: Operator,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&request, &[])?;
    let erasures = state.system().erasures().await?;
    let page = paging::largest_first(&query, erasures.iter(), |erasure| erasure.number)?;
    let erasures = page.entries.into_iter().map(Erasure::of);
    Ok(list::page("erasures", erasures, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listErasures", "List erasures.")
        .says("Newest first.")
        .cursor()
        .answers_next::<Erasure<'_>>("erasures", "A page.")
}
