//! Account users create leads together with their contacts: all of them or none.

use crate::Decision;
use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::create_contacts::{self, NewContact};
use crate::crm::create_leads::{self, CreateLeadsRejection, NewLead};
use crate::crm::entity::EntityKind;
use crate::crm::make_tags;
use crate::crm::{Crm, CrmEvent, Lead};
use crate::id::{AccountId, ContactId};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Creates leads with their contacts.
#[derive(Clone, Debug)]
pub struct CreateComplexLeads {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The leads.
    pub leads: Vec<ComplexLead>,
}

/// A lead to be created, with the contact that is created for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComplexLead {
    /// The lead. It names the contact that it is about, if that one exists already.
    pub lead: NewLead,
    /// The contact that is created for the lead.
    pub contact: Option<NewContact>,
}

impl Command for CreateComplexLeads {
    type Of = Crm;
    type Reply = Vec<Lead>;
    type Rejection = CreateLeadsRejection;

    /// The keys of the contacts' tags, then those of the leads' tags.
    fn required_keys(&self, _state: &Crm) -> Keys {
        let contacts = self.leads.iter().filter_map(|it| it.contact.as_ref());
        let of_contacts =
            contacts.flat_map(|it| make_tags::asked(self.account, EntityKind::Contacts, &it.tags));
        let leads = self.leads.iter();
        let of_leads =
            leads.flat_map(|it| make_tags::asked(self.account, EntityKind::Leads, &it.lead.tags));
        of_contacts.chain(of_leads).collect()
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Lead>>, CreateLeadsRejection> {
        let author = Author {
            by: self.by,
            account: self.account,
        };
        let mut next = state.contacts;
        let (mut leads, mut contacts) = (Vec::with_capacity(self.leads.len()), Vec::new());
        for ComplexLead { mut lead, contact } in self.leads {
            if let Some(contact) = contact {
                next = next.saturating_add(1);
                lead.contact = Some(ContactId(next));
                contacts.push(contact);
            }
            leads.push(lead);
        }
        let count = contacts.iter().map(|contact| contact.tags.len()).sum();
        let records = moment.earlier;
        let (of_contacts, of_leads) = records.split_at_checked(count).unwrap_or((records, &[]));
        let mut events = Vec::new();
        create_contacts::create(state, contacts, &author, of_contacts, moment, &mut events)?;
        let leads = create_leads::create(state, leads, &author, of_leads, moment, &mut events)?;
        Ok(Decision::events(events, leads))
    }
}
