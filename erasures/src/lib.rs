#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod begin;
pub mod certificate;
pub mod create;
pub mod judges;
pub mod note_failure;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::certificate::{Certificate, NotSearched};
use switchboard_domain::audit::{AuditEntry, By};
use switchboard_domain::id::{AccountId, ChannelId, ContactId, PersonId};
use switchboard_domain::kinds;
use switchboard_domain::notice::Notice;
use switchboard_domain::relays::RelayChat;
use switchboard_domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// All erasures that are remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erasures {
    /// The number of erasures so far.
    count: u64,
    orders: BTreeMap<u64, Erasure>,
}

/// An erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erasure {
    /// Its number, from 1.
    pub number: u64,
    /// The target.
    pub target: Target,
    /// The actor who ordered it.
    pub by: By,
    /// The time of the order.
    pub ordered_at: UnixMillis,
    /// The last record that it judges; `None`: that is not known before it is about to be carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upto: Option<u64>,
    /// The state.
    pub state: ErasureState,
}

/// The target of an erasure.
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
        /// The rules, with their ages.
        rules: Vec<RetentionRule>,
    },
    /// The hooks of a conversation that a relay took, whether they were delivered or wait.
    RelayedConversation {
        /// The names of the conversation: in its scope, and without one.
        chats: Vec<RelayChat>,
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
    /// The moment before which accepted records are erased; `None` erases none.
    pub before: Option<UnixMillis>,
    /// The most bytes of the bodies of hooks that the channel's relay keeps: beyond it the oldest ones are erased, whatever their age.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relayed_bytes_max: Option<u64>,
}

/// The state of an erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ErasureState {
    /// It is carried out when no system uses the store.
    Waiting,
    /// It was carried out.
    Done {
        /// The certificate.
        certificate: Box<Certificate>,
    },
    /// It could not be carried out: nothing was erased.
    Failed {
        /// The time of the failure.
        at: UnixMillis,
        /// The reason.
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
            Self::Messages { .. } | Self::RelayedConversation { .. } => None,
        }
    }

    /// Returns the places where an erasure does not search for a customer's details.
    #[must_use]
    pub fn not_searched(&self) -> Vec<NotSearched> {
        match self {
            Self::Customer(_) => NotSearched::ALL.to_vec(),
            Self::Account { .. } | Self::Messages { .. } | Self::RelayedConversation { .. } => {
                Vec::new()
            }
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
            Self::Account { .. } | Self::Messages { .. } | Self::RelayedConversation { .. } => self,
        }
    }
}

impl Erasure {
    /// Returns whether it is still to be carried out here with a known upper bound: another node carried it out, or was
    /// about to.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.is_waiting() && self.upto.is_some()
    }

    /// Returns whether it is still to be carried out.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.state == ErasureState::Waiting
    }
}

impl Erasures {
    /// The number of erasures in the list; the oldest that do not wait leave it first.
    pub const KEPT: usize = 2_000;
    /// The highest number of waiting erasures.
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
        let oldest_ended = self.orders.values().find(|known| !known.is_waiting());
        if let Some(oldest) = oldest_ended.map(|known| known.number)
            && self.orders.len() >= Self::KEPT
        {
            self.orders.remove(&oldest);
        }
        self.orders.insert(erasure.number, erasure.clone());
    }
}

/// An event of the erasures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErasuresEvent {
    /// One was ordered. When it is carried out, this record says so, with the certificate.
    Ordered {
        /// The erasure.
        erasure: Box<Erasure>,
        /// The audit entry.
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
        /// The time of the failure.
        at: UnixMillis,
        /// The reason.
        reason: String,
    },
}

impl State for Erasures {
    type Id = ();
    type Event = ErasuresEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::ERASURES;

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
