//! The reasons to refuse a hook.

/// The reason to refuse a hook. Its sender repeats nothing, so each is shown to the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookRefusal {
    /// No relay has such a path, or none has this scope.
    Unknown,
    /// It has no signature, or a wrong one.
    Signature,
    /// Its body is longer than the relay takes.
    TooLarge,
    /// Its body did not arrive whole.
    Broken,
    /// It is no POST.
    Method,
    /// Too many hooks wait for the bridge.
    Full,
    /// It could not be stored in time.
    Unavailable,
}

impl HookRefusal {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::Unknown,
        Self::Signature,
        Self::TooLarge,
        Self::Broken,
        Self::Method,
        Self::Full,
        Self::Unavailable,
    ];

    /// The word of the reason.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Signature => "signature",
            Self::TooLarge => "too_large",
            Self::Broken => "broken",
            Self::Method => "method",
            Self::Full => "full",
            Self::Unavailable => "unavailable",
        }
    }

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
