//! An account with a lead, its contact and its chat, and the records of what happens to them.

use bytes::Bytes;
use serde_json::{Value, json};
use switchboard_engine::state::{Recorded, State as _};

use crate::domain::audit::By;
use crate::domain::chat::message::{Attachment, FileSize};
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::{Author, ConversationEvent, Customer, Received, Replied};
use crate::domain::crm::authorship::Authorship;
use crate::domain::crm::entity::{EntityKind, NoteSubject};
use crate::domain::crm::fields::Price;
use crate::domain::crm::fields_of_users::FieldsOfUsers;
use crate::domain::crm::note::{Note, NoteChanged, NoteContent, NoteKind};
use crate::domain::crm::predefined_field::FieldIds;
use crate::domain::crm::tag::Tag;
use crate::domain::crm::task::{Task, TaskChanged, TaskContent, TaskType};
use crate::domain::crm::{
    Contact, ContactChanged, Crm, CrmEvent, Lead, LeadChanged, LeadChat, LeadPlace,
};
use crate::domain::generation::Generation;
use crate::domain::id::{
    AccountId, AccountNumber, ChannelId, ContactId, ConversationId, LeadId, NoteId, PipelineId,
    ScopeId, SourceNumber, StageId, TagId, TaskId, UserId,
};
use crate::domain::installation::accounts::subdomain::Subdomain;
use crate::domain::text::{MessageText, Name, SourceId};
use crate::domain::time::UnixMillis;
use crate::webhook_form::{
    ChatContext, ConversationContext, CrmContext, CustomerMessage, HookAccount,
};

pub(super) const CREATED: UnixMillis = UnixMillis::from_secs(1_764_000_000);
pub(super) const CHANGED: UnixMillis = UnixMillis::from_secs(1_764_000_600);
pub(super) const UNSORTED: StageId = StageId(1);
pub(super) const OPEN: StageId = StageId(2);
pub(super) const NEXT: StageId = StageId(3);
pub(super) const ADA: UserId = UserId(271_828);
pub(super) const BEN: UserId = UserId(271_829);
/// The number of the message that opened the lead.
pub(super) const OPENED_BY: u64 = 4;

/// The words of people in a fixture.
pub(super) struct Words {
    /// A name.
    pub(super) name: &'static str,
    /// A text.
    pub(super) text: String,
}

/// All of it.
pub(super) struct Fixture {
    pub(super) subdomain: Subdomain,
    pub(super) crm: Crm,
    pub(super) customer: Customer,
    pub(super) lead: Lead,
    pub(super) contact: Contact,
    pub(super) conversation: ConversationId,
    pub(super) channel: ChannelId,
    pub(super) source: SourceId,
    pub(super) user_name: Name,
    pub(super) words: Words,
}

impl Fixture {
    pub(super) fn plain() -> Self {
        Self::new(Words {
            name: "Grace Hopper",
            text: "Good evening! Is the lamp «Луна» still there? 100% sure & ready".to_owned(),
        })
    }

    pub(super) fn new(words: Words) -> Self {
        let account: AccountId = "52e591f7-c98f-4255-8495-827210138c81".parse().unwrap();
        let conversation = "8e4d4baa-9e6c-4a88-838a-5f62be227bdc".parse().unwrap();
        let channel: ChannelId = "telegram".parse().unwrap();
        let customer = Customer {
            person: "2ed64e26-70a1-4857-8382-bb066a076219".parse().unwrap(),
            client_id: Some("1398715343".parse().unwrap()),
            name: words.name.parse().unwrap(),
            avatar: Some("https://pictures.example/grace.jpg?s=128".parse().unwrap()),
            phone: Some("+49 30 901820".parse().unwrap()),
            email: None,
            profile_link: None,
        };
        let chat = LeadChat {
            conversation,
            scope: ScopeId::new(channel.clone(), account),
            opened_by: OPENED_BY,
        };
        Self {
            subdomain: "northwind".parse().unwrap(),
            crm: crm(account, words.name),
            contact: contact(&customer, &words),
            lead: lead(chat, &words),
            customer,
            conversation,
            channel,
            source: "lamp_bot".parse().unwrap(),
            user_name: "Ada Lovelace".parse().unwrap(),
            words,
        }
    }

