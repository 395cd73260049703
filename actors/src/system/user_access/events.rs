//! The events of the account, as a user sees them: newest first, each only if the user may see the lead, the contact or the
//! conversation that it is about.
//!
//! Four sources are merged: the audit log, leads and contacts that chats opened, and messages. Each gives the newest of its
//! events behind a place, and says how far it looked.

mod changes;
mod created;
mod messages;

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::crm::account_events::{EventId, EventPlace, EventType, EventValue};
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{ContactId, LeadId, TagId, UserId};
use crate::domain::text::TagName;
use crate::domain::time::UnixMillis;
use crate::system::user_access::UserAccess;
use crate::system::user_access::entity_filter::Span;
use crate::system::user_access::paging::{ListPosition, Listed, PageStart};
use switchboard_runtime::error::UnavailableError;

/// The most entries that one source examines for one page.
const EXAMINED_MAX: usize = 5_000;
/// The most events of one source for one page, with those that are skipped.
const COLLECTED_MAX: usize = 1_000;

/// Something that happened in the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountEvent {
    /// Its id.
    pub id: EventId,
    /// Its place in the list.
    pub place: EventPlace,
    /// Its type.
    pub event_type: EventType,
    /// The kind of the entity that it is about.
    pub kind: EntityKind,
    /// The number of the entity.
    pub entity: u64,
    /// The name of the entity.
    pub name: String,
    /// The contact of the chat, for a message.
    pub contact: Option<ContactId>,
    /// The user who did it; `None` for a customer and for the service.
    pub created_by: Option<UserId>,
    /// The values before it.
    pub before: Vec<EventValue>,
    /// The values after it.
    pub after: Vec<EventValue>,
    /// The names of the tags among the values.
    pub tags: BTreeMap<TagId, TagName>,
}

/// A filter of events; an empty field takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// With these ids.
    pub ids: BTreeSet<EventId>,
    /// Of these types.
    pub types: BTreeSet<EventType>,
    /// In this time.
    pub created: Span,
    /// By these users; 0 stands for customers and the service.
    pub created_by: BTreeSet<u64>,
    /// About these kinds of entities. A message is about the lead and about the contact of its chat.
    pub kinds: BTreeSet<EntityKind>,
    /// About the entities with these numbers, of the only kind.
    pub entities: BTreeSet<u64>,
}

impl EventFilter {
    fn has_type(&self, event_type: EventType) -> bool {
        self.types.is_empty() || self.types.contains(&event_type)
    }

    fn has_kind(&self, kind: EntityKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn has_entity(&self, kind: EntityKind, id: u64) -> bool {
        self.has_kind(kind) && (self.entities.is_empty() || self.entities.contains(&id))
    }

    /// Returns whether the filter takes an event, whatever its id.
    fn takes(&self, event: &AccountEvent) -> bool {
        let contact = event.contact.map(|contact| contact.0);
        let of_contact = |id| self.has_entity(EntityKind::Contacts, id);
        let is_about = self.has_entity(event.kind, event.entity) || contact.is_some_and(of_contact);
        is_about
            && self.has_type(event.event_type)
            && self.has_author(event.created_by)
            && self.created.has(event.place.at)
    }

    fn has_author(&self, user: Option<UserId>) -> bool {
        let number = user.map_or(0, |user| user.0);
        self.created_by.is_empty() || self.created_by.contains(&number)
    }
}

/// The events that a page needs.
#[derive(Clone, Copy, Debug)]
struct Wanted<'f> {
    filter: &'f EventFilter,
    /// Behind this place.
    before: EventPlace,
    /// So many of each source.
    count: usize,
}

impl Wanted<'_> {
    fn is_too_early(&self, at: UnixMillis) -> bool {
        self.filter.created.from.is_some_and(|from| at < from)
    }
}

/// The events of one source, newest first.
#[derive(Debug, Default)]
struct Collected {
    events: Vec<AccountEvent>,
    /// The place where the source stopped; `None` at its end.
    examined_to: Option<EventPlace>,
}

impl UserAccess {
    /// The events that are wanted and that the user may see, newest first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn events(
        &self,
        filter: &EventFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<AccountEvent>, UnavailableError> {
        self.system.kernel().caught_up().await;
        let latest = filter.created.to.unwrap_or(UnixMillis::new(u64::MAX));
        let skip = usize::try_from(start.skip).unwrap_or(usize::MAX);
        let search = Wanted {
            filter,
            before: start.after.map_or(EventPlace::last_of(latest), place_of),
            count: skip
                .saturating_add(limit)
                .saturating_add(1)
                .min(COLLECTED_MAX),
        };
        if !filter.ids.is_empty() {
            let events = self.chosen_events(search).await?;
            return Ok(merged([events], skip, limit));
        }
        let sources = [
            self.audited_events(search).await?,
            self.opened_leads(search).await?,
            self.opened_contacts(search).await?,
            self.message_events(search).await?,
        ];
        Ok(merged(sources, skip, limit))
    }

