//! A contact is changed by account users; as with deals, only if it still is what was seen.

use smallvec::smallvec;

use crate::domain::crm::change_deal::{SeenOtherwise, contact};
use crate::domain::crm::{Contact, ContactChanged, Crm, CrmEvent};
use crate::domain::id::{AccountId, UserId};
use crate::domain::text::Name;
use crate::domain::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// What is to be different of a contact; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactChange {
    /// The name.
    pub name: Option<Name>,
    /// The responsible user; `Some(None)`: no user.
    pub responsible: Option<Option<UserId>>,
}

/// Changes a contact.
#[derive(Clone, Debug)]
pub struct ChangeContact {
    /// The account.
    pub account: AccountId,
    /// The contact as it was seen.
    pub seen: Contact,
    /// What is to be different.
    pub change: ContactChange,
}

impl Command for ChangeContact {
    type Of = Crm;
    type Reply = Contact;
    type Rejection = SeenOtherwise;

    fn asks(&self, _state: &Crm) -> Keys {
        smallvec![keys::contact(self.account, self.seen.id)]
    }

    fn decide(
        self,
        _state: &Crm,
        found: &[Option<Recorded<CrmEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<CrmEvent, Contact>, SeenOtherwise> {
        let current = contact(found.first()).filter(|known| **known == self.seen);
        let current = current.ok_or(SeenOtherwise)?;
        let mut changed = Contact {
            name: self.change.name.unwrap_or_else(|| current.name.clone()),
            responsible: self.change.responsible.unwrap_or(current.responsible),
            ..current.clone()
        };
        if changed == *current {
            return Ok(Decision::unchanged(changed));
        }
        changed.updated_at = moment.now;
        let event = ContactChanged {
            contact: changed.clone(),
            before: current.responsible,
        };
        Ok(Decision::event(CrmEvent::Contact(Box::new(event)), changed))
    }
}
