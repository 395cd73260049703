//! Entries for the tests of logs.

use switchboard_engine::store::identity::InstallationTag;
use switchboard_engine::time::UnixMillis;

use crate::entry::{Claim, Claimant, Content, Entry};
use crate::log_end::LogEnd;
use crate::position::Position;

fn entry(position: u64, content: Content, body: &[u8]) -> Vec<u8> {
    let end = LogEnd {
        position: Position(position - 1),
        epoch: 1,
        claim: Position(1),
        ..LogEnd::default()
    };
    let header = end.next_header(UnixMillis::ZERO, end.last, content);
    Entry::new(header, body.to_vec()).encode()
}

/// An entry that is no claim.
pub(super) fn heartbeat(position: u64, body: &[u8]) -> Vec<u8> {
    entry(position, Content::Heartbeat, body)
}

/// A claim.
pub(super) fn claim(position: u64) -> Vec<u8> {
    let tag = InstallationTag::from_secret([7; 16]);
    let claim = Claim::new(Position(position - 1), Claimant::alone("a"), tag);
    entry(position, Content::Claim(claim), b"")
}
