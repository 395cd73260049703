//! The bodies of `POST /api/v4/talks/{id}/close` and `…/send_message`.

use crate::body;
use crate::domain::text::MessageText;

body!(
    /// The end of a talk: `force_close` is checked and makes no difference. No body at all is fine.
    #[body(open, lenient)]
    pub struct CloseTalk {
        /// A flag to close without a rating. There are no ratings: it changes nothing.
        force_close: Option<bool>,
    }

    /// A message of a program to a talk.
    #[body(open)]
    pub struct TalkText {
        /// 1 to 65,536 bytes.
        text: MessageText,
    }
);
