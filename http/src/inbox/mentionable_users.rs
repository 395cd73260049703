//! `GET /inbox/v1/conversations/{id}/mentionable-users`: the users whom a note in a conversation can mention, with who may view it now.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::id::UserId;
use switchboard_actors::system::user_access::MentionableUser;

use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::reply::{list, paging};

pub(crate) async fn get(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let users = user.mentionable_users(id).await?.ok_or_else(unknown)?;
    let page = paging::smallest_first(&query, &users, |it| it.user.id)?;
    let entries = page.entries.into_iter().map(MentionableUserView::new);
    Ok(list::page("users", entries, page.next))
}

view! {
    #[schemars(rename = "MentionableUser")]
    struct MentionableUserView<'u>(it: &'u MentionableUser) {
        id: UserId = it.user.id,
        name: &'u str = it.user.name.as_str(),
        /// True when the user may view the conversation now. A mention lets the others view it.
        may_view: bool = it.may_view,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox(
        "listMentionableUsers",
        "List the users whom a note in a conversation can mention.",
    )
    .says("By number: the active users who may view the conversation now, and the others whose names `GET /inbox/v1/users` shows to the caller. A note can mention any active user of the account by id.")
    .path("id", Schema::uuid())
    .cursor()
    .answers_next::<MentionableUserView<'_>>("users", "A page.")
    .refuses(404, NO_CONVERSATION)
}
