//! The account interface, `/api/v4`: what account users read and change of leads and contacts, in the counterpart's shapes.

pub(crate) mod account_info;
mod authorship;
mod batch;
pub(crate) mod chats;
pub(crate) mod close_talk;
pub(crate) mod complex_leads;
pub(crate) mod contacts;
pub(crate) mod custom_fields;
pub(crate) mod entity;
pub(crate) mod entries;
pub(crate) mod events;
mod field_values;
pub(crate) mod filters;
pub(crate) mod leads;
pub(crate) mod links;
pub(crate) mod notes;
pub(crate) mod pipelines;
pub(crate) mod place;
pub(crate) mod salesbots;
pub(crate) mod send_talk_message;
pub(crate) mod sources;
pub(crate) mod tags;
pub(crate) mod talk_messages;
pub(crate) mod talks;
pub(crate) mod tasks;
pub(crate) mod templates;
pub(crate) mod unkept;
pub(crate) mod unsorted;
pub(crate) mod unsorted_summary;
pub(crate) mod webhooks;

use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::CrmRejection;

use crate::reply::hal::Links;
use crate::reply::problem::Problem;

/// The result of adding or changing entries.
type Outcome<T> = Result<T, CommandError<CrmRejection>>;

/// Returns the answer to a refused operation.
pub(crate) fn refused(
    refused: CommandError<CrmRejection>,
    unknown: impl FnOnce() -> Problem,
) -> Problem {
    refused.into_error(|rejection| match rejection {
        CrmRejection::Unknown => unknown(),
        denied @ CrmRejection::Denied(_) => Problem::Forbidden(denied.to_string()),
        full @ (CrmRejection::TooManyTags(_) | CrmRejection::TooManyTagsOfOne) => {
            Problem::Forbidden(full.to_string())
        }
        large @ CrmRejection::ValuesTooLarge(_) => Problem::BadRequest(large.to_string()),
        late @ (CrmRejection::NotUnsorted | CrmRejection::StageGone) => {
            Problem::Conflict(late.to_string())
        }
        other @ (CrmRejection::OtherResponsible(_) | CrmRejection::ChangedMeanwhile) => {
            Problem::Conflict(other.to_string())
        }
        closed @ CrmRejection::TalkClosed => Problem::Unprocessable(closed.to_string()),
    })
}

view! {
    /// Another entry of the account side, by its number and where it is.
    #[schemars(inline)]
    struct Linked(base: &str, kind: &str, number: u64) {
        #[schemars(range(min = 1))]
        id: u64 = number,
        _links: Links = Links::to(format!("{base}/api/v4/{kind}/{number}")),
    }
}
