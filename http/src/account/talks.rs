//! `GET /api/v4/talks` and `…/{id}`: a talk is the part of a conversation that belongs to one lead. It has the number of the
//! lead, ends with it, and is visible to the users who may see the lead.

use actix_web::HttpResponse;
use switchboard_actors::domain::conversation::Conversation;
use switchboard_actors::domain::crm::source::Source;
use switchboard_actors::domain::crm::{Lead, LeadChat};
use switchboard_actors::domain::id::{
    AccountNumber, ChannelId, ConversationId, LeadId, SourceNumber,
};
use switchboard_actors::system::inbox::ConversationView;
use switchboard_actors::system::user_access::UserAccess;

use crate::account::Linked;
use crate::account::filters::{Filter, talk_filter};
use crate::account::place::Place;
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The filters of the list.
const FILTERS: [Filter; 12] = [
    Filter::Query,
    Filter::Id,
    Filter::Responsible,
    Filter::Contact,
    Filter::Chat,
    Filter::Entity,
    Filter::EntityType,
    Filter::OnlyInWork,
    Filter::Created,
    Filter::Updated,
    Filter::Order,
    Filter::OrderByChange,
];

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let page = access.page(&FILTERS)?;
    let Some(filter) = talk_filter(&page.query, &FILTERS)? else {
        return Ok(hal::nothing());
    };
    let user = access.open().await?;
    let leads = user.leads(&filter, page.start, page.limit()).await?;
    let place = access.place(&user)?;
    let sources = user.sources().await?;
    let mut talks = Vec::with_capacity(leads.entries.len());
    for lead in &leads.entries {
        talks.extend(talk(&user, &place, lead, &sources).await?);
    }
    let address = access.address("/api/v4/talks");
    Ok(page.page_or_nothing(&address, "talks", talks.into_iter(), leads.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<LeadId>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such talk".to_owned());
    let user = access.open().await?;
    let lead = user.lead(id).await?.ok_or_else(unknown)?;
    let place = access.place(&user)?;
    let sources = user.sources().await?;
    let talk = talk(&user, &place, &lead, &sources)
        .await?
        .ok_or_else(unknown)?;
    Ok(hal::ok(&talk))
}

/// The talk of a lead, if a conversation opened it.
async fn talk<'d>(
    access: &UserAccess,
    place: &Place<'_>,
    lead: &'d Lead,
    sources: &[Source],
) -> Result<Option<Talk<'d>>, Problem> {
    let Some(chat) = &lead.chat else {
        return Ok(None);
    };
    let conversation = access.conversation(chat.conversation).await?;
    // What is unread, and what was said last, belongs to the newest lead of the conversation.
    let of_lead = |view: &ConversationView| view.lead.as_ref().is_some_and(|it| it.id == lead.id);
    let state = conversation.filter(of_lead).map(|view| view.state);
    let external_id = state.as_ref().and_then(|state| state.source.as_ref());
    let source = sources
        .iter()
        .find(|it| Some(&it.settings.external_id) == external_id);
    Ok(Some(Talk::new(
        place,
        lead,
        chat,
        state.as_ref(),
        source.map(|source| source.id),
    )))
}

view! {
    struct Talk<'d>(
        place: &Place<'_>,
        lead: &'d Lead,
        chat: &'d LeadChat,
        state: Option<&Conversation>,
        source: Option<SourceNumber>,
    ) [
        let is_in_work = lead.talk_is_in_work(state.map(|state| state.spoken));
    ] {
        talk_id: LeadId = lead.id,
        created_at: Seconds = lead.created_at.into(),
        updated_at: Seconds = lead.updated_at.into(),
        #[schemars(extend("const" = 0))]
        rate: u8 = 0,
        /// 0 while there is none.
        contact_id: u64 = lead.contact.map_or(0, |contact| contact.0),
        chat_id: ConversationId = chat.conversation,
        /// The number of the lead.
        entity_id: LeadId = lead.id,
        #[schemars(extend("const" = "lead"))]
        entity_type: &'static str = "lead",
        #[schemars(extend("enum" = ["in_work", "closed"]))]
        status: &'static str = if is_in_work { "in_work" } else { "closed" },
        /// True while the lead and the talk are open: a talk closed after its last loud message or answer is not.
        is_in_work: bool = is_in_work,
        is_read: bool = state.is_none_or(|state| state.unread == 0),
        /// The channel's id.
        origin: &'d ChannelId = chat.scope.channel(),
        /// The source that the conversation came through, if the account has it; null of an earlier lead of the conversation.
        source_id: Option<SourceNumber> = source,
        missed_at: () = (),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/talks/{}", place.base, lead.id)),
        _embedded: TalkEmbedded = TalkEmbedded::new(place.base, lead),
    }

    #[schemars(inline)]
    struct TalkEmbedded(base: &str, lead: &Lead) {
        contacts: Vec<Linked> = lead.contact.iter().map(|it| Linked::new(base, "contacts", it.0)).collect(),
        leads: [Linked; 1] = [Linked::new(base, "leads", lead.id.0)],
        customers: [(); 0] = [],
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::leads("listTalks", "List the talks that the caller may see.")
        .filtered(&FILTERS)
        .says("The newest first, unless the request orders them.")
        .answers_page::<Talk<'_>>("talks")
        .or_nothing()
}

pub(crate) fn describe() -> Operation {
    Operation::leads("getTalk", "Get a talk.")
        .says("A talk is the part of a conversation about one lead; it has the lead's number.")
        .path("id", Schema::number())
        .gives_hal::<Talk<'_>>(200, "The talk.")
        .refuses(404, "There is no such talk that the caller may see.")
}
