//! `GET /inbox/v1/channels`: the channels of the account, by which its conversations are filtered.

use actix_web::HttpResponse;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::kind::ChannelKind;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::user_access::AccountChannel;

use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::openapi::{Operation, Url};
use crate::reply::problem::Problem;
use crate::reply::{list, paging};

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let channels = access.open().await?.channels().await?;
    let page = paging::smallest_first(&query, &channels, |it| it.id.clone())?;
    let entries = page.entries.into_iter().map(AccountChannelView::new);
    Ok(list::page("channels", entries, page.next))
}

view! {
    #[schemars(rename = "AccountChannel")]
    struct AccountChannelView<'c>(channel: &'c AccountChannel) {
        id: &'c ChannelId = &channel.id,
        name: &'c str = &channel.name,
        /// The title that the integration gave to the connection; without one, or without a connection, the name.
        title: &'c str = &channel.title,
        kind: ChannelKind = channel.kind,
        /// The page of the integration itself; null without one, and for callers who are no administrators.
        page: Option<Url<&'c HttpUrl>> = channel.page.as_ref().map(Url),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox(
        "listChannelNames",
        "List the channels that the account is or was connected to.",
    )
    .says("By id. The list of conversations can be filtered by them.")
    .cursor()
    .answers_next::<AccountChannelView<'_>>("channels", "A page.")
}