    pub(super) fn account(&self) -> HookAccount<'_> {
        HookAccount {
            number: AccountNumber(31_415_926),
            subdomain: &self.subdomain,
            link: "https://northwind.amocrm.ru",
        }
    }

    pub(super) fn chat(&self) -> ChatContext<'_> {
        ChatContext {
            channel_name: "Telegram",
            title: self.words.name,
            customer: Some(&self.customer),
            source: Some(&self.source),
            source_number: Some(SourceNumber(7)),
            is_read: true,
            spoken: Some(OPENED_BY),
            last_message: Some(CustomerMessage {
                id: "0371a0ff-b78a-4c7b-8538-a7d547e10692".parse().unwrap(),
                written_at: CREATED,
                text: &self.words.text,
            }),
        }
    }

    pub(super) fn crm_context<'f>(&'f self, chat: &'f ChatContext<'f>) -> CrmContext<'f> {
        CrmContext {
            crm: &self.crm,
            field_ids: FieldIds::default(),
            note_author: Some(&self.user_name),
            chat: Some(chat),
        }
    }

    pub(super) fn conversation_context(&self) -> ConversationContext<'_> {
        ConversationContext {
            conversation: self.conversation,
            channel: &self.channel,
            lead: Some(&self.lead),
            contact: None,
            customer: Some(&self.customer),
            source_number: Some(SourceNumber(7)),
            spoken_before: None,
            unsorted: None,
            writer: None,
        }
    }

    /// The lead in this stage.
    pub(super) fn lead_in(&self, stage: StageId) -> Lead {
        Lead {
            stage,
            ..self.lead.clone()
        }
    }

    /// The lead when its chat went to another one while it was unsorted.
    pub(super) fn linked_lead(&self) -> Lead {
        Lead {
            merged_into: Some(LeadId(5151)),
            ..self.lead_in(UNSORTED)
        }
    }

    /// A change of the lead by Ada.
    pub(super) fn lead_changed(&self, before: Option<LeadPlace>, lead: Lead) -> CrmEvent {
        let is_new = before.is_none();
        CrmEvent::Lead(Box::new(LeadChanged {
            lead: Lead {
                updated_at: if is_new { CREATED } else { CHANGED },
                ..lead
            },
            before,
            contact_before: None,
            by: Some(ADA),
            reason: None,
            newest: true,
            followers: std::collections::BTreeSet::new(),
        }))
    }

    /// A change of the contact by Ada.
    pub(super) fn contact_changed(&self, before: Option<&Contact>) -> CrmEvent {
        let contact = Contact {
            updated_at: CHANGED,
            ..self.contact.clone()
        };
        let change = ContactChanged::new(contact, before);
        CrmEvent::Contact(Box::new(ContactChanged {
            by: Some(ADA),
            ..change
        }))
    }

    /// A new note about an entry of this kind.
    pub(super) fn note(&self, kind: EntityKind) -> NoteChanged {
        let note = Note {
            id: NoteId(12),
            about: NoteSubject { kind, id: 5_150 },
            content: NoteContent {
                kind: NoteKind::Common,
                text: self.text(),
            },
            authorship: Authorship::new(&By::Operator, ADA, CHANGED),
        };
        NoteChanged {
            note,
            updated_before: None,
        }
    }

    /// A new task about the lead.
    pub(super) fn task(&self) -> TaskChanged {
        let content = TaskContent {
            text: self.text(),
            kind: TaskType::Meeting,
            about: Some(NoteSubject {
                kind: EntityKind::Leads,
                id: 5_150,
            }),
            responsible: ADA,
            due_at: UnixMillis::from_secs(1_764_086_340),
            duration: 1_800,
            is_completed: false,
            result: None,
        };
        let task = Task {
            id: TaskId(31),
            content,
            authorship: Authorship::new(&By::Operator, ADA, CHANGED),
        };
        TaskChanged { task, before: None }
    }

    /// The task after another user completed it, and passed it on.
    pub(super) fn completed_task(&self) -> TaskChanged {
        let TaskChanged { task, .. } = self.task();
        let content = TaskContent {
            responsible: BEN,
            is_completed: true,
            result: Some(self.text()),
            ..task.content.clone()
        };
        let authorship = Authorship {
            updated_by: BEN,
            ..task.authorship
        };
        TaskChanged {
            before: Some(task.content),
            task: Task {
                id: task.id,
                content,
                authorship,
            },
        }
    }

    fn text(&self) -> MessageText {
        self.words.text.parse().unwrap()
    }

    /// The customer's message with this number and content, as it is stored.
    pub(super) fn received(&self, number: u64, content: &Value) -> Recorded<ConversationEvent> {
        let body = json!({ "event_type": "new_message", "payload": {
            "timestamp": CREATED.secs(),
            "msgid": "m-1",
            "conversation_id": "c-1",
            "sender": { "id": "1398715343", "name": self.words.name },
            "message": content,
        } });
        let message = Received {
            number,
            id: "0371a0ff-b78a-4c7b-8538-a7d547e10692".parse().unwrap(),
            msgid: "m-1".parse().unwrap(),
            at: CREATED,
            written_at: CREATED,
            loud: true,
            from: self.customer.person,
            origin: None,
            customer: None,
            generation: Generation::Current,
            name: None,
            to: None,
            source: None,
            post: None,
            media_from: None,
            avatar_from: None,
            pressed: None,
        };
        Recorded {
            event: ConversationEvent::Received(Box::new(message)),
            blob: Bytes::from(body.to_string()),
        }
    }

    /// The answer with this number.
    pub(super) fn replied(&self, number: u64, by: Author) -> Recorded<ConversationEvent> {
        let content = OutgoingContent::Text { text: self.text() };
        self.replied_with(number, by, content)
    }

    /// The answer with this number, which is a picture.
    pub(super) fn replied_with_picture(
        &self,
        number: u64,
        by: Author,
    ) -> Recorded<ConversationEvent> {
        let file = Attachment {
            media: "https://pictures.example/lamp.jpg?a=1&b=2".parse().unwrap(),
            name: self.words.name.parse().unwrap(),
            size: FileSize::try_from(57_000).unwrap(),
        };
        let content = OutgoingContent::Picture {
            thumbnail: file.media.clone(),
            file,
            text: Some(self.text()),
        };
        self.replied_with(number, by, content)
    }

    fn replied_with(
        &self,
        number: u64,
        by: Author,
        content: OutgoingContent,
    ) -> Recorded<ConversationEvent> {
        let replied = Replied {
            number,
            out: 1,
            id: "079e44fb-fc22-476b-9e8a-421b688ec53b".parse().unwrap(),
            at: CHANGED,
            by,
            content,
            scope: self.lead.chat.as_ref().unwrap().scope.clone(),
            to: self.customer.clone(),
            conversation_client_id: None,
            request: None,
            source: None,
            reply_to: None,
            post: None,
            lead: Some(self.lead.id),
            resends: None,
            template: None,
            list: None,
        };
        ConversationEvent::Replied(Box::new(replied)).into()
    }

    /// Ada, or a bot that has a token of hers.
    pub(super) fn author(&self, is_bot: bool) -> Author {
        let name = if is_bot {
            self.words.name
        } else {
            "Ada Lovelace"
        };
        Author {
            user: ADA,
            person: "76fc2bea-902f-425c-9a3d-dcdac4766090".parse().unwrap(),
            name: name.parse().unwrap(),
            client: None,
            is_bot,
        }
    }
}

