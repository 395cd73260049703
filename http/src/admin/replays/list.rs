//! `GET /admin/v1/replays`: the jobs that are remembered, newest first.

use actix_web::HttpResponse;

use crate::admin::replays::view::ReplayJob;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::Operation;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let jobs = access.system().replays().await?;
    let page = paging::largest_first(&query, jobs.iter(), |job| job.number)?;
    let jobs = page.entries.into_iter().map(ReplayJob::new);
    Ok(list::page("replays", jobs, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listReplays", "List replay jobs.")
        .says("Newest first.")
        .cursor()
        .answers_next::<ReplayJob<'_>>("replays", "A page.")
}
