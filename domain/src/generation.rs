//! The generations of the chat interface that are spoken side by side.

use crate::words;

words! {
    /// The generation of the chat interface that an integration uses. The service recognises it by the signature of a
    /// request.
    #[derive(Default)]
    pub enum Generation {
        /// The interface of November 2019: the raw body is signed.
        #[default]
        V2019 = "2019",
        /// The interface of today: method, digest of the body, content type, date and path are signed.
        Current = "current",
    }
}

impl Generation {
    /// Returns whether it is the default, which stored records omit.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
