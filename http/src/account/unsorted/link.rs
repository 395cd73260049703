//! `POST /api/v4/leads/unsorted/{uid}/link`: the chat of an unsorted lead moves to another lead.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::LeadId;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::LinkUnsortedRejection;
use switchboard_actors::wire::account_body::unsorted::{self, LinkUnsortedBody};

use super::unknown;
use crate::account::{Linked, refused};
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access,
    Numbered(id): Numbered<LeadId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    user.lead(id).await?.ok_or_else(unknown)?;
    let bytes = access.read_json(payload).await?;
    let is_active = |user_id| user.users().get(user_id).is_some_and(|it| it.active);
    let link = unsorted::parse_link(&bytes, is_active)?;
    let lead = user.link_unsorted(id, link).await.map_err(problem)?;
    Ok(hal::ok(&LinkedUnsorted::new(&access.base, id, lead.id)))
}

view! {
    /// An unsorted lead after its link to another one.
    struct LinkedUnsorted(base: &str, id: LeadId, lead: LeadId) {
        /// The number of the unsorted lead, which is gone.
        uid: String = id.to_string(),
        _embedded: LinkedEmbedded = LinkedEmbedded::new(base, lead),
    }

    #[schemars(inline)]
    struct LinkedEmbedded(base: &str, lead: LeadId) {
        /// The lead that has the chat.
        leads: [Linked; 1] = [Linked::new(base, "leads", lead.0)],
    }
}

fn problem(why: CommandError<LinkUnsortedRejection>) -> Problem {
    why.into_error(|rejection| match rejection {
        LinkUnsortedRejection::Crm(why) => refused(CommandError::Rejected(why), unknown),
        no_chat @ LinkUnsortedRejection::NoChat => Problem::BadRequest(no_chat.to_string()),
        lead @ (LinkUnsortedRejection::UnknownLead | LinkUnsortedRejection::OtherChat) => {
            wrong("link.entity_id", lead.to_string())
        }
        contact @ LinkUnsortedRejection::UnknownContact => {
            wrong("link.metadata.contact_id", contact.to_string())
        }
        denied @ LinkUnsortedRejection::ContactDenied => Problem::Forbidden(denied.to_string()),
    })
}

fn wrong(path: &str, detail: String) -> Problem {
    Problem::Validation(Violations::from(Violation {
        path: path.to_owned(),
        code: ViolationCode::NotSupportedChoice,
        detail,
    }))
}

pub(crate) fn describe() -> Operation {
    let example = json!({
        "link": { "entity_id": 2, "entity_type": "leads", "metadata": { "contact_id": 1 } },
        "user_id": 1,
    });
    Operation::leads("linkUnsorted", "Link an unsorted lead of a chat to another lead.")
        .says("The chat and its contact move to the other lead. The unsorted lead is gone, without being declined. The other lead may have no chat of another conversation.")
        .path("uid", Schema::number())
        .takes::<LinkUnsortedBody>(example)
        .gives_hal::<LinkedUnsorted>(200, "On disk.")
        .refuses(403, "The caller may not edit one of the leads, or the contact.")
        .refuses(404, "There is no such unsorted lead that the caller may see.")
        .refuses(409, "The lead is no longer unsorted.")
}
