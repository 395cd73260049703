//! The list of files to fetch: its rows and their contents.

use crate::chat::fetch::{AvatarMark, FetchPlace, FetchSubject, HostMark};
use crate::id::{ConversationId, MessageId};
use crate::time::UnixMillis;

/// The place of a file in the list of files to fetch, ordered by the time from which each may be fetched.
#[must_use]
pub fn row(place: &FetchPlace) -> Vec<u8> {
    let mut key = place.due.get().to_be_bytes().to_vec();
    match place.subject {
        FetchSubject::Message(message) => {
            key.push(0);
            key.extend(message.bytes());
        }
        FetchSubject::Avatar(AvatarMark(mark)) => {
            key.push(1);
            key.extend(mark);
        }
    }
    key
}

/// The place that a [`row`] encodes.
#[must_use]
pub fn parse_row(key: &[u8]) -> Option<FetchPlace> {
    let (due, behind) = key.split_first_chunk::<8>()?;
    let (kind, id) = behind.split_first()?;
    let id = <[u8; 16]>::try_from(id).ok()?;
    Some(FetchPlace {
        due: UnixMillis::new(u64::from_be_bytes(*due)),
        subject: match kind {
            0 => FetchSubject::Message(MessageId::from_bytes(id)),
            1 => FetchSubject::Avatar(AvatarMark(id)),
            _ => return None,
        },
    })
}

/// Returns the content of a [`row`]: the conversation, the server, and the number of attempts.
#[must_use]
pub fn about(conversation: ConversationId, host: HostMark, attempts: u32) -> Vec<u8> {
    let mut about = conversation.bytes().to_vec();
    about.extend(host.0.to_be_bytes());
    about.extend(attempts.to_be_bytes());
    about
}

/// Reads the result of [`about`].
#[must_use]
pub fn parse_about(about: &[u8]) -> Option<(ConversationId, HostMark, u32)> {
    let (conversation, behind) = about.split_first_chunk::<16>()?;
    let (host, attempts) = behind.split_first_chunk::<8>()?;
    Some((
        ConversationId::from_bytes(*conversation),
        HostMark(u64::from_be_bytes(*host)),
        u32::from_be_bytes(<[u8; 4]>::try_from(attempts).ok()?),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fetch_row_names_its_subject_conversation_and_server() {
        let conversation = ConversationId::from_random([2; 16]);
        for subject in [
            FetchSubject::Message(MessageId::from_random([3; 16])),
            FetchSubject::Avatar(AvatarMark([4; 16])),
        ] {
            let due = UnixMillis::new(5);
            let place = FetchPlace { due, subject };
            assert_eq!(parse_row(&row(&place)), Some(place));
        }
        let row = about(conversation, HostMark(6), 7);
        let content = Some((conversation, HostMark(6), 7));
        assert_eq!(parse_about(&row), content);
    }
}
