//! The rows of the index by which leads, contacts and chats are found.

use crate::crm::assignment::AssignmentReason;
use crate::crm::contact_addresses::Addresses;
use crate::crm::sorted::SortedRow;
use crate::crm::{ChatLinked, ContactChanged, LeadChanged};
use crate::id::AccountId;
use crate::keys;
use crate::keys::addresses::{self, change_rows};
use crate::keys::changes::{Change, ChangeList};
use crate::tables;
use crate::text::Phone;
use crate::text::email::Email;
use switchboard_engine::entries::IndexEntries;

impl LeadChanged {
    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let lead = &self.lead;
        entries.key(keys::lead(account, lead.id));
        if let (true, Some(conversation)) = (self.newest, lead.conversation()) {
            entries.key(keys::lead_of(conversation));
        }
        if let Some(before) = self.before {
            if (before.pipeline, before.stage) != (lead.pipeline, lead.stage) {
                let row = keys::stage_row(account, before.pipeline, before.stage, lead.id);
                entries.delete(tables::LEADS_BY_STAGE, row);
            }
            if let Some(user) = before.responsible
                && before.responsible != lead.responsible
            {
                let row = keys::lead_of_row(account, user, lead.id, false);
                entries.delete(tables::LEADS_OF, row);
            }
        }
        if let Some(before) = self.contact_before {
            let row = keys::lead_of_contact_row(account, before, lead.id);
            entries.delete(tables::LEADS_OF_CONTACT, row);
        }
        if lead.merged_into.is_some() {
            self.index_merged(account, entries);
            return;
        }
        if let Some(contact) = lead.contact {
            let row = keys::lead_of_contact_row(account, contact, lead.id);
            entries.put(tables::LEADS_OF_CONTACT, row, Vec::new());
        }
        let row = keys::stage_row(account, lead.pipeline, lead.stage, lead.id);
        entries.put(tables::LEADS_BY_STAGE, row, Vec::new());
        if let Some(user) = lead.responsible {
            let row = keys::lead_of_row(account, user, lead.id, false);
            entries.put(tables::LEADS_OF, row, Vec::new());
        }
        for user in &self.followers {
            let row = keys::lead_of_row(account, *user, lead.id, true);
            entries.put(tables::LEADS_OF, row, Vec::new());
        }
        let change = Change {
            before: self.before.map(|before| before.updated_at),
            now: lead.updated_at,
        };
        ChangeList::Leads.index(account, lead.id.0, change, entries);
        SortedRow::index(lead, account, entries);
        if let (Some(AssignmentReason::Rule), Some(user)) = (self.reason, lead.responsible) {
            let row = keys::waiting::assigned_row(account, user);
            let at = lead.updated_at.get().to_be_bytes().to_vec();
            entries.put(tables::ASSIGNED, row, at);
        }
    }

    /// Takes a lead out of all lists. Those of followers keep their rows, which lead to nothing.
    fn index_merged(&self, account: AccountId, entries: &mut IndexEntries) {
        let lead = &self.lead;
        let row = keys::stage_row(account, lead.pipeline, lead.stage, lead.id);
        entries.delete(tables::LEADS_BY_STAGE, row);
        if let Some(contact) = lead.contact {
            let row = keys::lead_of_contact_row(account, contact, lead.id);
            entries.delete(tables::LEADS_OF_CONTACT, row);
        }
        if let Some(user) = lead.responsible {
            let row = keys::lead_of_row(account, user, lead.id, false);
            entries.delete(tables::LEADS_OF, row);
        }
        if let Some(before) = self.before {
            ChangeList::Leads.remove(account, lead.id.0, before.updated_at, entries);
        }
    }
}

impl ContactChanged {
    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let contact = &self.contact;
        entries.key(keys::contact(account, contact.id));
        if let Some(person) = contact.person {
            entries.key(keys::contact_of(account, person));
        }
        let before = self.before.as_ref();
        if let Some(user) = before.and_then(|before| before.responsible)
            && Some(user) != contact.responsible
        {
            let row = keys::contact_of_row(account, user, contact.id);
            entries.delete(tables::CONTACTS_OF, row);
        }
        if let Some(user) = contact.responsible {
            let row = keys::contact_of_row(account, user, contact.id);
            entries.put(tables::CONTACTS_OF, row, Vec::new());
        }
        let change = Change {
            before: before.map(|before| before.updated_at),
            now: contact.updated_at,
        };
        ChangeList::Contacts.index(account, contact.id.0, change, entries);
        let id = contact.id.0.to_be_bytes();
        let then = before.map_or_else(Vec::new, |before| {
            address_rows(account, &before.phones, &before.emails, &id)
        });
        let now = address_rows(account, &contact.phones, &contact.emails, &id);
        change_rows(tables::CONTACTS_BY_ADDRESS, &then, now, entries);
    }
}

/// The rows by which a contact with this id is found.
fn address_rows(
    account: AccountId,
    phones: &Addresses<Phone>,
    emails: &Addresses<Email>,
    id: &[u8],
) -> Vec<Vec<u8>> {
    let of_phones = phones.values().map(|phone| addresses::Addresses {
        phone: Some(phone),
        ..addresses::Addresses::default()
    });
    let of_emails = emails.values().map(|email| addresses::Addresses {
        email: Some(email),
        ..addresses::Addresses::default()
    });
    let all = of_phones.chain(of_emails);
    let mut rows: Vec<_> = all.flat_map(|it| it.rows(account, id)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

impl ChatLinked {
    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::crm::tests::{OPEN, lead};
    use crate::crm::{Lead, LeadPlace, WON};
    use crate::id::UserId;
    use switchboard_engine::table::Table;

    fn account() -> AccountId {
        AccountId::from_random([1; 16])
    }

    /// The lists of stages and of users that a lead in [`OPEN`] leaves as it moves on from this place.
    fn left_lists(before: LeadPlace) -> Vec<Table> {
        let event = LeadChanged {
            lead: lead(OPEN),
            before: Some(before),
            contact_before: None,
            by: None,
            reason: None,
            newest: true,
            followers: BTreeSet::new(),
        };
        let mut entries = IndexEntries::default();
        event.index(account(), &mut entries);
        let removals = entries.rows.iter().filter(|row| row.value.is_none());
        let lists = [tables::LEADS_BY_STAGE, tables::LEADS_OF];
        removals
            .map(|row| row.table)
            .filter(|it| lists.contains(it))
            .collect()
    }

    #[test]
    fn a_lead_that_stays_leaves_no_list() {
        assert_eq!(left_lists(lead(OPEN).place()), []);
    }

    #[test]
    fn a_lead_leaves_the_list_of_its_stage_before() {
        assert_eq!(left_lists(lead(WON).place()), [tables::LEADS_BY_STAGE]);
    }

    #[test]
    fn a_lead_leaves_the_list_of_its_user_before() {
        let before = Lead {
            responsible: Some(UserId(99)),
            ..lead(OPEN)
        };
        assert_eq!(left_lists(before.place()), [tables::LEADS_OF]);
    }
}
