//! The kinds of faults.

use std::time::Duration;

use switchboard_actors::domain::time::UnixMillis;

/// A fault, by the place where it strikes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum Fault {
    Answer(AnswerFault),
    /// To a file of a message.
    Media(AnswerFault),
    /// To a client that asks for tokens, or has one.
    Oauth(AnswerFault),
    Callback(CallbackFault),
    Hook(HookFault),
    /// To the question of a salesbot.
    Question(WayFault),
    Engine(EngineFault),
}

/// A fault of an answer of the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum AnswerFault {
    Status(u16),
    RateLimited(u32),
    /// No refusal comes before this time of the machine: calls that are made before it are refused at one moment.
    TokenExpired(UnixMillis),
    AccountUnpaid,
    /// The account has used up its quota of messages of bots.
    OverChatLimit,
    BadGatewayHtml,
    IpBlockedHtml,
    /// It comes so late, in real time: the client waits by its own clock.
    Slow(Duration),
    Truncated,
    WrongType,
    LostBeforeCommit,
    LostAfterCommit,
    /// The clock of the service is so far from that of the machine.
    ClockAhead(Duration),
    ClockBehind(Duration),
    /// The account has uninstalled the client.
    Revoked,
    /// Another program has used the refresh token just before.
    RefreshRace,
}

/// A fault on the way to a program, of a callback, a hook or a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum WayFault {
    Status(u16),
    Drop,
    /// It arrives so late, in the time of the world.
    Delay(Duration),
    /// It arrives behind the next one.
    Reorder,
    AnswerLost,
    Duplicate,
    TwiceAtOnce,
}

/// A fault of a callback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum CallbackFault {
    Way(WayFault),
    BadSignature,
    OldSecret,
    OtherScope,
    UnknownField,
    UnknownType,
    Huge,
    Paced(Pacing),
}

/// A fault of a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum HookFault {
    Way(WayFault),
    /// The form has the account of another one.
    OtherAccount,
}

/// The pace of a callback's request that does not leave as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum Pacing {
    /// In several pieces.
    Split,
    /// In as small pieces as possible, so that all of it takes so long.
    Drip(Duration),
}

impl Fault {
    /// Returns whether it strikes requests to a program, and none to the receiver in memory.
    pub(in crate::dev::worlds) fn needs_socket(self) -> bool {
        matches!(self, Self::Callback(CallbackFault::Paced(_)))
    }

    /// Returns whether it strikes the credential alone that it struck first: a token that has expired stays so, and a new one
    /// is taken.
    pub(in crate::dev::worlds) fn strikes_one_credential(self) -> bool {
        matches!(self, Self::Answer(AnswerFault::TokenExpired(_)))
    }
}

/// A fault of the disk or the power of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum EngineFault {
    DiskFull,
    PowerCut,
    SlowSync(Duration),
}
