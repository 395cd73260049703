//! Whose records a damaged place held, as far as that can still be told.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::Value;

use crate::domain::id::{AccountId, ConversationId, ScopeId};
use crate::domain::index::{StreamKey, StreamKind};
use crate::domain::keys;
use crate::store::Seq;
use crate::store::disk::Disk;
use crate::store::index::fold::Folders;
use crate::store::record::{HEAD_BYTES, Kind, Payload};
use crate::store::recovery::witness;
use crate::store::segment::cursor::{Cursor, Stop};
use crate::store::segment::{FIRST_OFFSET, Segment};
use crate::store::width::{narrow, wide};

/// How much of a damaged record is looked at for its stream's name, which stands at its beginning.
const LOOKED_AT: u64 = 4096;

/// The stream that the damaged bytes of a record name, if what they name can be one.
pub(super) fn stream_at(
    segment: &Segment,
    offset: u64,
    end: u64,
    folders: &Folders,
) -> io::Result<Option<StreamKey>> {
    let payload = offset.saturating_add(wide(HEAD_BYTES));
    let length = end.saturating_sub(payload).min(LOOKED_AT);
    let mut bytes = vec![0; narrow(length)];
    let count = segment.file.read_at(payload, &mut bytes)?;
    let bytes = bytes.get(..count).unwrap_or_default();
    let Some((&[code, id_bytes], rest)) = bytes.split_first_chunk::<2>() else {
        return Ok(None);
    };
    let stream = StreamKind::from_code(code)
        .zip(rest.get(..usize::from(id_bytes)))
        .map(|(kind, id)| StreamKey::new(kind, id));
    Ok(stream.filter(|stream| folders.know(stream)))
}

/// To which scope conversations belong.
#[derive(Debug, Default)]
pub(super) struct Owners(BTreeMap<ConversationId, ScopeId>);

/// Looks through all readable records for the scopes of these conversations.
pub(super) fn owners(
    disk: &dyn Disk,
    segments: impl Iterator<Item = u32>,
    streams: BTreeSet<StreamKey>,
) -> io::Result<Owners> {
    let wanted: BTreeSet<ConversationId> = streams.iter().filter_map(conversation).collect();
    let mut owners = Owners::default();
    for number in segments {
        if owners.0.len() == wanted.len() {
            break;
        }
        let Ok(segment) = Segment::open(disk, number)? else {
            continue;
        };
        let length = segment.file.length()?;
        let mut cursor = Cursor::new(&segment, u64::from(FIRST_OFFSET), length);
        let mut last = segment.header.first;
        loop {
            let behind = cursor.offset().saturating_add(1);
            let raw = match cursor.next() {
                Ok(Some(raw)) => raw,
                Ok(None) => break,
                Err(Stop::Defect(_)) => {
                    let Some((offset, _)) = witness::next_record(&segment, behind, length, last)?
                    else {
                        break;
                    };
                    cursor = Cursor::new(&segment, offset, length);
                    continue;
                }
                Err(Stop::Io(error)) => return Err(error),
            };
            last = last.max(raw.head.seq);
            if raw.head.kind == Kind::Mark {
                continue;
            }
            let Ok(payload) = Payload::parse(raw.payload) else {
                continue;
            };
            let record = payload.to_record(Seq(0));
            let Some(id) = conversation(&record.stream).filter(|id| wanted.contains(id)) else {
                continue;
            };
            let event = serde_json::from_slice(&record.event).unwrap_or_default();
            if let Some(scope) = scope_in(&event) {
                owners.0.insert(id, scope);
            }
        }
    }
    Ok(owners)
}

impl Owners {
    /// What a stream is about, and its account.
    pub(super) fn describe(&self, stream: &StreamKey) -> (String, Option<String>) {
        let account = <[u8; 16]>::try_from(stream.id())
            .ok()
            .map(|bytes| AccountId::from_bytes(bytes).to_string());
        let text = || String::from_utf8_lossy(stream.id()).into_owned();
        let of_conversation = |what: &str| {
            let id = conversation(stream);
            let name = id.map_or_else(text, |id| id.to_string());
            let scope = id.and_then(|id| self.0.get(&id));
            let account = scope.map(|scope| scope.account().to_string());
            (format!("{what} {name}"), account)
        };
        match stream.kind() {
            StreamKind::Conversation => of_conversation("conversation"),
            StreamKind::Lane => of_conversation("callbacks of conversation"),
            StreamKind::Scope => {
                let scope = text().parse::<ScopeId>().ok();
                let account = scope.map(|scope| scope.account().to_string());
                (format!("scope {}", text()), account)
            }
            StreamKind::Book => ("deals and contacts".to_owned(), account),
            StreamKind::Users => ("users".to_owned(), account),
            StreamKind::Roles => ("roles".to_owned(), account),
            StreamKind::Credentials => match keys::parse_credentials_row(stream.id()) {
                Some((account, user)) => (
                    format!("tokens and sessions of user {user}"),
                    Some(account.to_string()),
                ),
                None => ("tokens and sessions of a user".to_owned(), None),
            },
            StreamKind::Endpoints => (format!("addresses of channel {}", text()), None),
            StreamKind::Channels
            | StreamKind::Accounts
            | StreamKind::Operator
            | StreamKind::Replays => (format!("{:?}", stream.kind()).to_lowercase(), None),
        }
    }
}

fn conversation(stream: &StreamKey) -> Option<ConversationId> {
    let of_one = matches!(stream.kind(), StreamKind::Conversation | StreamKind::Lane);
    let bytes = <[u8; 16]>::try_from(stream.id()).ok()?;
    of_one.then(|| ConversationId::from_bytes(bytes))
}

/// The scope that an event names, wherever in it.
fn scope_in(event: &Value) -> Option<ScopeId> {
    match event {
        Value::Object(fields) => fields.iter().find_map(|(key, value)| {
            let named = value.as_str().filter(|_| key == "scope");
            named.map_or_else(|| scope_in(value), |text| text.parse().ok())
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}
