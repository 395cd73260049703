//! The events of messages. No list has them by time, so they are looked up in the conversations, the most active first. A
//! message that was imported silently is no event.

use std::collections::{BTreeMap, BTreeSet};

use super::created::newest_before;
use super::{AccountEvent, Collected, Wanted};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::crm::Lead;
use crate::domain::crm::account_events::{EventId, EventPlace, EventType, EventValue};
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{ChannelId, ContactId, ConversationId, LeadId, MessageId, UserId};
use crate::domain::time::UnixMillis;
use crate::domain::{keys, tables};
use crate::system::inbox::ConversationCursor;
use crate::system::user_access::chats::ChatFilter;
use crate::system::user_access::paging::PageStart;
use crate::system::user_access::{Reach, UserAccess};
use switchboard_engine::state::State as _;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The most conversations in which messages are looked for: those of the newest activity.
const CONVERSATIONS_MAX: usize = 1_000;
/// The most chats of the contacts of a filter.
const CHATS_MAX: usize = 250;
/// The most messages of one conversation that are examined for one page.
const EXAMINED_MAX: u64 = 1_000;
/// The number of rows that are read at once.
const BATCH: usize = 64;

/// A message as far as its event needs it.
struct Message {
    id: MessageId,
    number: u64,
    at: UnixMillis,
    /// The user who wrote it here.
    by: Option<UserId>,
    is_outgoing: bool,
    is_silent: bool,
}

impl Message {
    fn new(event: ConversationEvent) -> Option<Self> {
        match event {
            ConversationEvent::Received(received) => Some(Self {
                id: received.id,
                number: received.number,
                at: received.at,
                by: None,
                is_outgoing: received.is_imported(),
                is_silent: !received.loud,
            }),
            ConversationEvent::Replied(replied) => Some(Self {
                id: replied.id,
                number: replied.number,
                at: replied.at,
                by: Some(replied.by.user),
                is_outgoing: true,
                is_silent: false,
            }),
            ConversationEvent::Opened(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::LeadOpened
            | ConversationEvent::LeadChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_)
            | ConversationEvent::Condensed(_)
            | ConversationEvent::Snoozed(_)
            | ConversationEvent::Woken(_)
            | ConversationEvent::GroupAssigned(_)
            | ConversationEvent::Mentioned(_) => None,
        }
    }

    fn place(&self) -> EventPlace {
        EventPlace::of_message(self.at, self.number, self.id)
    }

    fn event_type(&self) -> EventType {
        if self.is_outgoing {
            EventType::OutgoingMessage
        } else {
            EventType::IncomingMessage
        }
    }
}

/// A conversation that the user may see, with what its messages are about.
struct Talk {
    conversation: ConversationId,
    messages: u64,
    origin: ChannelId,
    lead: Option<Lead>,
    contact: Option<ContactId>,
    /// The name of the contact, if there is no lead and the user may see the contact.
    contact_name: Option<String>,
}

impl Talk {
    fn event(&self, message: &Message) -> Option<AccountEvent> {
        let lead = self.lead.as_ref();
        let contact = self.contact.zip(self.contact_name.clone());
        let (kind, entity, name) = match (lead, contact) {
            (Some(lead), _) => (EntityKind::Leads, lead.id.0, lead.name.clone()),
            (None, Some((contact, name))) => (EntityKind::Contacts, contact.0, name),
            (None, None) => return None,
        };
        let value = EventValue::Message {
            id: message.id,
            origin: self.origin.clone(),
            talk: lead.map(|lead| lead.id),
        };
        Some(AccountEvent {
            id: EventId::Message(message.id),
            place: message.place(),
            event_type: message.event_type(),
            kind,
            entity,
            name,
            contact: self.contact,
            created_by: message.by,
            before: Vec::new(),
            after: vec![value],
            tags: BTreeMap::new(),
        })
    }
}

impl UserAccess {
    /// The events of messages, newest first.
    pub(super) async fn message_events(
        &self,
        wanted: Wanted<'_>,
    ) -> Result<Collected, UnavailableError> {
        let filter = wanted.filter;
        let types = [EventType::IncomingMessage, EventType::OutgoingMessage];
        let mut collected = Collected::default();
        if !types.into_iter().any(|it| filter.has_type(it)) {
            return Ok(collected);
        }
        if filter.entities.is_empty() {
            self.collect_latest(wanted, &mut collected).await?;
        } else {
            for conversation in self.wanted_conversations(wanted).await? {
                self.collect_of(conversation, wanted, &mut collected)
                    .await?;
            }
        }
        Ok(collected)
    }

    /// The event of a message that the user may see.
    pub(super) async fn message_event(
        &self,
        id: MessageId,
    ) -> Result<Option<AccountEvent>, UnavailableError> {
        let kernel = self.system.kernel();
        let Some(record) = kernel.index.record(keys::message(id))? else {
            return Ok(None);
        };
        let Some(conversation) = Conversation::id_of(&record.stream) else {
            return Ok(None);
        };
        let event = kernel.record(keys::message(id))?.map(|it| it.event);
        let message = event.and_then(Message::new).filter(|it| !it.is_silent);
        let talk = self.talk(conversation).await?;
        Ok(message
            .zip(talk)
            .and_then(|(message, talk)| talk.event(&message)))
    }

    async fn talk(&self, id: ConversationId) -> Result<Option<Talk>, UnavailableError> {
        let Some(visible) = self.seen(id).await? else {
            return Ok(None);
        };
        let Some(origin) = visible.state.origin else {
            return Ok(None);
        };
        let link = self.system.chat_link_of(self.caller.account, id)?;
        let contact = link.map(|link| link.contact);
        let contact_name = match (contact, &visible.lead) {
            (Some(contact), None) => self.name_of(EntityKind::Contacts, contact.0).await?,
            (_, _) => None,
        };
        Ok(Some(Talk {
            conversation: id,
            messages: visible.state.messages,
            origin: origin.scope.channel().clone(),
            lead: visible.lead,
            contact,
            contact_name,
        }))
    }

