//! What an erasure certifies: how much of what was erased, and a hash that binds it to the records. It has no name.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::time::UnixMillis;

/// What was erased.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// When it was carried out.
    pub at: UnixMillis,
    /// How much of what was erased.
    pub counts: ErasedCounts,
    /// How many records of the journal were erased: only their numbers are left.
    pub erased_records: u64,
    /// How many records say less than before.
    pub masked_records: u64,
    /// Where the erasure did not look for what a customer is known by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<NotSearched>,
    /// The SHA-256 of everything above, with the number of the erasure and the numbers of the records.
    pub hash: String,
}

/// A place where a customer's name, phone number or address may stand that an erasure does not look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSearched {
    /// What other customers, users and integrations wrote in conversations of other customers, and files sent there.
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

/// How much of what was erased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErasedCounts {
    /// Conversations with all their messages.
    pub conversations: u64,
    /// Messages in both directions.
    pub messages: u64,
    /// What became of callbacks, step by step.
    pub callback_records: u64,
    /// Contacts.
    pub contacts: u64,
    /// Leads.
    pub leads: u64,
    /// Notes.
    pub notes: u64,
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