fn crm(account: AccountId, name: &str) -> Crm {
    let fields = json!({ "last": 8, "last_enum": 41, "definitions": [
        { "id": 3, "entity": "leads", "name": name, "type": "text", "sort": 30 },
        { "id": 4, "entity": "leads", "name": "Colours", "type": "multiselect", "code": "COLOURS", "sort": 20,
          "enums": [{ "id": 40, "value": "Red", "sort": 1 }, { "id": 41, "value": name, "sort": 2 }] },
        { "id": 5, "entity": "leads", "name": "Paid", "type": "checkbox", "sort": 10 },
        { "id": 6, "entity": "leads", "name": "Due", "type": "date", "sort": 40 },
        { "id": 7, "entity": "leads", "name": "Weight", "type": "numeric", "sort": 50 },
        { "id": 8, "entity": "contacts", "name": "Page", "type": "url", "code": "PAGE", "sort": 10 },
    ] });
    Crm {
        pipelines: Crm::first_pipelines(),
        custom_fields: serde_json::from_value(fields).unwrap(),
        ..Crm::initial(&account)
    }
}

fn lead(chat: LeadChat, words: &Words) -> Lead {
    let values = json!({
        "3": { "text": words.text },
        "4": { "enums": [40, 41] },
        "5": { "switch": true },
        "6": { "date": 1_764_086_400 },
        "7": { "number": "12.5" },
    });
    Lead {
        id: LeadId(5_150),
        name: words.name.to_owned(),
        price: Price(4_900),
        pipeline: PipelineId(1),
        stage: OPEN,
        responsible: Some(ADA),
        contact: Some(ContactId(6_160)),
        chat: Some(chat),
        talk_closed: None,
        submission: None,
        sorted: None,
        merged_into: None,
        tags: vec![Tag {
            id: TagId(9),
            name: words.name.parse().unwrap(),
        }],
        values: serde_json::from_value(values).unwrap(),
        created_at: CREATED,
        updated_at: CREATED,
    }
}

fn contact(customer: &Customer, words: &Words) -> Contact {
    Contact {
        id: ContactId(6_160),
        name: words.name.parse().unwrap(),
        phones: customer.phone.clone().into(),
        emails: Some("grace@example.com".parse().unwrap()).into(),
        of_users: FieldsOfUsers::default(),
        responsible: Some(ADA),
        person: Some(customer.person),
        tags: Vec::new(),
        values: serde_json::from_value(json!({ "8": { "text": "https://a.example/?q=1&r[0]=2" } }))
            .unwrap(),
        created_at: CREATED,
        updated_at: CREATED,
    }
}
