//! The certificate of an erasure: the numbers of erased objects, and a hash that binds them to the records. It has no
//! names of customers.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use switchboard_domain::time::UnixMillis;

/// The certificate of an erasure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The time of the erasure.
    pub at: UnixMillis,
    /// The numbers of erased objects.
    pub counts: ErasedCounts,
    /// The number of erased records of the journal: only their sequence numbers are left.
    pub erased_records: u64,
    /// The number of records with less content than before.
    pub masked_records: u64,
    /// The places where the erasure did not search for a customer's details.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<NotSearched>,
    /// The SHA-256 of everything above, with the number of the erasure and the numbers of the records.
    pub hash: String,
}

/// A place where a customer's name, phone number or address may stand that an erasure does not look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSearched {
    /// Messages of other customers, users and integrations in conversations of other customers, and files in them.
    OtherConversations,
    /// The names, phone numbers and addresses that other customers gave of themselves.
    OtherCustomers,
    /// The names of users, roles, groups, channels and sources.
    NamesOfTheAccount,
}

impl NotSearched {
    /// All places, of the erasure of a customer.
    pub const ALL: [Self; 3] = [
        Self::OtherConversations,
        Self::OtherCustomers,
        Self::NamesOfTheAccount,
    ];
}

/// The numbers of erased objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErasedCounts {
    /// Conversations with all their messages.
    pub conversations: u64,
    /// Messages in both directions.
    pub messages: u64,
    /// The number of records of the state of callbacks.
    pub callback_records: u64,
    /// Contacts.
    pub contacts: u64,
    /// Leads.
    pub leads: u64,
    /// Notes.
    pub notes: u64,
    /// Tasks.
    pub tasks: u64,
    /// Users of an account.
    pub users: u64,
    /// Uploads, and copies of files.
    pub files: u64,
    /// Places elsewhere in which a name was masked.
    pub masked: u64,
}

impl Certificate {
    /// With the hash over its content, the number of the erasure, and the ranges of records as JSON.
    #[must_use]
    pub fn sealed(mut self, number: u64, erased: &str, masked: &str) -> Self {
        let counts = serde_json::to_string(&self.counts).unwrap_or_default();
        let not_searched = serde_json::to_string(&self.not_searched).unwrap_or_default();
        let mut hasher = Sha256::new();
        for part in [
            &number.to_string(),
            &self.at.get().to_string(),
            &counts,
            erased,
            masked,
            &not_searched,
        ] {
            hasher.update(part.as_bytes());
            hasher.update(b"\n");
        }
        self.hash = hex::encode(hasher.finalize());
        self
    }
}
