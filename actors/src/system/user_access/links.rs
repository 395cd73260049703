//! The links between leads and contacts, as a user sees and changes them. A user sees a link if they may see both, and
//! changes it if they may edit both.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::links::{CreateLinks, DeleteLinks, LinkedPair, LinkedPairs};
use crate::domain::id::{ContactId, LeadId};
use crate::system::user_access::entity_filter::{EntityFilter, ListOrder, OrderKey};
use crate::system::user_access::paging::PageStart;
use crate::system::user_access::{TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The most leads of one contact that a list of links has: the newest.
const LINKS_OF_CONTACT_MAX: usize = 250;

/// A link between a lead and a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The lead.
    pub lead: LeadId,
    /// The contact.
    pub contact: ContactId,
}

/// The change that a request makes to links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinksChange {
    Create,
    Delete,
}

/// An item that names something unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEnd {
    /// The place of the item, from 0.
    pub item: usize,
    /// The kind of the unknown entity.
    pub kind: EntityKind,
}

/// The rejection of changes of links.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinksRejection {
    /// These do not exist, or the user may not see them.
    #[error("{} of the items name objects that do not exist", .0.len())]
    Unknown(Vec<UnknownEnd>),
    /// The leads of these items would have a second contact.
    #[error("a lead has one contact here; unlink it before you link another")]
    SecondContact(Vec<usize>),
    /// The user sees the entity, and may not edit it.
    #[error("you need the right to edit the {}", .0.singular())]
    Denied(EntityKind),
}

impl UserAccess {
    /// The links of these leads or contacts that the user may see, by the number of the entity.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn links(
        &self,
        kind: EntityKind,
        ids: &BTreeSet<u64>,
    ) -> Result<Vec<Link>, UnavailableError> {
        let mut links = Vec::new();
        for id in ids {
            match kind {
                EntityKind::Leads => links.extend(self.link_of_lead(LeadId(*id)).await?),
                EntityKind::Contacts => {
                    links.extend(self.links_of_contact(ContactId(*id)).await?);
                }
            }
        }
        Ok(links)
    }

    async fn link_of_lead(&self, id: LeadId) -> Result<Option<Link>, UnavailableError> {
        let lead = self.lead(id).await?;
        let Some(contact) = lead.and_then(|lead| lead.contact) else {
            return Ok(None);
        };
        let is_visible = self.contact(contact).await?.is_some();
        Ok(is_visible.then_some(Link { lead: id, contact }))
    }

    async fn links_of_contact(&self, contact: ContactId) -> Result<Vec<Link>, UnavailableError> {
        if self.contact(contact).await?.is_none() {
            return Ok(Vec::new());
        }
        let filter = EntityFilter {
            contacts: BTreeSet::from([contact]),
            order: Some(ListOrder {
                key: OrderKey::Number,
                descending: true,
            }),
            ..EntityFilter::default()
        };
        let start = PageStart::default();
        let leads = self.leads(&filter, start, LINKS_OF_CONTACT_MAX).await?;
        let ids = leads.entries.iter().map(|lead| lead.id);
        Ok(ids.map(|lead| Link { lead, contact }).collect())
    }

    /// Links leads with contacts: all or none. A link that is there already stays as it is.
    ///
    /// # Errors
    /// When something is not there that the user may see, they may not edit it, a lead would have a second contact, or
    /// nothing can be stored now.
    pub async fn create_links(&self, wanted: &[Link]) -> Result<(), CommandError<LinksRejection>> {
        self.change_links(wanted, LinksChange::Create).await
    }

    /// Unlinks leads from contacts: all or none. What is not linked stays as it is.
    ///
    /// # Errors
    /// When something is not there that the user may see, they may not edit it, or nothing can be stored now.
    pub async fn delete_links(&self, wanted: &[Link]) -> Result<(), CommandError<LinksRejection>> {
        self.change_links(wanted, LinksChange::Delete).await
    }

    async fn change_links(
        &self,
        wanted: &[Link],
        change: LinksChange,
    ) -> Result<(), CommandError<LinksRejection>> {
        let account = self.caller.account;
        for _ in 0..TRIES {
            let pairs = LinkedPairs {
                by: By::from(&self.caller),
                account,
                pairs: self.judged_pairs(wanted, change).await?,
            };
            let kernel = self.system.kernel();
            let result = match change {
                LinksChange::Create => execute(kernel, &account, CreateLinks(pairs)).await,
                LinksChange::Delete => execute(kernel, &account, DeleteLinks(pairs)).await,
            };
            match result {
                Ok(()) => return Ok(()),
                Err(CommandError::Rejected(_seen_otherwise)) => {}
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    /// The leads and contacts that are to be changed, as they are now.
    async fn judged_pairs(
        &self,
        wanted: &[Link],
        change: LinksChange,
    ) -> Result<Vec<LinkedPair>, CommandError<LinksRejection>> {
        let mut pairs: Vec<LinkedPair> = Vec::with_capacity(wanted.len());
        let (mut unknown, mut second, mut denied) = (Vec::new(), Vec::new(), None);
        let mut leads = BTreeSet::new();
        for (item, link) in wanted.iter().enumerate() {
            let lead = self.lead(link.lead).await?;
            let contact = self.contact(link.contact).await?;
            let ends = [
                (lead.is_none(), EntityKind::Leads),
                (contact.is_none(), EntityKind::Contacts),
            ];
            let missing = ends.into_iter().filter(|(is_missing, _)| *is_missing);
            unknown.extend(missing.map(|(_, kind)| UnknownEnd { item, kind }));
            let (Some(lead), Some(contact)) = (lead, contact) else {
                continue;
            };
            let pair = LinkedPair { lead, contact };
            denied = denied.or_else(|| self.denied_end(&pair));
            let mut earlier = pairs.iter().filter(|it| it.lead.id == pair.lead.id);
            let planned = earlier.next().map(|it| it.contact.id).or(pair.lead.contact);
            let has_effect = match change {
                LinksChange::Create => {
                    if planned.is_some_and(|planned| planned != pair.contact.id) {
                        second.push(item);
                    }
                    true
                }
                LinksChange::Delete => pair.lead.contact == Some(pair.contact.id),
            };
            if has_effect && leads.insert(pair.lead.id) {
                pairs.push(pair);
            }
        }
        let rejection = if !unknown.is_empty() {
            Some(LinksRejection::Unknown(unknown))
        } else if let Some(kind) = denied {
            Some(LinksRejection::Denied(kind))
        } else if !second.is_empty() {
            Some(LinksRejection::SecondContact(second))
        } else {
            None
        };
        rejection.map_or(Ok(pairs), |rejection| {
            Err(CommandError::Rejected(rejection))
        })
    }

    /// The end that the user may not edit.
    fn denied_end(&self, pair: &LinkedPair) -> Option<EntityKind> {
        // A user who follows a chat gets no right to change anything.
        let thing = Self::of_lead(&pair.lead, false);
        let edit = Operation::Leads(EntityAction::Edit);
        if !self.authorize(edit, &thing).allowed {
            return Some(EntityKind::Leads);
        }
        let may_edit = self.may_with(&pair.contact, EntityAction::Edit);
        (!may_edit).then_some(EntityKind::Contacts)
    }
}
