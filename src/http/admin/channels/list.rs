//! `GET /admin/v1/channels`: the channels, by id.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::admin::channels::view::Channel;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::paging;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    _: Operator,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&request, &[])?;
    let now = state.now();
    let channels = state.system().stored_channels().await?;
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
