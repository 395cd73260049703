//! Contacts, as a user sees and changes them.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::crm::Contact;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::update_contact::{ContactChange, UpdateContact};
use crate::domain::id::ContactId;
use crate::domain::keys::changes::ChangeList;
use crate::domain::tables;
use crate::system::user_access::custom_fields::values_fit;
use crate::system::user_access::entity_filter::EntityFilter;
use crate::system::user_access::paging::{
    Candidates, Listed, PageOptions, PageStart, RowSource, examined_max,
};
use crate::system::user_access::tags::fit_one;
use crate::system::user_access::{CrmRejection, Reach, TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl UserAccess {
    /// The contacts that are wanted and that the user may see, by number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn contacts(
        &self,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Contact>, UnavailableError> {
        let reach = self.reach_of_contacts();
        self.system.kernel().caught_up().await;
        let first = self.contacts_by_address(filter)?;
        let candidates = match reach {
            _ if !filter.ids.is_empty() => RowSource::Chosen(filter.ids.clone()),
            Reach::Own => self.own(tables::CONTACTS_OF),
            Reach::Everything | Reach::Some => {
                RowSource::Numbers(self.system.crm(self.caller.account).await?.contacts)
            }
        };
        let rows = if filter.is_by_change() {
            let updated_at = async |number| {
                let contact = self.contact(ContactId(number)).await?;
                Ok(contact.map(|contact| contact.updated_at))
            };
            self.by_change(candidates, ChangeList::Contacts, filter.updated, updated_at)
                .await?
        } else {
            candidates
        };
        let options = PageOptions {
            newest_first: filter.newest_first(false),
            everything: reach == Reach::Everything && filter.takes_all(),
            examined_max: examined_max(filter),
        };
        let candidates = Candidates {
            first: &first,
            rows: &rows,
        };
        self.paginate_from_first(candidates, options, start, limit, async |number| {
            let contact = self.contact(ContactId(number)).await?;
            Ok(contact.filter(|contact| filter.takes_contact(contact)))
        })
        .await
    }

    /// The numbers of the contacts that the phone number or the e-mail address of a filter leads to; none when there are too
    /// many. They are found first: others may have it as a part of theirs, or in a name. A list in the order of the last change
    /// has its own order, and no first ones.
    pub(super) fn contacts_by_address(
        &self,
        filter: &EntityFilter,
    ) -> Result<BTreeSet<u64>, UnavailableError> {
        let query = filter.query.as_ref().filter(|_| !filter.is_by_change());
        let Some(query) = query else {
            return Ok(BTreeSet::new());
        };
        let ids = self.by_address::<8>(tables::CONTACTS_BY_ADDRESS, query)?;
        let numbers = ids.unwrap_or_default().into_iter();
        Ok(numbers.map(u64::from_be_bytes).collect())
    }

    /// A contact that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn contact(&self, id: ContactId) -> Result<Option<Contact>, UnavailableError> {
        let contact = self.system.contact(self.caller.account, id).await?;
        Ok(contact.filter(|contact| self.may_with(contact, EntityAction::View)))
    }

    /// Changes a contact.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not change it, or nothing can be stored now.
    pub async fn update_contact(
        &self,
        id: ContactId,
        change: ContactChange,
    ) -> Result<Contact, CommandError<CrmRejection>> {
        self.tags_fit(EntityKind::Contacts, &change.tags).await?;
        for _ in 0..TRIES {
            let contact = self
                .contact(id)
                .await?
                .ok_or(CommandError::Rejected(CrmRejection::Unknown))?;
            if !self.may_with(&contact, EntityAction::Edit) {
                return Err(CommandError::Rejected(CrmRejection::Denied(
                    EntityAction::Edit,
                )));
            }
            fit_one(&contact.tags, &change.tags).map_err(CommandError::Rejected)?;
            values_fit(&contact.values.with(&change.values)).map_err(CommandError::Rejected)?;
            let change = UpdateContact {
                by: By::from(&self.caller),
                account: self.caller.account,
                seen: contact,
                change: change.clone(),
            };
            match execute(self.system.kernel(), &self.caller.account, change).await {
                Ok(changed) => return Ok(changed),
                Err(CommandError::Rejected(_seen_otherwise)) => {}
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    /// Changes several contacts, one behind the other; none unless the user may change all of them.
    ///
    /// # Errors
    /// As [`Self::update_contact`]. When a change is not stored now, those before it are.
    pub async fn update_contacts(
        &self,
        changes: Vec<(ContactId, ContactChange)>,
    ) -> Result<Vec<Contact>, CommandError<CrmRejection>> {
        for (id, change) in &changes {
            let contact = self
                .contact(*id)
                .await?
                .ok_or(CommandError::Rejected(CrmRejection::Unknown))?;
            if !self.may_with(&contact, EntityAction::Edit) {
                return Err(CommandError::Rejected(CrmRejection::Denied(
                    EntityAction::Edit,
                )));
            }
            fit_one(&contact.tags, &change.tags).map_err(CommandError::Rejected)?;
            values_fit(&contact.values.with(&change.values)).map_err(CommandError::Rejected)?;
        }
        let mut outcomes = Vec::with_capacity(changes.len());
        for (id, change) in changes {
            outcomes.push(self.update_contact(id, change).await?);
        }
        Ok(outcomes)
    }

    pub(super) fn may_with(&self, contact: &Contact, action: EntityAction) -> bool {
        let thing = Self::of_contact(contact);
        self.authorize(Operation::Contacts(action), &thing).allowed
    }
}
