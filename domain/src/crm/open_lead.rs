//! A conversation opens its lead.
//!
//! A loud message in a conversation without an active lead creates exactly one lead, and a contact if the person has
//! none. The contact gets `profile.phone` and `profile.email`. The conversation owns the question whether a
//! lead is open; the CRM only opens. All records and the message are one group.
//!
//! From then on, the chat belongs to the contact. A chat that a user assigned to a contact earlier stays with that
//! contact, and its leads are about that contact.

use std::collections::BTreeSet;
use std::convert::Infallible;

use smallvec::smallvec;

use crate::crm::custom_fields::value::FieldValues;
use crate::crm::fields::Price;
use crate::crm::fields_of_users::FieldsOfUsers;
use crate::crm::follow_customer::Followed;
use crate::crm::link_chats::linked;
use crate::crm::self_description::SelfDescription;
use crate::crm::{
    ChatLink, ChatLinked, Contact, ContactChanged, Crm, CrmEvent, Lead, LeadChanged, LeadChat,
};
use crate::id::{
    AccountId, ChatLinkId, ContactId, ConversationId, LeadId, PipelineId, ScopeId, StageId, UserId,
};
use crate::text::SourceId;
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// A conversation opens its lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLead {
    /// The account.
    pub account: AccountId,
    /// The scope of the conversation.
    pub scope: ScopeId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The number of the message that opens the lead.
    pub message: u64,
    /// The own details of the customer who wrote.
    pub says: SelfDescription,
    /// The source that the conversation comes through.
    pub source: Option<SourceId>,
    /// The users who follow the conversation.
    pub followers: BTreeSet<UserId>,
}

impl Command for OpenLead {
    type Of = Crm;
    type Reply = Followed;
    type Rejection = Infallible;

    fn required_keys(&self, _state: &Crm) -> Keys {
        smallvec![
            keys::contact_of(self.account, self.says.customer.person),
            keys::chat(self.account, self.conversation),
        ]
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Followed>, Infallible> {
        let mut events = Vec::new();
        let beginning = state
            .pipelines
            .is_empty()
            .then(|| begin(state, &mut events));
        let pipelines = beginning.as_ref().unwrap_or(state);
        let current = match moment.earlier(0) {
            Some(Recorded {
                event: CrmEvent::Contact(changed),
                ..
            }) => Some(&changed.contact),
            _ => None,
        };
        let linked = linked(moment.earlier(1)).map(|link| link.contact);
        let elsewhere = linked.filter(|linked| current.is_none_or(|current| current.id != *linked));
        let contact = match elsewhere {
            Some(linked) => {
                // The chat is another contact's; the customer's own follows them too.
                if current.is_some() {
                    self.contact_of_person(state, current, moment, &mut events);
                }
                linked
            }
            None => self.contact_of_person(state, current, moment, &mut events),
        };
        if linked.is_none() {
            let link = ChatLink {
                id: ChatLinkId(state.chats.saturating_add(1)),
                conversation: self.conversation,
                contact,
            };
            let linked = ChatLinked { link, before: None };
            events.push(CrmEvent::Chat(linked).into());
        }
        let (pipeline, stage) = pipelines
            .arrival_through(self.source.as_ref())
            .unwrap_or((PipelineId(1), StageId(1)));
        let lead = Lead {
            contact: Some(contact),
            ..self.new_lead(state, pipeline, stage, moment.now)
        };
        let reply = Followed {
            lead: Some(lead.id),
            elsewhere,
        };
        let event = LeadChanged {
            lead,
            before: None,
            contact_before: None,
            by: None,
            reason: None,
            newest: true,
            followers: self.followers,
        };
        events.push(CrmEvent::Lead(Box::new(event)).into());
        Ok(Decision::events(events, reply))
    }
}

/// Begins the CRM with its first pipelines, and returns the state that has them.
fn begin(state: &Crm, events: &mut Vec<Recorded<CrmEvent>>) -> Crm {
    let beginning = CrmEvent::Begun(Crm::first_pipelines());
    let mut crm = state.clone();
    switchboard_engine::state::State::apply(&mut crm, &beginning);
    events.push(beginning.into());
    crm
}

impl OpenLead {
    /// The lead in this place, without its contact.
    fn new_lead(&self, state: &Crm, pipeline: PipelineId, stage: StageId, now: UnixMillis) -> Lead {
        Lead {
            id: LeadId(state.leads.saturating_add(1)),
            name: self.says.customer.name.as_str().to_owned(),
            price: Price::default(),
            pipeline,
            stage,
            responsible: None,
            contact: None,
            chat: Some(LeadChat {
                conversation: self.conversation,
                scope: self.scope.clone(),
                opened_by: self.message,
            }),
            talk_closed: None,
            submission: None,
            sorted: None,
            merged_into: None,
            tags: Vec::new(),
            values: FieldValues::default(),
            created_at: now,
            updated_at: now,
        }
    }

