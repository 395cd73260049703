//! `GET /admin/v1/replays`: the jobs that are remembered, newest first.

use actix_web::HttpResponse;

use crate::http::admin::replays::view::ReplayJob;
use crate::http::extract::access::Access;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::paging;
use crate::http::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let jobs = access.system().replays().await?;
    let page = paging::largest_first(&query, jobs.iter(), |job| job.number)?;
    let jobs = page.entries.into_iter().map(ReplayJob::of);
    Ok(list::page("replays", jobs, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listReplays", "List replay jobs.")
        .says("Newest first.")
        .cursor()
        .answers_next::<ReplayJob<'_>>("replays", "A page.")
}
