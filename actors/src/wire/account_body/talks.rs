//! The body of `POST /api/v4/talks/{id}/close`.

use crate::body;

body!(
    /// The end of a talk: `force_close` is checked and makes no difference. No body at all is fine.
    #[body(open, lenient)]
    pub struct CloseTalk {
        /// A flag to close without a rating. There are no ratings: it changes nothing.
        force_close: Option<bool>,
    }
);
