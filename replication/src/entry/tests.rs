use switchboard_engine::store::Seq;
use switchboard_engine::time::UnixMillis;

use switchboard_engine::store::identity::InstallationTag;

use super::*;
use crate::position::Position;

/// An entry with this body after another one.
pub(crate) fn groups(position: u64, before: EntryId, body: &[u8]) -> Entry {
    let header = EntryHeader {
        position: Position(position),
        epoch: 2,
        claim: Position(3),
        before,
        time: UnixMillis::new(1_700_000_000_000),
        last: Seq(position),
        stands_for: None,
        content: Content::groups(Seq(position), body),
    };
    Entry::new(header, body.to_vec())
}

#[test]
fn the_bytes_of_an_entry_never_change() {
    let entry = groups(7, "ab".repeat(16).try_into().unwrap(), b"body");
    let bytes = entry.encode();
    assert_eq!(
        String::from_utf8(bytes.clone()).unwrap(),
        "switchboard log entry 1 4a46a424\n{\"position\":7,\"epoch\":2,\"claim\":3,\
         \"before\":\"abababababababababababababababab\",\"time\":1700000000000,\"last\":7,\"kind\":\"groups\",\"first\":7,\
         \"sha256\":\"230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5\"}\n\nbody"
    );
    assert_eq!(Entry::decode(&bytes), Ok(entry));
}

/// The claims of an archive and of a node differ in what they say of the node.
#[test]
fn the_bytes_of_a_claim_never_change() {
    let alone = Claimant::alone("p");
    let node = Claimant {
        node: "a".to_owned(),
        url: "http://a".to_owned(),
        process: "p".to_owned(),
    };
    let secret = Some(Secret([7; 16]));
    let tag = InstallationTag::from_secret([7; 16]);
    let archive = Claim::new(Position(2), alone, tag);
    let shared = Claim {
        secret,
        ..Claim::new(Position(6), node, tag)
    };
    let claims = [archive, shared].map(Content::Claim);
    let texts = claims
        .each_ref()
        .map(|it| serde_json::to_string(it).unwrap());
    assert_eq!(
        texts,
        [
            "{\"kind\":\"claim\",\"from\":2,\"process\":\"p\",\"installation\":\"7a61325e13ed94be\",\"format\":1}",
            "{\"kind\":\"claim\",\"from\":6,\"node\":\"a\",\"url\":\"http://a\",\"process\":\"p\",\"installation\":\"7a61325e13ed94be\",\
             \"secret\":\"07070707070707070707070707070707\",\"format\":1}"
        ]
    );
    for (claim, text) in claims.iter().zip(texts) {
        assert_eq!(&serde_json::from_str::<Content>(&text).unwrap(), claim);
    }
}

#[test]
fn every_flipped_bit_of_an_entry_is_found() {
    let bytes = groups(7, EntryId::default(), b"body").encode();
    for bit in 0..bytes.len() * 8 {
        let mut copy = bytes.clone();
        copy[bit / 8] ^= 1 << (bit % 8);
        assert!(Entry::decode(&copy).is_err(), "bit {bit}");
    }
    for foreign in [&b"x"[..], b"switchboard log entry 1 ", b""] {
        assert_eq!(Entry::decode(foreign), Err(EntryError::Foreign));
    }
}

#[test]
fn a_replaced_body_leaves_the_entry_what_it_is() {
    let entry = groups(7, EntryId::default(), b"body");
    let id = entry.id;
    let replaced = entry.replace(b"less".to_vec(), UnixMillis::new(5));
    let read = Entry::decode(&replaced.encode()).unwrap();
    assert_eq!((read.id, &*read.body), (id, &b"less"[..]));
    let mut bytes = replaced.encode();
    bytes.pop();
    assert_eq!(Entry::decode(&bytes), Err(EntryError::Changed));
}
