//! `GET /api/v4/leads/unsorted/summary`: the numbers of unsorted leads.

use actix_web::HttpResponse;
use switchboard_actors::domain::crm::submission::UnsortedCategory;
use switchboard_actors::system::user_access::UnsortedSummary;

use crate::account::filters::{Filter, entity_filter};
use crate::account::unsorted::PATH;
use crate::extract::access::Access;
use crate::openapi::Operation;
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The filters of the summary.
const FILTERS: [Filter; 3] = [Filter::Uid, Filter::Pipeline, Filter::Created];

pub(crate) async fn get(access: Access) -> Result<HttpResponse, Problem> {
    let query = access.page(&FILTERS)?.query;
    let filter = entity_filter(&query, &FILTERS)?;
    let user = access.open().await?;
    let summary = user.unsorted_summary(&filter).await?;
    Ok(hal::ok(&Summary::new(&access.base, &summary)))
}

view! {
    #[schemars(rename = "UnsortedSummary")]
    struct Summary(base: &str, summary: &UnsortedSummary) {
        /// All: those that wait, and those that were accepted or declined.
        total: u64 = summary.total(),
        accepted: u64 = summary.accepted,
        declined: u64 = summary.declined,
        /// The seconds until a user accepted or declined a lead; 0 while there was none.
        average_sort_time: u64 = summary.average_sort_time(),
        categories: Categories = Categories::new(summary),
        _links: Links = Links::to(format!("{base}{PATH}/summary")),
    }

    #[schemars(inline)]
    struct Categories(summary: &UnsortedSummary) {
        sip: Category = Category::new(summary.in_category(UnsortedCategory::Calls)),
        /// There are none here.
        mail: Category = Category::new(0),
        forms: Category = Category::new(summary.in_category(UnsortedCategory::Forms)),
        chats: Category = Category::new(summary.in_category(UnsortedCategory::Chats)),
    }

    #[schemars(inline)]
    struct Category(total: u64) {
        total: u64 = total,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::leads("getUnsortedSummary", "Count unsorted leads.")
        .says("Of the leads that the caller may see, the newest 10,000 that wait and the newest 10,000 that were accepted or declined. A lead whose chat was linked to another one does not count.")
        .filtered(&FILTERS)
        .gives_hal::<Summary>(200, "The numbers.")
}
