//! `GET /admin/v1/channels`: the channels, by id.

use actix_web::HttpResponse;

use crate::admin::channels::view::Channel;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::Operation;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let now = access.state.now();
    let channels = access.system().stored_channels().await?;
    let page = paging::smallest_first(&query, channels.iter(), |channel| channel.id.clone())?;
    let channels = page.entries.into_iter();
    let views = channels.map(|channel| Channel::new(channel, now));
    Ok(list::page("channels", views, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listChannels", "List channels.")
        .cursor()
        .answers_next::<Channel<'_>>("channels", "A page, by id.")
}
