//! `GET /inbox/v1/counts`: how much waits for the caller.

use actix_web::HttpResponse;
use actix_web::http::header;
use switchboard_actors::system::user_access::{COUNTED_MAX, WaitingCount, WaitingCounts};

use crate::extract::access::Access;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn get(access: Access) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let counts = user.counts().await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(CountsView::new(&counts)))
}

view! {
    #[schemars(rename = "Counts")]
    struct CountsView(counts: &WaitingCounts) {
        /// Conversations with unread messages.
        unread: CountView = CountView::new(counts.unread),
        /// Conversations with a message that has not arrived.
        failed: CountView = CountView::new(counts.failed),
        /// Unsorted leads.
        unsorted: CountView = CountView::new(counts.unsorted),
        /// Disabled webhooks of the account, for administrators; none for others.
        disabled_webhooks: CountView = CountView::new(counts.disabled_webhooks),
    }

    #[schemars(inline)]
    struct CountView(count: WaitingCount) {
        #[schemars(range(max = COUNTED_MAX))]
        count: usize = count.count,
        /// True when counting ended early: there may be more.
        capped: bool = count.capped,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox(
        "getCounts",
        "Get the counts of unread and failed conversations, unsorted leads and disabled webhooks.",
    )
    .gives::<CountsView>(200, "The counts.")
}
