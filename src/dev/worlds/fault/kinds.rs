//! What can go wrong in a world.

use std::time::Duration;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum Fault {
    Answer(AnswerFault),
    /// To a file of a message.
    Media(AnswerFault),
    Callback(CallbackFault),
    Engine(EngineFault),
}

/// What happens to an answer of the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum AnswerFault {
    Status(u16),
    RateLimited(u32),
    TokenExpired,
    AccountUnpaid,
    BadGatewayHtml,
    IpBlockedHtml,
    /// It comes so late, in real time: the client waits by its own clock.
    Slow(Duration),
    Truncated,
    WrongType,
    LostBeforeCommit,
    LostAfterCommit,
}

/// What happens to a callback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum CallbackFault {
    Status(u16),
    Drop,
    /// It arrives so late, in the time of the world.
    Delay(Duration),
    /// It arrives behind the next one.
    Reorder,
    AnswerLost,
    Duplicate,
    TwiceAtOnce,
    BadSignature,
    OldSecret,
    OtherScope,
    UnknownField,
    UnknownType,
    Huge,
}

/// What happens to the disk or the power of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dev::worlds) enum EngineFault {
    DiskFull,
    PowerCut,
    SlowSync(Duration),
}
