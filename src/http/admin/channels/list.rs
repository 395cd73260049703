//! `GET /admin/v1/channels`: all channels, by id. There are as many as an operator makes, so there are no pages.

use actix_web::{HttpResponse, web};

use crate::http::admin::channels::view::Channel;
use crate::http::extract::operator::Operator;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let now = state.now();
    let channels = state.system().stored_channels().await?;
    let channels = channels.iter().map(|channel| Channel::of(channel, now));
    Ok(list::all("channels", channels))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listChannels", "List channels.")
        .answers_list::<Channel<'_>>("channels", "The channels.")
}
