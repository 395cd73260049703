//! The path of a customer's own details to their contact, in one group with the message that has them.

use std::collections::BTreeSet;
use std::convert::Infallible;

use smallvec::smallvec;

use crate::conversation::Conversation;
use crate::crm::link_chats::linked;
use crate::crm::self_description::{SelfDescription, is_stand_in};
use crate::crm::update_lead::{contact, lead};
use crate::crm::{Contact, ContactChanged, Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, ContactId, ConversationId, LeadId, ScopeId};
use crate::text::Name;
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// A customer describes themselves without opening a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowCustomer {
    /// The account.
    pub account: AccountId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The customer's own details.
    pub says: SelfDescription,
    /// The customer's name in the conversation before.
    pub called: Option<Name>,
}

/// The effect of a customer's own details.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// The lead that was opened.
    pub lead: Option<LeadId>,
    /// The contact that a user gave the chat to, when it is not that of the customer.
    pub elsewhere: Option<ContactId>,
}

impl Command for FollowCustomer {
    type Of = Crm;
    type Reply = Followed;
    type Rejection = Infallible;

    const OPTIONAL: bool = true;

    fn required_keys(&self, _state: &Crm) -> Keys {
        smallvec![
            keys::contact_of(self.account, self.says.customer.person),
            keys::chat(self.account, self.conversation),
            keys::lead_of(self.conversation),
        ]
    }

    fn decide(
        self,
        _state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Followed>, Infallible> {
        let contact = contact(moment.earlier(0));
        let link = linked(moment.earlier(1)).map(|link| link.contact);
        let mut events = Vec::new();
        if let Some(contact) = contact
            && let Some(after) = self.says.on(contact, moment.now)
        {
            let event = ContactChanged::new(after, Some(contact));
            events.push(CrmEvent::Contact(Box::new(event)).into());
        }
        let renamed =
            lead(moment.earlier(2)).and_then(|lead| self.renamed(lead, contact, moment.now));
        events.extend(renamed.map(|changed| CrmEvent::Lead(Box::new(changed)).into()));
        let reply = Followed {
            lead: None,
            elsewhere: link.filter(|link| contact.is_none_or(|contact| contact.id != *link)),
        };
        Ok(Decision::events(events, reply))
    }
}

impl FollowCustomer {
    /// Returns the command for the customer's details in a conversation with this earlier state; `None` when they are
    /// no news.
    #[must_use]
    pub fn if_news(scope: &ScopeId, before: &Conversation, says: SelfDescription) -> Option<Self> {
        let earlier = before.customer.as_ref();
        if !says.is_news(earlier) {
            return None;
        }
        let same_person = earlier.filter(|earlier| earlier.person == says.customer.person);
        Some(Self {
            account: scope.account(),
            conversation: before.id,
            called: same_person.map(|earlier| earlier.name.clone()),
            says,
        })
    }

    /// The newest lead of the conversation with the name of the customer, when the stand-in for it is the name of the lead: that
    /// of the customer so far, or of the contact.
    fn renamed(
        &self,
        lead: &Lead,
        contact: Option<&Contact>,
        now: UnixMillis,
    ) -> Option<LeadChanged> {
        let mut names = contact
            .map(|contact| &contact.name)
            .into_iter()
            .chain(&self.called);
        let is_called = names.any(|name| name.as_str() == lead.name);
        let email = self.says.customer.email.as_ref();
        if !is_called || !is_stand_in(&lead.name, email) || !self.says.has_name() {
            return None;
        }
        Some(LeadChanged {
            before: Some(lead.place()),
            contact_before: None,
            by: None,
            reason: None,
            newest: true,
            followers: BTreeSet::new(),
            lead: Lead {
                name: self.says.customer.name.as_str().to_owned(),
                updated_at: now,
                ..lead.clone()
            },
        })
    }
}

/// The path of a customer's own details to a contact that a user added and gave the chat to. The contact of another
/// customer does not change.
#[derive(Clone, Debug)]
pub struct FollowElsewhere {
    /// The account.
    pub account: AccountId,
    /// The contact.
    pub contact: ContactId,
    /// The customer's own details.
    pub says: SelfDescription,
}

impl Command for FollowElsewhere {
    type Of = Crm;
    type Reply = ();
    type Rejection = Infallible;

    fn required_keys(&self, _state: &Crm) -> Keys {
        smallvec![keys::contact(self.account, self.contact)]
    }

    fn decide(
        self,
        _state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, Infallible> {
        let current = contact(moment.earlier(0)).filter(|contact| contact.person.is_none());
        let after = current.and_then(|current| self.says.on(current, moment.now));
        Ok(match after {
            Some(after) => {
                let event = ContactChanged::new(after, current);
                Decision::event(CrmEvent::Contact(Box::new(event)), ())
            }
            None => Decision::unchanged(()),
        })
    }
}
