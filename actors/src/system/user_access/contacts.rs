//! Contacts, as a user sees and changes them.

use crate::domain::account::rights::Action;
use crate::domain::account::rights::calculation::Deed;
use crate::domain::crm::change_contact::{ChangeContact, ContactChange};
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::{Contact, Crm};
use crate::domain::id::ContactId;
use crate::domain::tables;
use crate::error::{Refused, Unavailable};
use crate::system::user_access::walk::{EXAMINED_MAX, Listed, Manner, PageStart, RowSource};
use crate::system::user_access::{NotDone, Reach, TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;

impl UserAccess {
    /// The contacts that the user may see, by number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn contacts(
        &self,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Contact>, Unavailable> {
        let reach = self.reach_of_contacts();
        let rows = match reach {
            Reach::Own => self.own(tables::CONTACTS_OF),
            Reach::Everything | Reach::Some => {
                RowSource::Numbers(self.system.crm(self.caller.account).await?.contacts)
            }
        };
        let manner = Manner {
            newest_first: false,
            everything: reach == Reach::Everything,
            looks_max: EXAMINED_MAX,
        };
        self.system.env().caught_up().await;
        self.walk(&rows, manner, start, limit, async |number| {
            self.contact(ContactId(number)).await
        })
        .await
    }

    /// A contact that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn contact(&self, id: ContactId) -> Result<Option<Contact>, Unavailable> {
        let contact = self.system.contact(self.caller.account, id).await?;
        Ok(contact.filter(|contact| self.may_with(contact, Action::View)))
    }

    /// Changes a contact.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not change it, or nothing can be stored now.
    pub async fn change_contact(
        &self,
        id: ContactId,
        change: ContactChange,
    ) -> Result<Contact, Refused<NotDone>> {
        self.tags_fit(EntityKind::Contacts, change.tags.as_deref())
            .await?;
        for _ in 0..TRIES {
            let seen = self.contact(id).await?;
            let seen = seen.ok_or(Refused::Rejected(NotDone::Unknown))?;
            if !self.may_with(&seen, Action::Edit) {
                return Err(Refused::Rejected(NotDone::Denied(Action::Edit)));
            }
            let change = ChangeContact {
                account: self.caller.account,
                seen,
                change: change.clone(),
            };
            match execute::<Crm, _>(self.system.env(), &self.caller.account, change).await {
                Ok(changed) => return Ok(changed),
                Err(Refused::Rejected(_seen_otherwise)) => {}
                Err(Refused::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(Unavailable::Busy.into())
    }

    pub(super) fn may_with(&self, contact: &Contact, action: Action) -> bool {
        let thing = Self::of_contact(contact);
        self.rule(Deed::Contacts(action), &thing).allowed
    }
}
