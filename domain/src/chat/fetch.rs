//! The results of requests for the files that integrations only name: media of messages, pictures of people.

use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::chat::fetch_code::FetchCode;
use crate::id::{AccountId, MessageId};
use crate::text::url::HttpUrl;
use crate::text::{FetchText, FileName};
use crate::time::UnixMillis;
use switchboard_engine::entries::Key;

/// The server of an address, as a number: requests are shared fairly among servers, and a list of files to request need
/// not hold names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HostMark(pub u64);

impl HostMark {
    /// The server that the address names.
    #[must_use]
    pub fn new(address: &HttpUrl) -> Self {
        let behind = address.as_str().split("://").nth(1).unwrap_or_default();
        let host = behind.split(['/', '?', '#']).next().unwrap_or_default();
        let [_, _, _, _, _, _, _, _, mark @ ..] =
            Key::new("host", &host.to_ascii_lowercase()).0.to_be_bytes();
        Self(u64::from_be_bytes(mark))
    }
}

/// A person's picture, as a number: the address of it in one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AvatarMark(pub [u8; 16]);

impl AvatarMark {
    /// The picture at this address, in this account.
    #[must_use]
    pub fn new(account: AccountId, address: &HttpUrl) -> Self {
        let parts: (AccountId, &str) = (account, address.as_str());
        Self(mark(&parts))
    }
}

fn mark(parts: &impl Hash) -> [u8; 16] {
    Key::new("avatar", parts).0.to_be_bytes()
}

/// The subject of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FetchSubject {
    /// The file of a message.
    Message(MessageId),
    /// The picture of a person: once for each address, however many messages name it.
    Avatar(AvatarMark),
}

/// A place in the list of what is to be fetched: by the time from which on it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FetchPlace {
    /// Not before this moment.
    pub due: UnixMillis,
    /// The subject.
    pub subject: FetchSubject,
}

/// The expected type of a file, by the kind of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedFile {
    /// A picture: of a message, a sticker, a person.
    Picture,
    /// Something that is seen or heard; what it is called varies too much to insist, but it is no page.
    Recording,
    /// Anything.
    File,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FetchOutcome {
    /// It is there.
    Reachable(Box<ReachableFile>),
    /// It is not, or is not what it should be.
    Unreachable {
        /// The reason, for programs.
        code: FetchCode,
        /// The reason, in words.
        reason: FetchText,
    },
}

/// A file that is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachableFile {
    /// The type by the first bytes; where these leave several types open, by the server's header, or else by the name.
    pub content_type: Option<FetchText>,
    /// Its size in bytes, when it is known.
    pub bytes: Option<u64>,
    /// The copy that is kept here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<Copied>,
    /// The reason that there is no copy, when one was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_copied: Option<NotCopied>,
}

/// The reason that there is no copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCopied {
    /// For programs.
    pub code: FetchCode,
    /// In words.
    pub reason: FetchText,
}

/// A copy that is kept here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// The address of the file.
    pub media: HttpUrl,
    /// The address of a small version of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<HttpUrl>,
    /// The file name.
    pub name: FileName,
}

/// The state of a file at its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchResult {
    /// The address.
    pub url: HttpUrl,
    /// The result of the request.
    pub found: FetchOutcome,
}

impl FetchResult {
    /// The bytes of the copy that is kept here.
    #[must_use]
    pub fn copied_bytes(&self) -> u64 {
        match &self.found {
            FetchOutcome::Reachable(file) if file.copy.is_some() => file.bytes.unwrap_or(0),
            FetchOutcome::Reachable(_) | FetchOutcome::Unreachable { .. } => 0,
        }
    }
}

impl FetchOutcome {
    /// It is not there, for this reason; what is too long of it is left out.
    #[must_use]
    pub fn unreachable(code: FetchCode, reason: &str) -> Self {
        Self::Unreachable {
            code,
            reason: FetchText::shortened(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_the_same_for_every_path() {
        let mark = |text: &str| HostMark::new(&text.parse().unwrap());
        assert_eq!(mark("https://a.example/x"), mark("http://A.example?y#z"));
        assert_ne!(mark("https://a.example/x"), mark("https://b.example/x"));
        assert_ne!(
            mark("https://a.example/x"),
            mark("https://a.example:8443/x")
        );
    }

    #[test]
    fn a_fetch_error_always_fits_its_limit() {
        let long = "ж".repeat(2_000);
        let text_for = |reason: &str| match FetchOutcome::unreachable(FetchCode::Refused, reason) {
            FetchOutcome::Unreachable { reason, .. } => reason.as_str().to_owned(),
            FetchOutcome::Reachable(_) => panic!("it is unreachable"),
        };
        assert_eq!(text_for(&long).chars().count(), 600);
        assert_eq!(text_for("a\nb\0"), "a b ");
        assert_eq!(FetchText::shortened("").as_str(), "?");
    }
}
