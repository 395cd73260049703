//! The reasons to refuse a hook.

use switchboard_domain::words;

words! {
    /// The reason to refuse a hook. Its sender repeats nothing, so each is shown to the operator.
    pub enum HookRefusal {
        /// No relay has such a path, or none has this scope.
        Unknown = "unknown",
        /// It has no signature, or a wrong one.
        Signature = "signature",
        /// Its body is longer than the relay takes.
        TooLarge = "too_large",
        /// Its body did not arrive whole.
        Broken = "broken",
        /// It is no POST.
        Method = "method",
        /// Too many hooks wait for the bridge.
        Full = "full",
        /// It could not be stored in time.
        Unavailable = "unavailable",
    }
}

impl HookRefusal {
    /// The status of the answer.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::Unknown => 404,
            Self::Signature => 401,
            Self::TooLarge => 413,
            Self::Broken => 400,
            Self::Method => 405,
            Self::Full | Self::Unavailable => 503,
        }
    }
}
