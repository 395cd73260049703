//! The outcomes of what bridges send up through a relay.

use switchboard_domain::words;

words! {
    /// The outcome of a request of a bridge.
    pub enum UpwardOutcome {
        /// The counterpart answered.
        Answered = "answered",
        /// The relay stored it and answered itself.
        Stored = "stored",
        /// It answered with a page for people, as it does to an address that it has blocked.
        Page = "page",
        /// No answer came.
        Failed = "failed",
        /// The request was for what is not on the list.
        Refused = "refused",
    }
}
