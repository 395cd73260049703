//! `GET /api/v4/leads/unsorted`, `POST …/{uid}/accept`, `DELETE …/{uid}/decline`: leads that conversations opened and
//! no user has accepted yet. The `uid` of a record is the number of its lead.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::conversation::{Conversation, Customer};
use switchboard_actors::domain::crm::{Lead, LeadChat};
use switchboard_actors::domain::id::{
    AccountNumber, ChannelId, ClientConversationId, ClientPersonId, ConversationId, LeadId,
    PipelineId, ScopeId,
};
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::inbox::ConversationView;
use switchboard_actors::system::user_access::{Listed, WaitingConversation};
use switchboard_actors::wire::account_body::crm::{self, AcceptBody};

use crate::account::filters::{Filter, entity_filter};
use crate::account::place::Place;
use crate::account::{Linked, refused};
use crate::base::Base;
use crate::extract::access::Access;
use crate::extract::body;
use crate::extract::numbered::Numbered;
use crate::inbox::view::Message;
use crate::openapi::{Kind, Operation, Schema, Seconds, Url};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The category of everything that chats open, in the counterpart's words.
const CATEGORY: &str = "chats";
/// More categories than the counterpart has.
const CATEGORIES_MAX: usize = 10;
/// The filters of the list.
const FILTERS: [Filter; 10] = [
    Filter::Query,
    Filter::Uid,
    Filter::Name,
    Filter::Category,
    Filter::Responsible,
    Filter::Pipeline,
    Filter::Created,
    Filter::Updated,
    Filter::Order,
    Filter::OrderByChange,
];

const PATH: &str = "/api/v4/leads/unsorted";

/// A lead that a chat opened.
#[derive(Clone, Copy)]
struct Arrived<'d> {
    lead: &'d Lead,
    chat: &'d LeadChat,
}

impl<'d> Arrived<'d> {
    fn from_lead(lead: &'d Lead) -> Option<Self> {
        let chat = lead.chat.as_ref()?;
        Some(Self { lead, chat })
    }
}

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let page = access.page(&FILTERS)?;
    let filter = entity_filter(&page.query, &FILTERS)?;
    let categories = page
        .query
        .all::<String>("filter[category]", CATEGORIES_MAX)?;
    let user = access.open().await?;
    let leads = if categories.is_empty() || categories.contains(CATEGORY) {
        user.unsorted(&filter, page.start, page.limit()).await?
    } else {
        // Nothing of other categories ever arrives here.
        Listed::default()
    };
    let mut conversations = Vec::with_capacity(leads.entries.len());
    // Only leads of chats are ever unsorted.
    let arrived = leads.entries.iter().filter_map(Arrived::from_lead);
    for arrived in arrived.clone() {
        let conversation = arrived.chat.conversation;
        conversations.push(user.waiting_conversation(conversation).await?);
    }
    let place = access.place(&user)?;
    let entries = arrived.zip(&conversations).map(|(arrived, conversation)| {
        Unsorted::new(
            &access.state,
            &place,
            arrived,
            conversation.as_ref(),
            &access.base,
        )
    });
    let address = access.address(PATH);
    Ok(page.page_or_nothing(&address, "unsorted", entries, leads.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<LeadId>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let lead = user.unsorted_lead(id).await?;
    let Some(arrived) = lead.as_ref().and_then(Arrived::from_lead) else {
        return Ok(hal::nothing());
    };
    let conversation = user.waiting_conversation(arrived.chat.conversation).await?;
    let place = access.place(&user)?;
    let view = Unsorted::new(
        &access.state,
        &place,
        arrived,
        conversation.as_ref(),
        &access.base,
    );
    Ok(hal::ok(&view))
}

pub(crate) async fn accept(
    access: Access,
    Numbered(id): Numbered<LeadId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let current = user.lead(id).await?.ok_or_else(unknown)?;
    let limit = access.state.body_limit();
    let bytes = body::read_json_or_nothing(&access.request, payload, limit).await?;
    let account_crm = user.crm().await?;
    let accept = crm::parse_accept(&bytes, &account_crm, user.users(), current.pipeline)?;
    let acceptance = user.accept_unsorted(id, accept.stage, accept.responsible);
    let lead = acceptance.await.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&SortedLead::new(&access.base, &lead)))
}

pub(crate) async fn decline(
    access: Access,
    Numbered(id): Numbered<LeadId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.decline_unsorted(id).await;
    let lead = result.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&SortedLead::new(&access.base, &lead)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such unsorted lead".to_owned())
}

