//! The body of a draft of an account user.

use crate::body;
use crate::domain::drafts::draft::{DraftContent, DraftKind};
use crate::domain::id::MediaId;
use crate::domain::violation::ViolationCode;
use crate::inbox_body::reply::DraftNumber;
use crate::json::object::ObjectReader;

body!(
    /// A draft.
    pub struct DraftBody {
        /// The `number` of the version that the caller has changed; 0 when there was none.
        based_on: DraftNumber,
        /// At most 65,536 bytes.
        text: Option<String>,
        /// The id of an upload that goes along; none in a draft of a note.
        media_id: Option<MediaId>,
    }
);

impl DraftBody {
    /// The number of the version that it is based on, and the content that it asks for. An empty text is none.
    pub fn content(
        self,
        kind: DraftKind,
        body: &ObjectReader<'_, '_>,
    ) -> Option<(u64, DraftContent)> {
        if kind == DraftKind::Note && self.media_id.is_some() {
            let detail = "a note has no file; attach it to a reply".to_owned();
            body.reject("media_id", ViolationCode::InvalidValue, detail);
            return None;
        }
        let input = self.text.filter(|text| !text.is_empty());
        let text = match input {
            Some(text) => Some(body.parsed("text", &text)?),
            None => None,
        };
        let media = self.media_id;
        Some((self.based_on.count(), DraftContent { text, media }))
    }
}
