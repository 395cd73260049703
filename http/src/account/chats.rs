//! `GET` and `POST /api/v4/contacts/chats`: which chats belong to which contacts. A chat belongs to the contact of its
//! customer once it has a lead; a user who may edit both contacts moves it to another.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::ChatLink;
use switchboard_actors::domain::id::{ChatLinkId, ContactId, ConversationId};
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{
    ChatFilter, LinkChatsRejection, LinkWanted, Unknown,
};
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::chats::{self, LINKS_MAX, LinkBody, NewLink};
use switchboard_actors::wire::account_body::items;
use switchboard_actors::wire::body::Body;

use crate::extract::access::Access;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

/// The most chats, and the most contacts, that one request asks for.
const IDS_MAX: usize = 50;

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let page = access.page(&[])?;
    let filter = ChatFilter {
        chats: page.query.all("chat_id", IDS_MAX)?,
        contacts: page.query.all("contact_id", IDS_MAX)?,
    };
    if filter == ChatFilter::default() {
        let why = "contact_id or chat_id must say which chats are wanted";
        return Err(Problem::BadRequest(why.to_owned()));
    }
    let user = access.open().await?;
    let chats = user.chats(&filter, page.start, page.limit()).await?;
    let entries = chats.entries.iter().map(ContactChat::new);
    let address = access.address("/api/v4/contacts/chats");
    Ok(page.page_or_nothing(&address, "chats", entries, chats.next))
}

pub(crate) async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let bodies = chats::parse(&access.entities(payload).await?)?;
    let wanted_links: Vec<LinkWanted> = bodies
        .iter()
        .map(|body| LinkWanted {
            chat: body.chat,
            contact: body.contact,
        })
        .collect();
    let result = access.open().await?.link_chats(&wanted_links).await;
    let links = result.map_err(|why| refused(why, &bodies))?;
    let chats: Vec<ContactChatMade<'_>> = links
        .iter()
        .zip(&bodies)
        .map(|(link, body)| ContactChatMade::new(link, &body.request_id))
        .collect();
    Ok(hal::collection("chats", &chats))
}

view! {
    struct ContactChat(link: &ChatLink) {
        id: ChatLinkId = link.id,
        chat_id: ConversationId = link.conversation,
        contact_id: ContactId = link.contact,
    }

    struct ContactChatMade<'b>(link: &ChatLink, request_id: &'b str) {
        #[serde(flatten)]
        chat: ContactChat = ContactChat::new(link),
        request_id: &'b str = request_id,
    }
}

fn refused(refused: CommandError<LinkChatsRejection>, bodies: &[LinkBody]) -> Problem {
    refused.into_error(|rejection| match rejection {
        LinkChatsRejection::Unknown(unknown) => {
            let items = unknown.into_iter().filter_map(|unknown| {
                let body = bodies.get(unknown.item)?;
                Some(wrong(unknown, body))
            });
            Problem::WrongItems(items.collect())
        }
        denied @ (LinkChatsRejection::ContactDenied | LinkChatsRejection::ChatDenied) => {
            Problem::Forbidden(denied.to_string())
        }
    })
}

fn wrong(unknown: Unknown, body: &LinkBody) -> ItemError {
    let mut violations = Violations::default();
    let fields = [
        (unknown.contact, "contact_id", "contact"),
        (unknown.chat, "chat_id", "chat"),
    ];
    for (_, path, what) in fields.into_iter().filter(|(unknown, ..)| *unknown) {
        violations.push(Violation {
            path: path.to_owned(),
            code: ViolationCode::NotSupportedChoice,
            detail: format!("expected the id of a {what} of this account that you may see"),
        });
    }
    ItemError {
        request_id: body.request_id.clone(),
        violations,
    }
}

pub(crate) fn describe_list() -> Operation {
    let several = |schema| Schema::few(schema, 0, IDS_MAX);
    Operation::leads("listContactChats",
        "List the links between contacts and chats.",
    )
    .says("One of the parameters must be there. A parameter that is given once may leave out the brackets.")
    .query("contact_id", Schema::number())
    .query("contact_id[]", several(Schema::number()))
    .query("chat_id", Schema::uuid())
    .query("chat_id[]", several(Schema::uuid()))
    .answers_page::<ContactChat>("chats")
    .or_nothing()
}

pub(crate) fn describe_post() -> Operation {
    let example = json!([{
        "contact_id": 1,
        "chat_id": "8e4d4baa-9e6c-4a88-838a-5f62be227bdc",
        "request_id": "1",
    }]);
    Operation::leads("linkChats", "Link chats to contacts (atomic).")
        .body(items::schema(NewLink::fields(), LINKS_MAX), example)
        .answers_several::<ContactChatMade<'_>>(
            200,
            "On disk, also when it was so already.",
            "chats",
        )
        .refuses(
            403,
            "The caller may not edit the contact or the lead of the chat.",
        )
}
