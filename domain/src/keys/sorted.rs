//! Rows of the leads that users accepted or declined.

use crate::id::{AccountId, LeadId};
use crate::keys::PREFIX;
use crate::time::UnixMillis;

/// The place of a lead among those of its account: by the time of its creation.
#[must_use]
pub fn row(account: AccountId, created_at: UnixMillis, lead: LeadId) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.extend(created_at.get().to_be_bytes());
    key.extend(lead.0.to_be_bytes());
    key
}

/// The time and the lead in a [`row`].
#[must_use]
pub fn parse_row(key: &[u8]) -> Option<(UnixMillis, LeadId)> {
    let (created_at, lead) = key.get(PREFIX..)?.split_first_chunk::<8>()?;
    let lead = <[u8; 8]>::try_from(lead).ok()?;
    Some((
        UnixMillis::new(u64::from_be_bytes(*created_at)),
        LeadId(u64::from_be_bytes(lead)),
    ))
}
