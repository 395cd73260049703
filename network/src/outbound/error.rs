//! Failures of attempts that got no answer, classified by the chain of errors that the client returns.
//!
//! The client wraps the cause several times over, and its own message («error sending request») does not name it. So
//! the chain is walked from the outside in, and each link is judged by type, never by text:
//!
//! | found in the chain | kind |
//! |---|---|
//! | our own [`ResolveError::Refused`] | `Forbidden` |
//! | any other [`ResolveError`] | `Dns` |
//! | the client's time-outs, `io` timed out | `Timeout` |
//! | a `rustls::Error`, also inside an `io` error | `Tls` |
//! | `io` reset, aborted, broken pipe, unexpected end | `Reset` |
//! | hyper: message incomplete, request cancelled, closed | `Reset` |
//! | hyper: head too large | `HeadTooLarge` |
//! | hyper: not HTTP | `Protocol` |
//! | everything else before a connection stood | `Connect` |
//! | everything else after that | `Protocol` |
//!
//! The first row that matches wins, whichever link matches it. The tests beside
//! [`super::callback`] hold at least one receiver for each row.

use std::error::Error;
use std::fmt;
use std::io;

use super::guard::GuardError;
use super::resolver::ResolveError;

/// Longer explanations are cut; in bytes.
const DETAIL_MAX: usize = 512;

/// The kind of a failure, coarse enough to decide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// No connection: refused, unreachable.
    Connect,
    /// Not done in time; the receiver may or may not have acted.
    Timeout,
    /// The connection ended before the head of an answer was complete.
    Reset,
    /// The certificate or the handshake.
    Tls,
    /// The name could not be looked up.
    Dns,
    /// The address must not be reached; nothing was sent.
    Forbidden,
    /// The bytes received are not an HTTP answer.
    Protocol,
    /// The head of the answer has too many headers, or too many bytes.
    HeadTooLarge,
    /// The request could not be built; nothing was sent.
    Invalid,
}

impl FailureKind {
    /// The stable name, for logs, metrics and the attempt log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Timeout => "timeout",
            Self::Reset => "reset",
            Self::Tls => "tls",
            Self::Dns => "dns",
            Self::Forbidden => "forbidden",
            Self::Protocol => "protocol",
            Self::HeadTooLarge => "head_too_large",
            Self::Invalid => "invalid",
        }
    }

    /// Returns the kind of a failure of which nothing else is known.
    const fn of_phase(connecting: bool) -> Self {
        if connecting {
            Self::Connect
        } else {
            Self::Protocol
        }
    }
}

/// An attempt that got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// The kind, by which callers decide.
    pub kind: FailureKind,
    /// The text for the operator: one line without control characters, at most 512 bytes.
    pub detail: String,
    /// The text for all others, where the detail shows what a name resolves to inside our network.
    pub outwardly: Option<String>,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}

impl RequestError {
    /// A failure whose explanation may hold text from outside.
    #[must_use]
    pub fn new(kind: FailureKind, detail: &str) -> Self {
        Self {
            kind,
            detail: crate::printable::beginning(detail, DETAIL_MAX),
            outwardly: None,
        }
    }

    /// The failure for people who are not to learn what a name stands for inside our network.
    #[must_use]
    pub fn outwardly(&self) -> String {
        let detail = self.outwardly.as_ref().unwrap_or(&self.detail);
        format!("{}: {detail}", self.kind.name())
    }

    /// The guard's refusal.
    #[must_use]
    pub fn refused(reason: &GuardError) -> Self {
        Self::new(FailureKind::Forbidden, &reason.to_string())
    }

    /// Returns the failure for an error of a download's client.
    #[must_use]
    pub fn classify(error: &reqwest::Error) -> Self {
        if let Some(cause) = links(error).find_map(|link| link.downcast_ref::<ResolveError>()) {
            return Self::resolving(cause);
        }
        if error.is_timeout() {
            return if error.is_connect() {
                Self::no_connection()
            } else {
                Self::no_answer()
            };
        }
        if error.is_builder() {
            return Self::new(FailureKind::Invalid, &innermost(error));
        }
        Self::of_chain(error, FailureKind::of_phase(error.is_connect()))
    }

    /// Returns the failure for a name that gave no address.
    #[must_use]
    pub fn resolving(error: &ResolveError) -> Self {
        match error {
            ResolveError::Refused { name, .. } => {
                let outwardly = format!("{name} leads to an address that is not allowed here");
                Self {
                    outwardly: Some(crate::printable::beginning(&outwardly, DETAIL_MAX)),
                    ..Self::new(FailureKind::Forbidden, &error.to_string())
                }
            }
            ResolveError::Empty(_)
            | ResolveError::TimedOut { .. }
            | ResolveError::Failed { .. } => Self::new(FailureKind::Dns, &error.to_string()),
        }
    }

    /// Returns the failure for a connection that could not be opened.
    #[must_use]
    pub fn connecting(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::TimedOut {
            return Self::no_connection();
        }
        Self::of_chain(error, FailureKind::Connect)
    }

    /// Returns the failure for an exchange that broke off.
    #[must_use]
    pub fn exchanging(error: &hyper::Error) -> Self {
        Self::of_chain(error, FailureKind::Protocol)
    }

    /// The time-out ended before a connection stood.
    #[must_use]
    pub fn no_connection() -> Self {
        Self::new(FailureKind::Timeout, "no connection within the time-out")
    }

    /// The time-out ended before the head of an answer was complete.
    #[must_use]
    pub fn no_answer() -> Self {
        Self::new(
            FailureKind::Timeout,
            "no complete answer within the time-out",
        )
    }

    /// Returns the kind of the first link that shows one, else `otherwise`.
    fn of_chain(error: &(dyn Error + 'static), otherwise: FailureKind) -> Self {
        if let Some(tls) = links(error).find_map(|link| link.downcast_ref::<rustls::Error>()) {
            return Self::new(FailureKind::Tls, &tls.to_string());
        }
        let kind = links(error).find_map(broken).unwrap_or(otherwise);
        Self::new(kind, &innermost(error))
    }
}

/// Returns the kind that one link shows of the connection, if any.
fn broken(link: &(dyn Error + 'static)) -> Option<FailureKind> {
    if let Some(error) = link.downcast_ref::<io::Error>() {
        let is_end = matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::NotConnected
                | io::ErrorKind::UnexpectedEof
        );
        return is_end.then_some(FailureKind::Reset);
    }
    let error = link.downcast_ref::<hyper::Error>()?;
    if error.is_parse_too_large() {
        Some(FailureKind::HeadTooLarge)
    } else if error.is_parse() {
        Some(FailureKind::Protocol)
    } else if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        Some(FailureKind::Reset)
    } else {
        None
    }
}

/// The text of the deepest link, which names the cause without the wrapping.
fn innermost(error: &(dyn Error + 'static)) -> String {
    links(error)
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

/// All links of the chain from the outside in.
fn links<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> + 'a {
    std::iter::successors(Some(error), |link| inner(*link))
}

/// The next link. An `io::Error` skips what it holds when it is asked for its source, and
/// that is where TLS errors are.
fn inner<'a>(link: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    if let Some(held) = link
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
    {
        return Some(held);
    }
    link.source()
}
