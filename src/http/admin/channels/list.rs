//! `GET /admin/v1/channels`: the channels, by id.

use actix_web::HttpResponse;

use crate::http::admin::channels::view::Channel;
use crate::http::extract::access::Access;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::paging;
use crate::http::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let now = access.state.now();
    let channels = access.system().stored_channels().await?;
    let page = paging::smallest_first(&query, channels.iter(), |channel| channel.id.clone())?;
    let channels = page.entries.into_iter();
    let channels = channels.map(|channel| Channel::of(channel, now));
    Ok(list::page("channels", channels, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listChannels", "List channels.")
        .cursor()
        .answers_next::<Channel<'_>>("channels", "A page, by id.")
}
