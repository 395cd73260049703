//! Faults that are planted to see whether the simulator sees them.

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plant {
    /// The service answers before what it answers from is on disk.
    AnswersBeforeTheDisk,
    /// The disk says that it has synced, and has not.
    LyingDisk,
    /// The receivers say that they have what they never got.
    SwallowedCallbacks,
    /// Callbacks overtake each other.
    OvertakingCallbacks,
    /// Every attempt looks like the first.
    ForgottenNumbers,
    /// Receivers that are only to be probed get everything.
    FloodedProbes,
    /// Every caller who lists the contacts gets those of the administrator.
    ListWithoutRights,
    /// Between two processes, the simulator changes what is stored.
    Forged(Forgery),
}

/// A change of the stored history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forgery {
    /// A customer's message is gone.
    LostMessage,
    /// An account user's message is gone.
    LostReply,
    /// A message is there without the lead that it opened.
    LostLead,
    /// A lead is there twice.
    SecondLead,
    /// A message has a text that no client wrote.
    StrangeMessage,
    /// Two answers of a conversation have changed places.
    SwappedReplies,
    /// A message that was read is only delivered again.
    StatusGoesBack,
    /// A role is gone, and its holders hold it still.
    HalfDeletedRole,
    /// A disconnection that a power cut interrupted: its callbacks wait, and are in no queue any more.
    LostLeftovers,
    /// No job that replays was ever begun.
    LostReplays,
}

impl Plant {
    pub(crate) const ALL: [Self; 17] = [
        Self::AnswersBeforeTheDisk,
        Self::LyingDisk,
        Self::SwallowedCallbacks,
        Self::OvertakingCallbacks,
        Self::ForgottenNumbers,
        Self::FloodedProbes,
        Self::ListWithoutRights,
        Self::Forged(Forgery::LostMessage),
        Self::Forged(Forgery::LostReply),
        Self::Forged(Forgery::LostLead),
        Self::Forged(Forgery::SecondLead),
        Self::Forged(Forgery::StrangeMessage),
        Self::Forged(Forgery::SwappedReplies),
        Self::Forged(Forgery::StatusGoesBack),
        Self::Forged(Forgery::HalfDeletedRole),
        Self::Forged(Forgery::LostLeftovers),
        Self::Forged(Forgery::LostReplays),
    ];
}
