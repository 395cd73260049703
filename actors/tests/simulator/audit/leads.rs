//! Leads and contacts: one group with the message that they begin with.

use std::collections::BTreeMap;

use switchboard_actors::domain::crm::{LOST, Lead};
use switchboard_actors::domain::id::{ConversationId, PersonId};
use switchboard_actors::system::inbox::MessageView;

use crate::audit::{BookSeen, Seen, Thread};
use crate::ledger::{LeadFate, Ledger};
use crate::world::World;

/// A conversation with a loud message has a lead, and one at a time; each lead has its contact; and all is as the user
/// left it.
pub(super) fn judge(ledger: &mut Ledger, world: &World, seen: &Seen) -> Result<(), String> {
    for crm in &seen.books {
        let mut leads: BTreeMap<ConversationId, Vec<&Lead>> = BTreeMap::new();
        for lead in &crm.leads {
            let conversation = lead
                .conversation()
                .ok_or_else(|| format!("{:?} has no chat", lead.id))?;
            leads.entry(conversation).or_default().push(lead);
        }
        contacts(crm)?;
        for (id, thread) in &seen.threads {
            let mine = thread.view.state.origin.as_ref();
            if mine.is_none_or(|origin| origin.scope.account() != crm.account) {
                continue;
            }
            let leads = leads.remove(id).unwrap_or_default();
            let declined = ledger.declined.get(id).copied().unwrap_or(0);
            of_thread(thread, &leads, declined)?;
        }
        if let Some(strange) = leads.keys().next() {
            return Err(format!("a lead of {strange} without a message"));
        }
        if crm.account == world.scopes[0].account() {
            decisions(ledger, crm)?;
        }
    }
    Ok(())
}

fn of_thread(thread: &Thread, leads: &[&Lead], declined: usize) -> Result<(), String> {
    let id = thread.view.state.id;
    let loud = thread
        .messages
        .iter()
        .filter(|message| matches!(message, MessageView::In { received, .. } if received.loud))
        .count();
    let active = leads.iter().filter(|lead| lead.is_active()).count();
    if (loud > 0) == leads.is_empty() {
        return Err(format!(
            "{id} has {loud} loud messages and {} leads",
            leads.len()
        ));
    }
    if active > 1 || leads.len() > declined + 1 {
        return Err(format!(
            "{id} has {} leads, {active} of them open",
            leads.len()
        ));
    }
    if thread.view.state.lead != (active == 1) {
        return Err(format!("{id} and the CRM disagree about its lead"));
    }
    if thread.view.lead.as_ref() != leads.last().copied() {
        return Err(format!("{id} shows another lead than its newest"));
    }
    Ok(())
}

/// Each lead has a contact, and each person one.
fn contacts(crm: &BookSeen) -> Result<(), String> {
    let mut people: Vec<PersonId> = crm.contacts.values().filter_map(|it| it.person).collect();
    people.sort();
    let count = people.len();
    people.dedup();
    if people.len() != count {
        return Err("a person is two contacts".to_owned());
    }
    for lead in &crm.leads {
        if !lead
            .contact
            .is_some_and(|contact| crm.contacts.contains_key(&contact))
        {
            return Err(format!("{:?} has no contact", lead.id));
        }
    }
    for contact in crm.contacts.values() {
        if !crm
            .leads
            .iter()
            .any(|lead| lead.contact == Some(contact.id))
        {
            return Err(format!("{:?} has no lead", contact.id));
        }
    }
    Ok(())
}

/// Checks that leads have changed by the user's decisions, and by nothing else.
fn decisions(ledger: &mut Ledger, crm: &BookSeen) -> Result<(), String> {
    for lead in &crm.leads {
        let fate = match (lead.stage, lead.responsible) {
            (LOST, _) => LeadFate::Lost,
            (_, Some(_)) => LeadFate::Accepted,
            (_, None) => LeadFate::Unsorted,
        };
        let fits = match ledger.leads.get_mut(&lead.id) {
            Some(possible) => possible.seen(|possible| *possible == fate),
            None => fate == LeadFate::Unsorted,
        };
        if !fits {
            return Err(format!("{:?} is {fate:?}", lead.id));
        }
    }
    let last = u64::try_from(crm.leads.len()).unwrap();
    match ledger.leads.keys().find(|id| id.0 > last) {
        Some(id) => Err(format!("{id:?} was decided on, and is not there")),
        None => Ok(()),
    }
}
