//! Erasures: what the operator ordered to be erased, and the certificates of what was.
//!
//! An order waits in the journal until no system uses the store. The erasure itself then replaces the record of the order by
//! one with the certificate, so that the one is never without the other.

pub mod begin;
pub mod certificate;
pub mod judges;
pub mod note_failure;
pub mod order;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::audit::{AuditEntry, By};
use crate::erasures::certificate::{Certificate, NotSearched};
use crate::id::{AccountId, ChannelId, ContactId, PersonId};
use crate::kinds;
use crate::notice::Notice;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::{StreamKey, StreamKind};

/// All erasures that are remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erasures {
    /// How many there ever were.
    count: u64,
    orders: BTreeMap<u64, Erasure>,
}

/// An erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erasure {
    /// Its number, from 1.
    pub number: u64,
    /// What is erased.
    pub target: Target,
    /// Who ordered it.
    pub by: By,
    /// When it was ordered.
    pub ordered_at: UnixMillis,
    /// The last record that it judges; `None`: that is not known before it is about to be carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upto: Option<u64>,
    /// What became of it.
    pub state: ErasureState,
}

/// What is erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// A customer, with everything that is known of them.
    Customer(CustomerTarget),
    /// An account, with everything in it.
    Account {
        /// The account.
        account: AccountId,
    },
    /// Messages that are older than they are kept.
    Messages {
        /// Which, and how old.
        rules: Vec<RetentionRule>,
    },
}

/// A customer of an account, by the number of the contact, by the id of the person, or by both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerTarget {
    /// The account.
    pub account: AccountId,
    /// The contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactId>,
    /// The person. A certificate does not name it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
}

/// Messages are kept for a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetentionRule {
    /// Those of this account; `None`: of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// Those of this channel; `None`: of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelId>,
    /// What was accepted before this moment is erased; `None`: nothing is.
    pub before: Option<UnixMillis>,
}

/// What became of an erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ErasureState {
    /// It is carried out when no system uses the store.
    Waiting,
    /// It was carried out.
    Done {
        /// What was erased.
        certificate: Box<Certificate>,
    },
    /// It could not be carried out: nothing was erased.
    Failed {
        /// When.
        at: UnixMillis,
        /// Why.
        reason: String,
    },
}

impl Target {
    /// The account that it is about; `None` when there may be several.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Self::Customer(customer) => Some(customer.account),
            Self::Account { account } => Some(*account),
            Self::Messages { .. } => None,
        }
    }

    /// Where an erasure does not look for what a customer is known by.
    #[must_use]
    pub fn not_searched(&self) -> Vec<NotSearched> {
        match self {
            Self::Customer(_) => NotSearched::ALL.to_vec(),
            Self::Account { .. } | Self::Messages { .. } => Vec::new(),
        }
    }

    /// The target as a certificate names it: without the id of a person.
    #[must_use]
    pub fn without_person(self, contact: Option<ContactId>) -> Self {
        match self {
            Self::Customer(customer) => Self::Customer(CustomerTarget {
                contact: customer.contact.or(contact),
                person: None,
                ..customer
            }),
            Self::Account { .. } | Self::Messages { .. } => self,
        }
    }
}

impl Erasure {
    /// Whether it is still to be carried out here, and it is known what it goes up to: another node has carried it out, or was
    /// about to.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.is_waiting() && self.upto.is_some()
    }

    /// Whether it is still to be carried out.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.state == ErasureState::Waiting
    }
}

impl Erasures {
    /// How many erasures are remembered; the oldest that do not wait are forgotten.
    pub const KEPT: usize = 2_000;
    /// How many may wait.
    pub const WAITING_MAX: usize = 100;

    /// An erasure.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&Erasure> {
        self.orders.get(&number)
    }

    /// All erasures that are remembered, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Erasure> {
        self.orders.values().rev()
    }

    /// The oldest erasure that waits.
    #[must_use]
    pub fn waiting(&self) -> Option<&Erasure> {
        self.orders.values().find(|erasure| erasure.is_waiting())
    }

    fn put(&mut self, erasure: &Erasure) {
        self.count = self.count.max(erasure.number);
        let ended = self.orders.values().find(|known| !known.is_waiting());
        if let Some(oldest) = ended.map(|known| known.number)
            && self.orders.len() >= Self::KEPT
        {
            self.orders.remove(&oldest);
        }
        self.orders.insert(erasure.number, erasure.clone());
    }
}

/// What can happen to erasures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErasuresEvent {
    /// One was ordered. When it is carried out, this record says so, with the certificate.
    Ordered {
        /// The erasure.
        erasure: Box<Erasure>,
        /// Who did it.
        audit: Box<AuditEntry>,
    },
    /// One is about to be carried out. Each node of a shared log carries it out for itself, up to the same record.
    Begun {
        /// The erasure.
        number: u64,
        /// The last record that it judges.
        upto: u64,
    },
    /// One could not be carried out.
    Failed {
        /// The erasure.
        number: u64,
        /// When.
        at: UnixMillis,
        /// Why.
        reason: String,
    },
}

impl State for Erasures {
    type Id = ();
    type Event = ErasuresEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::ERASURES;

    fn stream(_id: &()) -> StreamKey {
        StreamKey::new(Self::KIND, &[])
    }

    fn id_of(stream: &StreamKey) -> Option<()> {
        stream.is(Self::KIND).then_some(())
    }

    fn initial(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &ErasuresEvent) {
        match event {
            ErasuresEvent::Ordered { erasure, .. } => self.put(erasure),
            ErasuresEvent::Begun { number, upto } => {
                if let Some(erasure) = self.orders.get_mut(number) {
                    erasure.upto = Some(*upto);
                }
            }
            ErasuresEvent::Failed { number, at, reason } => {
                // A node that has carried it out keeps the certificate.
                if let Some(erasure) = self.orders.get_mut(number)
                    && erasure.is_waiting()
                {
                    erasure.state = ErasureState::Failed {
                        at: *at,
                        reason: reason.clone(),
                    };
                }
            }
        }
    }

    fn index(&self, event: &ErasuresEvent, entries: &mut IndexEntries) {
        match event {
            ErasuresEvent::Ordered { audit, .. } => audit.index(entries),
            ErasuresEvent::Begun { .. } | ErasuresEvent::Failed { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests;
