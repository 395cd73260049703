//! Conversations as the inbox shows them.

mod file_check;
mod markup;
mod message;
mod quote;

use schemars::JsonSchema;
use serde::Serialize;
use switchboard_actors::System;
use switchboard_actors::domain::chat::delivery::Trouble;
use switchboard_actors::domain::conversation::status::ConversationStatus;
use switchboard_actors::domain::conversation::{self, fetch::Fetched};
use switchboard_actors::domain::crm::{self, tag::Tag};
use switchboard_actors::domain::id::{
    ChannelId, ClientConversationId, ClientPersonId, ConversationId, GroupId, LeadId, PersonId,
    PipelineId, ScopeId, StageId, TagId, UserId,
};
use switchboard_actors::domain::installation::channels::{Channel, kind::ChannelKind};
use switchboard_actors::domain::text::email::Email;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{Name, Phone, SourceId, TagName};
use switchboard_actors::system::inbox::ConversationView;

pub(crate) use self::file_check::FileCheck;
pub(crate) use self::markup::TemplateButton;
pub(crate) use self::message::{CALLBACK_STATES, CallbackState, Card, Delivery, Location, Message};
use crate::base::Base;
use crate::oauth::view::ActingClientView;
use crate::openapi::{Seconds, Url};

view! {
    pub(crate) struct Conversation<'c>(system: &System, view: &'c ConversationView, base: &Base) [
        let state = &view.state;
        let origin = state.origin.as_ref();
        let avatar = view.avatar.as_deref();
        let is_without_lead = view.lead.is_none() && !view.damaged;
        let status = ConversationStatus::new(state, view.lead.as_ref());
        let snooze = state.snooze.as_deref().filter(|_| status == ConversationStatus::Snoozed);
    ] {
        id: ConversationId = state.id,
        /// The integration's id; null until it is bound.
        client_id: Option<&'c ClientConversationId> = origin.and_then(|origin| origin.client_id.as_ref()),
        scope_id: Option<&'c ScopeId> = origin.map(|origin| &origin.scope),
        channel: Option<ConnectedChannel> = channel(system, view),
        customer: Option<Customer<'c>> = state.customer.as_ref().map(|known| Customer::new(known, avatar, base)),
        /// The number of messages in the conversation.
        messages: u64 = state.messages,
        /// The number of messages since an account user read the conversation.
        unread: u64 = state.unread,
        active_at: Seconds = state.active_at.into(),
        last_message: Option<Message<'c>> = view.last_message.as_ref().map(|message| Message::new(message, base)),
        /// `open`: the customer waits for an answer, or a snooze was due and no answer followed. `waiting`: the account answered
        /// last. `snoozed`: out of the way until a time. `closed`: the talk is closed, until the next message that is not silent.
        status: ConversationStatus = status,
        /// The snooze; null unless the status is `snoozed`.
        snooze: Option<Snooze> = snooze.map(Snooze::new),
        /// The group to which it is assigned; null for none.
        group_id: Option<GroupId> = state.group,
        lead: Option<Lead<'c>> = view.lead.as_ref().map(Lead::new),
        /// The reason why there is no lead: only a customer's message that is not silent opens one.
        no_lead: Option<NoLead> = is_without_lead.then(|| NoLead::from_state(state)),
        /// The entrance of the integration through which the conversation came.
        source: Option<&'c SourceId> = state.source.as_ref(),
        /// The problem of the newest reply that was not delivered.
        trouble: Option<Trouble> = view.trouble,
        /// The end of the time window of the channel: afterwards users send templates only, until the customer writes. 0 when
        /// the customer has never written; null without a window.
        window_closes_at: Option<Seconds> = view.window_closes_at.map(Seconds::from),
        /// A customer who is writing.
        typing: Option<Typist> = view.typing.map(|typing| Typist::new(typing.person, typing.until.into())),
        /// The account users who have the conversation open; not there while there are none.
        viewers ?: Vec<Viewer<'c>> = (!view.viewers.is_empty()).then(|| view.viewers.iter().map(Viewer::new).collect()),
        /// True if a stored record of the conversation is damaged. Lists show the readable part; the conversation
        /// itself names the damaged record.
        damaged: bool = view.damaged,
    }

    #[schemars(rename = "Snooze")]
    pub(crate) struct Snooze(snooze: &conversation::Snooze) {
        /// The conversation is open again at this time.
        until: Seconds = snooze.until.into(),
        /// True when the customer's next message that is not silent opens it earlier.
        wake_on_message: bool = snooze.wakes_on_message,
        /// The user who set it.
        user_id: UserId = snooze.by,
        /// The OAuth client that acted for the user; not there when the user did it.
        client ?: ActingClientView = snooze.client.as_ref().map(ActingClientView::new),
        set_at: Seconds = snooze.at.into(),
    }

    /// The channel of a conversation, as the account is connected to it.
    #[schemars(inline)]
    struct ConnectedChannel(channel: &Channel, title: Option<String>) [
        let name = channel.settings.name.to_string();
    ] {
        id: ChannelId = channel.id.clone(),
        name: String = name.clone(),
        /// The title that the integration gave to the connection; without one, or without a connection, the name of the
        /// channel.
        title: String = title.unwrap_or(name),
        kind: ChannelKind = channel.settings.kind,
    }

    #[schemars(inline)]
    struct Customer<'c>(customer: &'c conversation::Customer, avatar: Option<&'c Fetched>, base: &Base) [
        let url = customer.avatar.as_ref();
    ] {
        id: PersonId = customer.person,
        client_id: Option<&'c ClientPersonId> = customer.client_id.as_ref(),
        name: &'c Name = &customer.name,
        avatar: Option<Url<&'c HttpUrl>> = url.map(Url),
        avatar_check: Option<FileCheck<'c>> = avatar.and_then(|fetched| FileCheck::at(fetched, url, base)),
        phone: Option<&'c Phone> = customer.phone.as_ref(),
        email: Option<&'c Email> = customer.email.as_ref(),
        profile_link: Option<Url<&'c HttpUrl>> = customer.profile_link.as_ref().map(Url),
    }

    #[schemars(inline)]
    pub(crate) struct Typist(person: PersonId, until: Seconds) {
        id: PersonId = person,
        until: Seconds = until,
    }

    /// An account user who has the conversation open.
    pub(crate) struct Viewer<'v>(viewer: &'v switchboard_actors::Viewer) {
        id: UserId = viewer.user,
        name: &'v Name = &viewer.name,
        /// The service no longer counts the user after this time without another sign.
        until: Seconds = viewer.until.into(),
    }

    pub(crate) struct Lead<'d>(lead: &'d crm::Lead) {
        id: LeadId = lead.id,
        name: &'d str = &lead.name,
        pipeline_id: PipelineId = lead.pipeline,
        status_id: StageId = lead.stage,
        /// The user who answers for the conversation.
        responsible_user_id: Option<UserId> = lead.responsible,
        /// Its tags, at most 50. An integration marks a customer who blocked the channel by the tag `blocked`.
        tags: Vec<LeadTag<'d>> = lead.tags.iter().map(LeadTag::new).collect(),
    }

    #[schemars(inline)]
    pub(crate) struct LeadTag<'t>(tag: &'t Tag) {
        id: TagId = tag.id,
        name: &'t TagName = &tag.name,
    }
}

fn channel(system: &System, view: &ConversationView) -> Option<ConnectedChannel> {
    let origin = view.state.origin.as_ref()?;
    let entry = system.channel(origin.scope.channel())?;
    Some(ConnectedChannel::new(&entry.channel, view.title.clone()))
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum NoLead {
    OnlySilent,
    OnlyOurs,
    NoMessages,
}

impl NoLead {
    fn from_state(state: &conversation::Conversation) -> Self {
        if state.messages == 0 {
            Self::NoMessages
        } else if state.messages == state.outgoing {
            Self::OnlyOurs
        } else {
            Self::OnlySilent
        }
    }
}
