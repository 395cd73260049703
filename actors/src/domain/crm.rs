//! The CRM of an account: its pipelines, its deals, its contacts.
//!
//! The state holds the pipelines and the counters. Each deal and each contact is a whole record of its own, found by
//! its key, so the CRM stays small with a million of them.

pub mod change_contact;
pub mod change_deal;
pub mod fields;
pub mod link_chats;
pub mod open_deal;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::domain::id::{
    AccountId, ChatLinkId, ContactId, ConversationId, DealId, PersonId, PipelineId, ScopeId,
    StageId, UserId,
};
use crate::domain::keys;
use crate::domain::kinds;
use crate::domain::notice::Notice;
use crate::domain::tables;
use crate::domain::text::email::Email;
use crate::domain::text::{Name, Phone};
use crate::domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::{StreamKey, StreamKind};

/// The stages «won» and «lost» have these numbers in every pipeline, as the known counterpart has them.
pub const WON: StageId = StageId(142);
/// See [`WON`].
pub const LOST: StageId = StageId(143);

/// What the CRM remembers of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crm {
    /// The account.
    pub account: AccountId,
    /// The pipelines, the default one first.
    pub pipelines: Vec<Pipeline>,
    /// How many deals there ever were: the number of the last one.
    pub deals: u64,
    /// How many contacts there ever were: the number of the last one.
    pub contacts: u64,
    /// How many chats there ever were that belong to a contact: the number of the last one.
    pub chats: u64,
}

/// The stages that deals move through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pipeline {
    /// Its number.
    pub id: PipelineId,
    /// Its name.
    pub name: String,
    /// Its stages in order; the first is the system stage *unsorted*.
    pub stages: Vec<Stage>,
}

/// A stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its number, unique in the account but for [`WON`] and [`LOST`].
    pub id: StageId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: StageKind,
}

/// What a stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// Where deals from conversations arrive.
    Unsorted,
    /// Where deals are worked on.
    Open,
    /// The end, well.
    Won,
    /// The end, not well.
    Lost,
}

/// A deal, which the account interface calls a lead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deal {
    /// Its number.
    pub id: DealId,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub pipeline: PipelineId,
    /// Where it stands.
    pub stage: StageId,
    /// The responsible user; `None` while there is none.
    pub responsible: Option<UserId>,
    /// The person it is about.
    pub contact: ContactId,
    /// The conversation it came from.
    pub conversation: ConversationId,
    /// The scope of that conversation.
    pub scope: ScopeId,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it last changed.
    pub updated_at: UnixMillis,
}

/// Where a deal stands, and with whom: what decides who may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealPlace {
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// The user who answers for it.
    pub responsible: Option<UserId>,
}

impl Deal {
    /// Where it stands, and with whom.
    #[must_use]
    pub fn place(&self) -> DealPlace {
        DealPlace {
            pipeline: self.pipeline,
            stage: self.stage,
            responsible: self.responsible,
        }
    }

    /// Whether it is still worked on: neither won nor lost.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.stage != WON && self.stage != LOST
    }
}

/// A person as the account's CRM knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Their number.
    pub id: ContactId,
    /// Their name.
    pub name: Name,
    /// Their phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
    /// Their e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// The responsible user; `None` while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<UserId>,
    /// The person of the chat.
    pub person: PersonId,
    /// When the contact was made.
    pub created_at: UnixMillis,
    /// When it last changed.
    pub updated_at: UnixMillis,
}

/// That a chat belongs to a contact. A contact may have several chats, a chat has one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLink {
    /// Its number.
    pub id: ChatLinkId,
    /// The chat.
    pub conversation: ConversationId,
    /// The contact.
    pub contact: ContactId,
}

/// What can happen to the CRM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CrmEvent {
    /// The CRM was begun with these pipelines.
    Begun(Vec<Pipeline>),
    /// A deal is new, or is as follows now.
    Deal(Box<DealChanged>),
    /// A contact is new, or is as follows now.
    Contact(Box<ContactChanged>),
    /// A chat belongs to a contact, or to another one than before.
    Chat(ChatLinked),
}

/// A chat belongs to a contact, or to another one than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLinked {
    /// How it is now.
    pub link: ChatLink,
    /// The contact that it belonged to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContactId>,
}

/// A deal is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealChanged {
    /// The deal.
    pub deal: Deal,
    /// Where it stood before; `None` when it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<DealPlace>,
    /// Whether it is the newest deal of its conversation.
    pub newest: bool,
    /// The users who follow the conversation that it was opened for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub followers: BTreeSet<UserId>,
}

/// A contact is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactChanged {
    /// The contact.
    pub contact: Contact,
    /// Who answered for them before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<UserId>,
}

impl State for Crm {
    type Id = AccountId;
    type Event = CrmEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CRM;

    fn stream(id: &AccountId) -> StreamKey {
        StreamKey::new(Self::KIND, &id.bytes())
    }

