//! `GET /admin/v1/erasures`: the erasures that are remembered, newest first.

use actix_web::HttpResponse;

use crate::admin::erasures::view::Erasure;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::Operation;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let erasures = access.system().erasures().await?;
    let page = paging::largest_first(&query, erasures.iter(), |erasure| erasure.number)?;
    let erasures = page.entries.into_iter().map(Erasure::new);
    Ok(list::page("erasures", erasures, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listErasures", "List erasures.")
        .says("Newest first.")
        .cursor()
        .answers_next::<Erasure<'_>>("erasures", "A page.")
}