    /// The contact of the person, with what has to be stored for it: new, or the known one with what the customer says.
    fn contact_of_person(
        &self,
        state: &Crm,
        known: Option<&Contact>,
        moment: &Moment<'_, CrmEvent>,
        events: &mut Vec<Recorded<CrmEvent>>,
    ) -> ContactId {
        let contact = match known {
            Some(known) => match self.says.on(known, moment.now) {
                Some(contact) => contact,
                None => return known.id,
            },
            None => self.new_contact(state, moment),
        };
        let id = contact.id;
        let event = ContactChanged::new(contact, known);
        events.push(CrmEvent::Contact(Box::new(event)).into());
        id
    }

    fn new_contact(&self, state: &Crm, moment: &Moment<'_, CrmEvent>) -> Contact {
        let customer = &self.says.customer;
        Contact {
            id: ContactId(state.contacts.saturating_add(1)),
            name: customer.name.clone(),
            phones: customer.phone.clone().into(),
            emails: customer.email.clone().into(),
            of_users: FieldsOfUsers::default(),
            responsible: None,
            person: Some(customer.person),
            tags: Vec::new(),
            values: FieldValues::default(),
            created_at: moment.now,
            updated_at: moment.now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::Customer;
    use crate::id::PersonId;
    use crate::time::UnixMillis;
    use switchboard_engine::state::State;

    fn open(customer: Customer) -> OpenLead {
        let account = AccountId::from_random([1; 16]);
        let scope = format!("c_{account}").parse().unwrap();
        OpenLead {
            account,
            scope,
            conversation: ConversationId::from_random([2; 16]),
            message: 1,
            says: SelfDescription::new(customer, None),
            source: None,
            followers: BTreeSet::from([UserId(3)]),
        }
    }

    fn ada() -> Customer {
        Customer {
            person: PersonId::from_random([3; 16]),
            client_id: Some("u1".parse().unwrap()),
            name: "Ada".parse().unwrap(),
            avatar: None,
            phone: Some("+1".parse().unwrap()),
            email: None,
            profile_link: None,
        }
    }

    fn decide(crm: &Crm, contact: Option<CrmEvent>, customer: Customer) -> Vec<CrmEvent> {
        let mut random = || [9; 16];
        let earlier = [contact.map(Recorded::from)];
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut random,
            earlier: &earlier,
        };
        let decision = open(customer).decide(crm, &mut moment).unwrap();
        decision
            .events
            .into_iter()
            .map(|recorded| recorded.event)
            .collect()
    }

    #[test]
    fn the_first_lead_creates_the_book_and_the_contact() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let events = decide(&crm, None, ada());
        assert!(matches!(
            events.as_slice(),
            [
                CrmEvent::Begun(_),
                CrmEvent::Contact(_),
                CrmEvent::Chat(_),
                CrmEvent::Lead(_)
            ]
        ));
        for event in &events {
            crm.apply(event);
        }
        assert_eq!((crm.leads, crm.contacts, crm.chats), (1, 1, 1));
        assert_eq!(crm.arrival(), Some((PipelineId(1), StageId(1))));
    }

    #[test]
    fn a_chat_linked_to_a_contact_stays_linked() {
        let crm = Crm::initial(&AccountId::from_random([1; 16]));
        let link = ChatLink {
            id: ChatLinkId(1),
            conversation: open(ada()).conversation,
            contact: ContactId(7),
        };
        let linked = CrmEvent::Chat(ChatLinked { link, before: None });
        let earlier = [None, Some(Recorded::from(linked))];
        let mut random = || [9; 16];
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut random,
            earlier: &earlier,
        };
        let decision = open(ada()).decide(&crm, &mut moment).unwrap();
        let events: Vec<_> = decision.events.iter().map(|it| &it.event).collect();
        match events.as_slice() {
            [CrmEvent::Begun(_), CrmEvent::Lead(changed)] => {
                assert_eq!(changed.lead.contact, Some(ContactId(7)));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_person_keeps_one_contact_that_collects_the_profile() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let events = decide(&crm, None, ada());
        for event in &events {
            crm.apply(event);
        }
        let contact = events
            .into_iter()
            .find(|event| matches!(event, CrmEvent::Contact(_)));
        let again = decide(&crm, contact.clone(), ada());
        assert!(matches!(
            again.as_slice(),
            [CrmEvent::Chat(_), CrmEvent::Lead(_)]
        ));
        let with_email = Customer {
            email: Some("ada@example.com".parse().unwrap()),
            phone: None,
            ..ada()
        };
        match decide(&crm, contact, with_email).as_slice() {
            [
                CrmEvent::Contact(contact),
                CrmEvent::Chat(_),
                CrmEvent::Lead(changed),
            ] => {
                assert_eq!(
                    contact.contact.phones.first().map(|phone| phone.as_str()),
                    Some("+1")
                );
                assert_eq!(
                    contact.contact.emails.first().map(|email| email.as_str()),
                    Some("ada@example.com")
                );
                assert_eq!(changed.lead.contact, Some(contact.contact.id));
            }
            other => panic!("{other:?}"),
        }
    }
}
