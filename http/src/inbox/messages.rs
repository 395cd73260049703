//! `GET /inbox/v1/conversations/{id}/messages`: newest first, `before` a message.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::system::inbox::{MessageView, Page};

use crate::base::Base;
use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::inbox::view::Message;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &["before"])?;
    let limit = query.entries()?;
    let before = before(&query)?;
    let unknown =
        || Problem::NotFound("there is no such conversation, or no such message in it".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    let page = user
        .messages(id, before, limit)
        .await?
        .ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(MessagePage::new(&page, &access.base)))
}

/// The beginning of the page. It has two names: that of a moment in the conversation, and that of all lists.
fn before(query: &Query) -> Result<Option<MessageId>, Problem> {
    match (query.parsed("before")?, query.parsed("cursor")?) {
        (Some(before), Some(cursor)) if before != cursor => Err(Problem::BadRequest(
            "before and cursor are two names of one parameter; send one of them".to_owned(),
        )),
        (before, cursor) => Ok(before.or(cursor)),
    }
}

view! {
    #[schemars(inline)]
    struct MessagePage<'p>(page: &'p Page<MessageView, MessageId>, base: &Base) {
        messages: Vec<Message<'p>> = page.entries.iter().map(|message| Message::new(message, base)).collect(),
        next: Option<MessageId> = page.next,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("listMessages", "List the messages of a conversation.")
        .says("Newest first.")
        .path("id", Schema::uuid())
        .query(
            "before",
            Schema::uuid()
                .says("The same as `cursor`: our id of a message, which the page is before."),
        )
        .cursor()
        .gives::<MessagePage<'_>>(200, "A page.")
        .refuses(
            404,
            "There is no such conversation that the caller may see, or no such message in it.",
        )
}