    /// The conversations of the leads, or of the contacts, that the filter names.
    async fn wanted_conversations(
        &self,
        wanted: Wanted<'_>,
    ) -> Result<BTreeSet<ConversationId>, UnavailableError> {
        let entities = &wanted.filter.entities;
        if wanted.filter.has_kind(EntityKind::Contacts) {
            let filter = ChatFilter {
                contacts: entities.iter().map(|id| ContactId(*id)).collect(),
                ..ChatFilter::default()
            };
            let chats = self
                .chats(&filter, PageStart::default(), CHATS_MAX)
                .await?
                .entries;
            return Ok(chats.into_iter().map(|link| link.conversation).collect());
        }
        let mut conversations = BTreeSet::new();
        for id in entities {
            let lead = self.lead(LeadId(*id)).await?;
            let Some(conversation) = lead.and_then(|lead| lead.conversation()) else {
                continue;
            };
            // Messages belong to the newest lead of the conversation.
            let newest = self.system.lead_of(conversation).await?;
            if newest.is_some_and(|newest| newest.id.0 == *id) {
                conversations.insert(conversation);
            }
        }
        Ok(conversations)
    }

    /// Collects from all conversations, as long as there may be a newer message in the next one.
    async fn collect_latest(
        &self,
        wanted: Wanted<'_>,
        collected: &mut Collected,
    ) -> Result<(), UnavailableError> {
        let caller = &self.caller;
        let (table, prefix) = if self.reach_of_leads() == Reach::Own {
            let prefix = keys::written_prefix(caller.account, caller.user);
            (tables::CONVERSATIONS_OF, prefix)
        } else {
            (tables::CONVERSATIONS, caller.account.bytes().to_vec())
        };
        let mut range = KeyRange::prefix(&prefix);
        let mut conversations = 0_usize;
        while conversations < CONVERSATIONS_MAX {
            let index = &self.system.kernel().index;
            let rows = index.scan(table, &range, ScanOrder::Ascending, BATCH)?;
            for (key, _) in &rows {
                let suffix = key.get(prefix.len()..);
                let Some(place) = suffix.and_then(|suffix| suffix.first_chunk()) else {
                    continue;
                };
                let active_at = ConversationCursor::active_at(place);
                if wanted.is_too_early(active_at)
                    || floor(collected, wanted).is_some_and(|floor| active_at < floor.at)
                {
                    return Ok(());
                }
                conversations = conversations.saturating_add(1);
                let conversation = ConversationCursor::conversation(place);
                self.collect_of(conversation, wanted, collected).await?;
            }
            let Some((last, _)) = rows.last().filter(|_| rows.len() == BATCH) else {
                return Ok(());
            };
            range = KeyRange::prefix(&prefix).behind(last.clone(), ScanOrder::Ascending);
        }
        Ok(())
    }

    /// Collects the wanted messages of a conversation, and leaves the newest of all.
    async fn collect_of(
        &self,
        conversation: ConversationId,
        wanted: Wanted<'_>,
        collected: &mut Collected,
    ) -> Result<(), UnavailableError> {
        let filter = wanted.filter;
        let talk = self.talk(conversation).await?;
        // A message is about the contact of its chat too.
        let is_about = |talk: &Talk| match talk.contact {
            None => filter.has_kind(EntityKind::Leads),
            Some(_) => true,
        };
        let Some(talk) = talk.filter(is_about) else {
            return Ok(());
        };
        let message = |number| {
            let key = keys::numbered(talk.conversation, number);
            let record = self.system.kernel().record(key)?;
            Ok::<_, UnavailableError>(record.and_then(|record| Message::new(record.event)))
        };
        let place = async |number| Ok(message(number)?.map(|message| message.place()));
        let newest = newest_before(wanted.before, talk.messages, &place).await?;
        let lowest = floor(collected, wanted);
        let (mut examined, mut taken) = (0_u64, 0_usize);
        for number in (1..=newest).rev() {
            let Some(message) = message(number)? else {
                continue;
            };
            let place = message.place();
            if wanted.is_too_early(place.at) || lowest.is_some_and(|lowest| place < lowest) {
                break;
            }
            let is_wanted = !message.is_silent
                && filter.has_type(message.event_type())
                && filter.has_author(message.by);
            if is_wanted {
                collected.events.extend(talk.event(&message));
                taken = taken.saturating_add(1);
            }
            if taken == wanted.count {
                break;
            }
            examined = examined.saturating_add(1);
            if examined == EXAMINED_MAX {
                collected.examined_to = collected.examined_to.max(Some(place));
                break;
            }
        }
        leave_newest(collected, wanted);
        Ok(())
    }
}

/// The place behind which nothing is needed: that of the last event when there are as many as wanted.
fn floor(collected: &Collected, wanted: Wanted<'_>) -> Option<EventPlace> {
    let last = collected.events.last().map(|event| event.place);
    last.filter(|_| collected.events.len() >= wanted.count)
}

/// Sorts the events and leaves so many as are wanted.
fn leave_newest(collected: &mut Collected, wanted: Wanted<'_>) {
    let events = &mut collected.events;
    events.sort_by_key(|event| std::cmp::Reverse(event.place));
    events.truncate(wanted.count);
    if let Some(place) = floor(collected, wanted) {
        collected.examined_to = collected.examined_to.max(Some(place));
    }
}