    fn id_of(stream: &StreamKey) -> Option<AccountId> {
        let bytes = <[u8; 16]>::try_from(stream.id()).ok()?;
        stream.is(Self::KIND).then(|| AccountId::from_bytes(bytes))
    }

    fn blank(id: &AccountId) -> Self {
        Self {
            account: *id,
            pipelines: Vec::new(),
            deals: 0,
            contacts: 0,
            chats: 0,
        }
    }

    fn apply(&mut self, event: &CrmEvent) {
        match event {
            CrmEvent::Begun(pipelines) => self.pipelines.clone_from(pipelines),
            CrmEvent::Deal(changed) => self.deals = self.deals.max(changed.deal.id.0),
            CrmEvent::Contact(changed) => {
                self.contacts = self.contacts.max(changed.contact.id.0);
            }
            CrmEvent::Chat(linked) => self.chats = self.chats.max(linked.link.id.0),
        }
    }

    fn index(&self, event: &CrmEvent, entries: &mut IndexEntries) {
        let account = self.account;
        match event {
            CrmEvent::Begun(_) => {}
            CrmEvent::Deal(changed) => changed.index(account, entries),
            CrmEvent::Contact(changed) => changed.index(account, entries),
            CrmEvent::Chat(linked) => linked.index(account, entries),
        }
    }
}

impl DealChanged {
    fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let deal = &self.deal;
        entries.key(keys::deal(account, deal.id));
        if self.newest {
            entries.key(keys::deal_of(deal.conversation));
        }
        if let Some(before) = self.before {
            if (before.pipeline, before.stage) != (deal.pipeline, deal.stage) {
                let row = keys::stage_row(account, before.pipeline, before.stage, deal.id);
                entries.delete(tables::LEADS_BY_STAGE, row);
            }
            if let Some(user) = before.responsible
                && before.responsible != deal.responsible
            {
                let row = keys::lead_of_row(account, user, deal.id, false);
                entries.delete(tables::LEADS_OF, row);
            }
        }
        let row = keys::stage_row(account, deal.pipeline, deal.stage, deal.id);
        entries.put(tables::LEADS_BY_STAGE, row, Vec::new());
        if let Some(user) = deal.responsible {
            let row = keys::lead_of_row(account, user, deal.id, false);
            entries.put(tables::LEADS_OF, row, Vec::new());
        }
        for user in &self.followers {
            let row = keys::lead_of_row(account, *user, deal.id, true);
            entries.put(tables::LEADS_OF, row, Vec::new());
        }
    }
}

impl ContactChanged {
    fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let contact = &self.contact;
        entries.key(keys::contact(account, contact.id));
        entries.key(keys::contact_of(account, contact.person));
        if let Some(user) = self.before
            && self.before != contact.responsible
        {
            let row = keys::contact_of_row(account, user, contact.id);
            entries.delete(tables::CONTACTS_OF, row);
        }
        if let Some(user) = contact.responsible {
            let row = keys::contact_of_row(account, user, contact.id);
            entries.put(tables::CONTACTS_OF, row, Vec::new());
        }
    }
}

impl ChatLinked {
    fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let link = &self.link;
        entries.key(keys::chat(account, link.conversation));
        entries.key(keys::chat_link(account, link.id));
        if let Some(before) = self.before
            && before != link.contact
        {
            let row = keys::chat_of_row(account, before, link.id);
            entries.delete(tables::CHATS_OF, row);
        }
        let row = keys::chat_of_row(account, link.contact, link.id);
        entries.put(tables::CHATS_OF, row, Vec::new());
    }
}

impl Crm {
    /// The pipelines of an account that has none: one, with the stages that the known counterpart begins with.
    #[must_use]
    pub fn first_pipelines() -> Vec<Pipeline> {
        let stage = |id, name: &str, kind| Stage {
            id,
            name: name.to_owned(),
            kind,
        };
        vec![Pipeline {
            id: PipelineId(1),
            name: "Sales".to_owned(),
            stages: vec![
                stage(StageId(1), "Incoming leads", StageKind::Unsorted),
                stage(StageId(2), "Initial contact", StageKind::Open),
                stage(StageId(3), "Negotiation", StageKind::Open),
                stage(StageId(4), "Decision making", StageKind::Open),
                stage(WON, "Closed - won", StageKind::Won),
                stage(LOST, "Closed - lost", StageKind::Lost),
            ],
        }]
    }

    /// The stage with these numbers.
    #[must_use]
    pub fn stage(&self, pipeline: PipelineId, stage: StageId) -> Option<&Stage> {
        let pipeline = self.pipelines.iter().find(|known| known.id == pipeline)?;
        pipeline.stages.iter().find(|known| known.id == stage)
    }

    /// Where deals from conversations arrive: the unsorted stage of the default pipeline.
    #[must_use]
    pub fn arrival(&self) -> Option<(PipelineId, StageId)> {
        let pipeline = self.pipelines.first()?;
        let stage = pipeline
            .stages
            .iter()
            .find(|stage| stage.kind == StageKind::Unsorted)?;
        Some((pipeline.id, stage.id))
    }
}
