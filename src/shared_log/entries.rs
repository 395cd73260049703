//! Entries for the tests of logs.

use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::FORMAT;
use switchboard_engine::store::shared_log::entry::{Content, Entry, EntryId, Header, Secret};
use switchboard_engine::store::shared_log::{Claimant, Place};

fn entry(place: u64, content: Content, groups: &[u8]) -> Vec<u8> {
    let header = Header {
        place: Place(place),
        epoch: 1,
        claim: Place(1),
        before: EntryId::default(),
        time: 0,
        last: Seq(0),
        content,
    };
    let groups = groups.to_vec();
    Entry { header, groups }.encode()
}

/// An entry that is no claim.
pub(super) fn beat(place: u64, groups: &[u8]) -> Vec<u8> {
    entry(place, Content::Beat, groups)
}

/// A claim.
pub(super) fn claim(place: u64) -> Vec<u8> {
    let word = || "a".to_owned();
    let claimant = Claimant {
        node: word(),
        url: word(),
        process: word(),
    };
    let content = Content::Claim {
        claimant,
        secret: Secret([7; 16]),
        format: FORMAT,
    };
    entry(place, content, b"")
}
