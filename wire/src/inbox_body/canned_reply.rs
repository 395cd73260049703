//! The bodies of canned replies.

use crate::body::Body;
use crate::body::value::Found;
use crate::domain::canned_replies::canned_reply::{CannedReplyChange, CannedReplySettings};
use crate::domain::id::MediaId;
use crate::domain::text::{CannedReplyName, MessageText};
use crate::json::BodyError;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// A canned reply to be created.
    pub struct NewCannedReply {
        /// Unique, whatever the case: among the author's own, or among the shared ones.
        name: CannedReplyName,
        /// 1 to 65,536 bytes, with the markers of templates.
        text: MessageText,
        /// True when all users of the account have it.
        #[body(default(false))]
        is_shared: bool,
        /// The id of an upload that goes with the text; null for none.
        #[body(null)]
        media_id: Option<MediaId>,
    }

    /// A change of a canned reply.
    pub struct ChangedCannedReply {
        /// Unique, whatever the case: among the author's own, or among the shared ones.
        name: Option<CannedReplyName>,
        /// 1 to 65,536 bytes, with the markers of templates.
        text: Option<MessageText>,
        /// True when all users of the account have it; false leaves it to its author.
        is_shared: Option<bool>,
        /// The id of an upload that goes with the text; null for none.
        #[body(null)]
        media_id: Option<MediaId>,
    }
);

body_values! {
    CannedReplyName: Schema::line(255), Found::parsed;
}

/// A body whose file is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithUpload<T> {
    /// The canned reply, or its change.
    pub content: T,
    /// The upload that it names: `Some(None)` for none from now on, `None` when the body does not say.
    pub media: Option<Option<MediaId>>,
}

/// Reads a canned reply to be created.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_new(body: &[u8]) -> Result<WithUpload<CannedReplySettings>, BodyError> {
    NewCannedReply::read_as(body, |_, reply| {
        let content = CannedReplySettings {
            name: reply.name,
            text: reply.text,
            is_shared: reply.is_shared,
            file: None,
        };
        let media = Some(reply.media_id);
        Some(WithUpload { content, media })
    })
}

/// Reads a change of a canned reply.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_change(body: &[u8]) -> Result<WithUpload<CannedReplyChange>, BodyError> {
    ChangedCannedReply::read_as(body, |object, reply| {
        let content = CannedReplyChange {
            name: reply.name,
            text: reply.text,
            is_shared: reply.is_shared,
            file: None,
        };
        let media = object.raw("media_id").map(|_| reply.media_id);
        Some(WithUpload { content, media })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_takes_the_file_away_only_by_null() {
        let media = |body: &str| parse_change(body.as_bytes()).unwrap().media;
        let id = MediaId::from_random([1; 16]);
        assert_eq!(media("{}"), None);
        assert_eq!(media(r#"{"media_id": null}"#), Some(None));
        assert_eq!(media(&format!(r#"{{"media_id": "{id}"}}"#)), Some(Some(id)));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let body = br#"{"name": " ", "text": "", "is_shared": 1, "media_id": "x", "files": []}"#;
        let Err(BodyError::Invalid(wrong)) = parse_new(body) else {
            panic!("all of its fields are wrong");
        };
        let paths: Vec<_> = wrong.kept().iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths.len(), 5, "{paths:?}");
        assert!(parse_new(br#"{"name": "a"}"#).is_err());
    }
}
