//! The answers about unsorted leads.

use serde::Serialize;
use switchboard_actors::domain::conversation::{Conversation, Customer};
use switchboard_actors::domain::crm::submission::{
    CallDetails, CallResponsible, FormDetails, SubmissionDetails, UnsortedCategory,
};
use switchboard_actors::domain::crm::{Lead, LeadChat};
use switchboard_actors::domain::id::{
    AccountNumber, ChannelId, ClientConversationId, ClientPersonId, ConversationId, PipelineId,
};
use switchboard_actors::domain::text::SubmittedText;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::inbox::ConversationView;
use switchboard_actors::system::user_access::WaitingConversation;

use super::PATH;
use crate::account::Linked;
use crate::account::place::Place;
use crate::base::Base;
use crate::extract::access::Access;
use crate::inbox::view::Message;
use crate::openapi::{Kind, Seconds, Url};
use crate::reply::hal::Links;
use crate::state::AppState;

/// A lead that a chat opened.
#[derive(Clone, Copy)]
pub(super) struct Arrived<'d> {
    lead: &'d Lead,
    chat: &'d LeadChat,
}

/// The source of an unsorted lead.
pub(super) struct Source {
    uid: String,
    name: String,
}

/// The details of an unsorted lead: which ones, the category says.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum Metadata<'d> {
    /// Of a chat.
    Chat(Box<ChatMetadata<'d>>),
    /// Of a form.
    Form(FormMetadata<'d>),
    /// Of a call.
    Call(CallMetadata<'d>),
}

/// The person who answered a call: the id of a user, or a name.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Responsible<'d> {
    User(u64),
    Name(&'d str),
}

impl<'d> From<&'d CallResponsible> for Responsible<'d> {
    fn from(responsible: &'d CallResponsible) -> Self {
        match responsible {
            CallResponsible::User(id) => Self::User(*id),
            CallResponsible::Name(name) => Self::Name(name.as_str()),
        }
    }
}

impl<'d> Unsorted<'d> {
    /// The view of a lead; `None` for a lead that neither a chat nor a form nor a call opened.
    pub(super) fn of_lead(
        access: &Access,
        place: &Place<'_>,
        lead: &'d Lead,
        conversation: Option<&'d WaitingConversation>,
    ) -> Option<Self> {
        if let Some(submission) = &lead.submission {
            let source = Source {
                uid: submission.source_uid.to_string(),
                name: submission.source_name.to_string(),
            };
            let metadata = match &submission.details {
                SubmissionDetails::Form(form) => Metadata::Form(FormMetadata::new(form)),
                SubmissionDetails::Call(call) => Metadata::Call(CallMetadata::new(call)),
            };
            return Some(Self::new(place, lead, source, metadata));
        }
        let chat = lead.chat.as_ref()?;
        let arrived = Arrived { lead, chat };
        let metadata = ChatMetadata::new(&access.state, arrived, conversation, &access.base);
        let source = Source {
            uid: chat.scope.to_string(),
            name: metadata.source_name.clone(),
        };
        Some(Self::new(
            place,
            lead,
            source,
            Metadata::Chat(Box::new(metadata)),
        ))
    }
}

view! {
    /// A lead after its acceptance or refusal.
    pub(super) struct SortedLead(base: &str, lead: &Lead) {
        /// The number of the lead.
        uid: String = lead.id.to_string(),
        pipeline_id: PipelineId = lead.pipeline,
        #[schemars(extend("enum" = ["chats", "forms", "sip"]))]
        category: &'static str = lead.category().unwrap_or(UnsortedCategory::Chats).word(),
        created_at: Seconds = lead.created_at.into(),
        _embedded: UnsortedEmbedded = UnsortedEmbedded::new(base, lead),
    }

    /// A lead that a conversation, a form or a call opened and no user has accepted yet.
    pub(super) struct Unsorted<'d>(place: &Place<'_>, lead: &Lead, source: Source, metadata: Metadata<'d>) {
        #[serde(flatten)]
        lead: SortedLead = SortedLead::new(place.base, lead),
        /// Of a chat, the scope's id; else the program's id of the request.
        source_uid: String = source.uid,
        source_name: String = source.name,
        metadata: Metadata<'d> = metadata,
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}{PATH}/{}", place.base, lead.id)),
    }

    #[schemars(inline)]
    pub(super) struct ChatMetadata<'d>(state: &AppState, arrived: Arrived<'d>, conversation: Option<&'d WaitingConversation>, base: &Base) [
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

    /// The details of a form, as the program sent them.
    #[schemars(inline)]
    pub(super) struct FormMetadata<'d>(form: &'d FormDetails) {
        form_id: Option<&'d str> = text(form.form_id.as_ref()),
        form_name: Option<&'d str> = text(form.form_name.as_ref()),
        form_page: Option<&'d str> = text(form.form_page.as_ref()),
        ip: Option<&'d str> = text(form.ip.as_ref()),
        form_sent_at: Option<u64> = form.form_sent_at,
        referer: Option<&'d str> = text(form.referer.as_ref()),
    }

    /// The details of a call, as the program sent them.
    #[schemars(inline)]
    pub(super) struct CallMetadata<'d>(call: &'d CallDetails) {
        phone: Option<&'d str> = text(call.phone.as_ref()),
        called_at: Option<u64> = call.called_at,
        duration: Option<u64> = call.duration,
        link: Option<&'d str> = text(call.link.as_ref()),
        service_code: Option<&'d str> = text(call.service_code.as_ref()),
        uniq: Option<&'d str> = text(call.uniq.as_ref()),
        call_responsible: Option<Responsible<'d>> = call.call_responsible.as_ref().map(Responsible::from),
        is_call_event_needed: Option<bool> = call.is_call_event_needed,
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
    pub(super) struct UnsortedEmbedded(base: &str, lead: &Lead) {
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

fn text(text: Option<&SubmittedText>) -> Option<&str> {
    text.map(SubmittedText::as_str)
}
