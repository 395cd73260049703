//! Deals and contacts: one group with the message that they begin with.

use std::collections::BTreeMap;

use switchboard_actors::domain::crm::{Deal, LOST};
use switchboard_actors::domain::id::{ConversationId, PersonId};
use switchboard_actors::system::inbox::MessageView;

use crate::audit::{BookSeen, Seen, Thread};
use crate::ledger::{DealFate, Ledger};
use crate::world::World;

/// A conversation with a loud message has a deal, and one at a time; each deal has its contact; and all is as the user
/// left it.
pub(super) fn judge(ledger: &mut Ledger, world: &World, seen: &Seen) -> Result<(), String> {
    for crm in &seen.books {
        let mut deals: BTreeMap<ConversationId, Vec<&Deal>> = BTreeMap::new();
        for deal in &crm.deals {
            let conversation = deal
                .conversation()
                .ok_or_else(|| format!("{:?} has no chat", deal.id))?;
            deals.entry(conversation).or_default().push(deal);
        }
        contacts(crm)?;
        for (id, thread) in &seen.threads {
            let mine = thread.view.state.origin.as_ref();
            if mine.is_none_or(|origin| origin.scope.account() != crm.account) {
                continue;
            }
            let deals = deals.remove(id).unwrap_or_default();
            let declined = ledger.declined.get(id).copied().unwrap_or(0);
            of_thread(thread, &deals, declined)?;
        }
        if let Some(strange) = deals.keys().next() {
            return Err(format!("a deal of {strange} without a message"));
        }
        if crm.account == world.scopes[0].account() {
            decisions(ledger, crm)?;
        }
    }
    Ok(())
}

fn of_thread(thread: &Thread, deals: &[&Deal], declined: usize) -> Result<(), String> {
    let id = thread.view.state.id;
    let loud = thread
        .messages
        .iter()
        .filter(|message| matches!(message, MessageView::In { received, .. } if received.loud))
        .count();
    let active = deals.iter().filter(|deal| deal.is_active()).count();
    if (loud > 0) == deals.is_empty() {
        return Err(format!(
            "{id} has {loud} loud messages and {} deals",
            deals.len()
        ));
    }
    if active > 1 || deals.len() > declined + 1 {
        return Err(format!(
            "{id} has {} deals, {active} of them open",
            deals.len()
        ));
    }
    if thread.view.state.deal != (active == 1) {
        return Err(format!("{id} and the CRM disagree about its deal"));
    }
    if thread.view.deal.as_ref() != deals.last().copied() {
        return Err(format!("{id} shows another deal than its newest"));
    }
    Ok(())
}

/// Each deal has a contact, and each person one.
fn contacts(crm: &BookSeen) -> Result<(), String> {
    let mut people: Vec<PersonId> = crm.contacts.values().filter_map(|it| it.person).collect();
    people.sort();
    let count = people.len();
    people.dedup();
    if people.len() != count {
        return Err("a person is two contacts".to_owned());
    }
    for deal in &crm.deals {
        if !deal
            .contact
            .is_some_and(|contact| crm.contacts.contains_key(&contact))
        {
            return Err(format!("{:?} has no contact", deal.id));
        }
    }
    for contact in crm.contacts.values() {
        if !crm
            .deals
            .iter()
            .any(|deal| deal.contact == Some(contact.id))
        {
            return Err(format!("{:?} has no deal", contact.id));
        }
    }
    Ok(())
}

/// Checks that deals have changed by the user's decisions, and by nothing else.
fn decisions(ledger: &mut Ledger, crm: &BookSeen) -> Result<(), String> {
    for deal in &crm.deals {
        let fate = match (deal.stage, deal.responsible) {
            (LOST, _) => DealFate::Lost,
            (_, Some(_)) => DealFate::Accepted,
            (_, None) => DealFate::Unsorted,
        };
        let fits = match ledger.deals.get_mut(&deal.id) {
            Some(possible) => possible.seen(|possible| *possible == fate),
            None => fate == DealFate::Unsorted,
        };
        if !fits {
            return Err(format!("{:?} is {fate:?}", deal.id));
        }
    }
    let last = u64::try_from(crm.deals.len()).unwrap();
    match ledger.deals.keys().find(|id| id.0 > last) {
        Some(id) => Err(format!("{id:?} was decided on, and is not there")),
        None => Ok(()),
    }
}