    /// An event that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn event(&self, id: EventId) -> Result<Option<AccountEvent>, UnavailableError> {
        self.system.kernel().caught_up().await;
        let place = match id {
            EventId::Message(message) => return self.message_event(message).await,
            EventId::Change(place) => place,
        };
        let event = if let Some(lead) = place.lead() {
            self.opened_lead(lead).await?
        } else if let Some(contact) = place.contact() {
            self.opened_contact(contact).await?
        } else {
            self.audited_event(place).await?
        };
        Ok(event.filter(|event| event.id == id))
    }

    /// The events with the wanted ids.
    async fn chosen_events(&self, wanted: Wanted<'_>) -> Result<Collected, UnavailableError> {
        let mut collected = Collected::default();
        for id in &wanted.filter.ids {
            let event = self.event(*id).await?;
            let is_wanted =
                |event: &AccountEvent| event.place < wanted.before && wanted.filter.takes(event);
            collected.events.extend(event.filter(is_wanted));
        }
        Ok(collected)
    }

    /// The name of a lead or a contact that the user may see.
    async fn name_of(&self, kind: EntityKind, id: u64) -> Result<Option<String>, UnavailableError> {
        Ok(match kind {
            EntityKind::Leads => self.lead(LeadId(id)).await?.map(|lead| lead.name),
            EntityKind::Contacts => {
                let contact = self.contact(ContactId(id)).await?;
                contact.map(|contact| String::from(contact.name))
            }
        })
    }
}

fn place_of(position: ListPosition) -> EventPlace {
    EventPlace {
        at: position.updated_at.unwrap_or(UnixMillis::ZERO),
        number: position.number,
    }
}

fn behind(place: EventPlace, skip: usize) -> PageStart {
    PageStart {
        after: Some(ListPosition {
            updated_at: Some(place.at),
            number: place.number,
        }),
        skip: u64::try_from(skip).unwrap_or(u64::MAX),
    }
}

/// The page of these events. Where a source stopped, later ones of the others wait for the next page.
fn merged(
    sources: impl IntoIterator<Item = Collected>,
    skip: usize,
    limit: usize,
) -> Listed<AccountEvent> {
    let (mut events, mut examined_to) = (Vec::new(), None);
    for source in sources {
        events.extend(source.events);
        examined_to = examined_to.max(source.examined_to);
    }
    events.retain(|event| examined_to.is_none_or(|place| place <= event.place));
    events.sort_by_key(|event| std::cmp::Reverse(event.place));
    let total = events.len();
    let rest = skip.saturating_sub(total);
    let entries: Vec<AccountEvent> = events.into_iter().skip(skip).take(limit).collect();
    let last = entries.last().map(|event| event.place);
    let next = match last {
        Some(place) if total > skip.saturating_add(limit) => Some(behind(place, 0)),
        Some(_) | None => examined_to.map(|place| behind(place, rest)),
    };
    Listed { entries, next }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(at: u64) -> AccountEvent {
        let place = EventPlace::of_lead(UnixMillis::new(at), LeadId(at));
        AccountEvent {
            id: EventId::Change(place),
            place,
            event_type: EventType::LeadAdded,
            kind: EntityKind::Leads,
            entity: at,
            name: String::new(),
            contact: None,
            created_by: None,
            before: Vec::new(),
            after: Vec::new(),
            tags: BTreeMap::new(),
        }
    }

    fn source(times: &[u64], stops: bool) -> Collected {
        let events: Vec<AccountEvent> = times.iter().map(|at| event(*at)).collect();
        let last = events.last().map(|event| event.place);
        Collected {
            events,
            examined_to: last.filter(|_| stops),
        }
    }

    fn times(page: &Listed<AccountEvent>) -> Vec<u64> {
        let entries = page.entries.iter();
        entries.map(|event| event.place.at.get()).collect()
    }

    #[test]
    fn sources_are_merged_by_time() {
        let page = merged([source(&[9, 5], false), source(&[8, 7], false)], 1, 2);
        assert_eq!(times(&page), [8, 7]);
        assert_eq!(page.next, Some(behind(event(7).place, 0)));
        let page = merged([source(&[9, 5], false), source(&[8, 7], false)], 0, 4);
        assert_eq!((times(&page), page.next), (vec![9, 8, 7, 5], None));
    }

    #[test]
    fn nothing_behind_a_source_that_stopped_is_given() {
        let page = merged([source(&[9, 7], true), source(&[8, 6, 5], false)], 0, 9);
        assert_eq!(times(&page), [9, 8, 7]);
        assert_eq!(page.next, Some(behind(event(7).place, 0)));
        let page = merged([source(&[9], true), source(&[8], false)], 3, 9);
        assert_eq!(times(&page), [0; 0]);
        assert_eq!(page.next, Some(behind(event(9).place, 2)));
    }
}