view! {
    /// A lead after its acceptance or refusal.
    struct SortedLead(base: &str, lead: &Lead) {
        /// The number of the lead.
        uid: String = lead.id.to_string(),
        pipeline_id: PipelineId = lead.pipeline,
        #[schemars(extend("const" = "chats"))]
        category: &'static str = CATEGORY,
        created_at: Seconds = lead.created_at.into(),
        _embedded: UnsortedEmbedded = UnsortedEmbedded::new(base, lead),
    }

    /// A lead that a conversation opened and no user has accepted yet.
    struct Unsorted<'d>(
        state: &AppState,
        place: &Place<'_>,
        arrived: Arrived<'d>,
        conversation: Option<&'d WaitingConversation>,
        base: &Base
    ) [
        let metadata = Metadata::new(state, arrived, conversation, base);
    ] {
        #[serde(flatten)]
        lead: SortedLead = SortedLead::new(base, arrived.lead),
        /// The scope's id.
        source_uid: &'d ScopeId = &arrived.chat.scope,
        source_name: String = metadata.source_name.clone(),
        metadata: Metadata<'d> = metadata,
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{base}{PATH}/{}", arrived.lead.id)),
    }

    #[schemars(inline)]
    struct Metadata<'d>(state: &AppState, arrived: Arrived<'d>, conversation: Option<&'d WaitingConversation>, base: &Base) [
        let view = conversation.map(|waiting| &waiting.view);
        let state_of_chat = view.map(|view| &view.state);
        let customer = state_of_chat.and_then(|chat| chat.customer.as_ref());
        let last_view = conversation.and_then(|waiting| waiting.last_of_customer.as_ref());
        let last = last_view.map(|message| Message::new(message, base));
    ] {
        /// The customer's name.
        from: &'d str = name(customer),
        /// The integration's name for the source of the message; the scope's id if it names none.
        to: String = to(arrived.chat, state_of_chat),
        received_at: Seconds = arrived.lead.created_at.into(),
        /// The channel's id.
        service: &'d ChannelId = arrived.chat.scope.channel(),
        client: Client<'d> = Client::new(customer),
        origin: Origin<'d> = Origin::new(arrived.chat, state_of_chat),
        /// The customer's last message.
        last_message_text: Option<String> = last.as_ref().and_then(|last| last.text().map(str::to_owned)),
        last_message_type: Option<Kind> = last.as_ref().and_then(Message::kind),
        source_name: String = source(state, arrived.chat, view).unwrap_or_default(),
    }

    #[schemars(inline)]
    struct Client<'d>(customer: Option<&'d Customer>) {
        name: &'d str = name(customer),
        avatar: Option<Url<&'d HttpUrl>> = customer.and_then(|it| it.avatar.as_ref()).map(Url),
    }

    #[schemars(inline)]
    struct Origin<'d>(chat: &LeadChat, conversation: Option<&'d Conversation>) [
        let origin = conversation.and_then(|known| known.origin.as_ref());
        let customer = conversation.and_then(|known| known.customer.as_ref());
    ] {
        chat_id: ConversationId = chat.conversation,
        r#ref: Option<&'d ClientConversationId> = origin.and_then(|origin| origin.client_id.as_ref()),
        visitor_uid: Option<&'d ClientPersonId> = customer.and_then(|customer| customer.client_id.as_ref()),
    }

    #[schemars(inline)]
    struct UnsortedEmbedded(base: &str, lead: &Lead) {
        leads: [Linked; 1] = [Linked::new(base, "leads", lead.id.0)],
        contacts: Vec<Linked> = lead.contact.iter().map(|it| Linked::new(base, "contacts", it.0)).collect(),
        companies: [(); 0] = [],
    }
}

/// The name of a customer; empty while there is none, since clients expect a text.
fn name(customer: Option<&Customer>) -> &str {
    customer.map_or("", |customer| customer.name.as_str())
}

/// The source that the customer wrote to; the scope's id if the integration names none.
fn to(chat: &LeadChat, conversation: Option<&Conversation>) -> String {
    let source = conversation.and_then(|known| known.source.as_ref());
    source.map_or_else(
        || chat.scope.to_string(),
        |source| source.as_str().to_owned(),
    )
}

/// The name that the integration gave to the connection, else the name of its channel.
fn source(
    state: &AppState,
    chat: &LeadChat,
    conversation: Option<&ConversationView>,
) -> Option<String> {
    let title = conversation.and_then(|view| view.title.clone());
    let channel = || state.system().channel(chat.scope.channel());
    title.or_else(|| channel().map(|known| known.channel.settings.name.clone().into()))
}

pub(crate) fn describe_list() -> Operation {
    Operation::leads(
        "listUnsorted",
        "List unsorted leads.",
    )
        .says("A conversation opens an unsorted lead; it stays unsorted until a user accepts or declines it.")
    .filtered(&FILTERS)
    .answers_page::<Unsorted<'_>>("unsorted")
    .or_nothing()
}

pub(crate) fn describe_get() -> Operation {
    Operation::leads("getUnsorted", "Get an unsorted lead.")
        .path("uid", Schema::number())
        .gives_hal::<Unsorted<'_>>(200, "The unsorted lead.")
        .answers_nothing(
            204,
            "There is no such unsorted lead that the caller may see.",
        )
}

pub(crate) fn describe_accept() -> Operation {
    Operation::leads("acceptUnsorted", "Accept an unsorted lead.")
        .path("uid", Schema::number())
        .takes_or_nothing::<AcceptBody>(json!({ "user_id": 1, "status_id": 2 }))
        .gives_hal::<SortedLead>(200, "Done.")
        .refuses(403, "The caller may not edit it.")
        .refuses(
            404,
            "There is no such unsorted lead that the caller may see.",
        )
        .refuses(
            409,
            "The lead is no longer unsorted, or the stage was deleted at the same time.",
        )
}

pub(crate) fn describe_decline() -> Operation {
    Operation::leads("declineUnsorted", "Decline an unsorted lead.")
        .says("Closes the lead as lost.")
        .path("uid", Schema::number())
        .gives_hal::<SortedLead>(200, "Done.")
        .refuses(403, "The caller may not delete it.")
        .refuses(
            404,
            "There is no such unsorted lead that the caller may see.",
        )
        .refuses(409, "The lead is no longer unsorted.")
}
