//! The events of leads and contacts that chats opened. Those that users created stand in the audit log.

use std::collections::BTreeMap;

use super::{AccountEvent, Collected, EXAMINED_MAX, EventFilter, Wanted};
use crate::domain::crm::account_events::{EventId, EventPlace, EventType};
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{ContactId, LeadId};
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// The creations of leads by chats, newest first.
    pub(super) async fn opened_leads(
        &self,
        wanted: Wanted<'_>,
    ) -> Result<Collected, UnavailableError> {
        if !takes(wanted.filter, EntityKind::Leads, EventType::LeadAdded) {
            return Ok(Collected::default());
        }
        let account = self.caller.account;
        let place = async |number| {
            let lead = self.system.lead(account, LeadId(number)).await?;
            Ok(lead.map(|lead| EventPlace::of_lead(lead.created_at, lead.id)))
        };
        let event = async |number| self.opened_lead(LeadId(number)).await;
        let last = self.crm().await?.leads;
        collect(wanted, last, place, event).await
    }

    /// The creations of contacts by chats, newest first.
    pub(super) async fn opened_contacts(
        &self,
        wanted: Wanted<'_>,
    ) -> Result<Collected, UnavailableError> {
        if !takes(wanted.filter, EntityKind::Contacts, EventType::ContactAdded) {
            return Ok(Collected::default());
        }
        let account = self.caller.account;
        let place = async |number| {
            let contact = self.system.contact(account, ContactId(number)).await?;
            Ok(contact.map(|contact| EventPlace::of_contact(contact.created_at, contact.id)))
        };
        let event = async |number| self.opened_contact(ContactId(number)).await;
        let last = self.crm().await?.contacts;
        collect(wanted, last, place, event).await
    }

    /// The creation of a lead that a chat opened and the user may see.
    pub(super) async fn opened_lead(
        &self,
        id: LeadId,
    ) -> Result<Option<AccountEvent>, UnavailableError> {
        let lead = self.lead(id).await?.filter(|lead| lead.chat.is_some());
        Ok(lead.map(|lead| {
            let place = EventPlace::of_lead(lead.created_at, id);
            creation(EventType::LeadAdded, EntityKind::Leads, place, lead.name)
        }))
    }

    /// The creation of a contact of a chat that the user may see.
    pub(super) async fn opened_contact(
        &self,
        id: ContactId,
    ) -> Result<Option<AccountEvent>, UnavailableError> {
        let entry = self.contact(id).await?;
        let contact = entry.filter(|contact| contact.person.is_some());
        Ok(contact.map(|contact| {
            let place = EventPlace::of_contact(contact.created_at, id);
            let name = String::from(contact.name);
            creation(EventType::ContactAdded, EntityKind::Contacts, place, name)
        }))
    }
}

fn creation(
    event_type: EventType,
    kind: EntityKind,
    place: EventPlace,
    name: String,
) -> AccountEvent {
    let contact = place.contact().map(|contact| contact.0);
    let entity = place.lead().map(|lead| lead.0).or(contact);
    AccountEvent {
        id: EventId::Change(place),
        place,
        event_type,
        kind,
        entity: entity.unwrap_or_default(),
        name,
        contact: None,
        created_by: None,
        before: Vec::new(),
        after: Vec::new(),
        tags: BTreeMap::new(),
    }
}

fn takes(filter: &EventFilter, kind: EntityKind, event_type: EventType) -> bool {
    filter.has_kind(kind) && filter.has_type(event_type) && filter.has_author(None)
}

/// Collects the events of entities, which are numbered in the order of their creation. `place` returns that of the creation of
/// any entity, `event` the creation itself, if it is one that the user may see.
async fn collect(
    wanted: Wanted<'_>,
    last: u64,
    place: impl AsyncFn(u64) -> Result<Option<EventPlace>, UnavailableError>,
    event: impl AsyncFn(u64) -> Result<Option<AccountEvent>, UnavailableError>,
) -> Result<Collected, UnavailableError> {
    let mut collected = Collected::default();
    let entities = &wanted.filter.entities;
    let mut number = match entities.last() {
        Some(newest) => last.min(*newest),
        None => newest_before(wanted.before, last, &place).await?,
    };
    let mut examined = 0_usize;
    while number > 0 {
        if let Some(place) = place(number).await?
            && place < wanted.before
        {
            if wanted.is_too_early(place.at) {
                break;
            }
            collected.events.extend(event(number).await?);
            examined = examined.saturating_add(1);
            if collected.events.len() >= wanted.count || examined == EXAMINED_MAX {
                collected.examined_to = Some(place);
                break;
            }
        }
        number = match entities.is_empty() {
            true => number.saturating_sub(1),
            false => entities.range(..number).next_back().copied().unwrap_or(0),
        };
    }
    Ok(collected)
}

/// The number of the newest of so many whose place is before another; 0 when there is none. Of those that were erased,
/// `place` knows nothing.
pub(super) async fn newest_before(
    before: EventPlace,
    last: u64,
    place: &impl AsyncFn(u64) -> Result<Option<EventPlace>, UnavailableError>,
) -> Result<u64, UnavailableError> {
    // The wanted one is from `low` to `high`.
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = high.saturating_sub(high.saturating_sub(low) / 2);
        let mut probe = middle;
        let mut nearest = place(probe).await?;
        while nearest.is_none() && probe > low.saturating_add(1) {
            probe = probe.saturating_sub(1);
            nearest = place(probe).await?;
        }
        match nearest {
            Some(place) if place >= before => high = probe.saturating_sub(1),
            Some(_) | None => low = middle,
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::UnixMillis;

    fn place(number: u64) -> EventPlace {
        EventPlace::of_lead(UnixMillis::new(number), LeadId(number))
    }

    async fn newest(before: u64, last: u64, erased: &[u64]) -> u64 {
        let there = async |number| Ok((!erased.contains(&number)).then(|| place(number)));
        newest_before(place(before), last, &there).await.unwrap()
    }

    #[tokio::test]
    async fn the_newest_before_a_place_is_found_among_erased_ones() {
        for before in 1..9 {
            assert_eq!(newest(before, 7, &[]).await, (before - 1).min(7));
        }
        assert_eq!(newest(9, 0, &[]).await, 0);
        // What is erased may be given: nothing is there.
        assert!([2, 3, 4].contains(&newest(5, 7, &[3, 4]).await));
        assert!(newest(3, 7, &[1, 2]).await <= 2);
        assert!(newest(6, 7, &[1, 2, 3, 4, 6, 7]).await >= 5);
    }
}
