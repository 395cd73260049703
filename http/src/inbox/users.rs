//! `GET /inbox/v1/users`: the names of the users who may be responsible for what the caller sees, and no more of them.

use actix_web::HttpResponse;
use switchboard_actors::domain::account::presence::Presence;
use switchboard_actors::domain::account::user::User;
use switchboard_actors::domain::id::{ConversationId, UserId};

use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::reply::{list, paging};

/// The conversation whose responsible user is wanted, instead of all who may be one.
const CONVERSATION: &str = "conversation_id";

pub(crate) async fn get(access: Access) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[CONVERSATION])?;
    let user = access.open().await?;
    let conversation: Option<ConversationId> = query.parsed(CONVERSATION)?;
    let page = match conversation {
        Some(id) => {
            let responsible = user.responsible_in(id).await?;
            paging::smallest_first(&query, responsible, |user| user.id)?
        }
        None => paging::smallest_first(&query, user.colleagues(), |user| user.id)?,
    };
    let entries = page.entries.into_iter();
    let names = entries.map(|it| UserName::new(it, user.presence_of(it)));
    Ok(list::page("users", names, page.next))
}

view! {
    struct UserName<'u>(user: &'u User, presence: Presence) {
        id: UserId = user.id,
        name: &'u str = user.name.as_str(),
        is_active: bool = user.active,
        /// `here` while a device of the user gives signs, unless they chose to be away.
        presence: Presence = presence,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox(
        "listUserNames",
        "List the names of users who can be responsible for what the caller may view.",
    )
    .says("By number. Administrators read everything of users at `/api/v4/users`.")
    .query(
        CONVERSATION,
        Schema::uuid().says("Only the responsible user of the newest lead of this conversation."),
    )
    .cursor()
    .answers_next::<UserName<'_>>("users", "A page.")
}
