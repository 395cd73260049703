//! The outcome of an attempt, with its consequences for the message and for the endpoint.
//!
//! The two are separate on purpose: an endpoint that is down for a day must not burn out the messages that
//! wait for it, and a message that is refused must not stop the others.

use std::time::Duration;

use switchboard_values::words;

/// The outcome of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver answered.
    Answered(ReceiverAnswer),
    /// No answer came.
    Failed(AttemptFailure),
}

/// The outcome of one request, without the parts that only its endpoint needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeBrief {
    /// The class of the outcome.
    pub class: Class,
    /// The HTTP status of the answer; `None` without an answer.
    pub status: Option<u16>,
    /// The reason that no response came, when none came.
    pub failure: Option<AttemptFailure>,
}

/// The facts of an answer that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The delay of `Retry-After`, as [`super::retry::retry_after`] reads it.
    pub retry_after: Option<Duration>,
    /// True when the receiver wants no further attempt: `webhook-delivery: abort-message` or `X-No-Retry: 1`.
    pub no_retry: bool,
}

impl ReceiverAnswer {
    /// An answer with nothing but a status.
    #[must_use]
    pub fn plain(status: u16) -> Self {
        Self {
            status,
            retry_after: None,
            no_retry: false,
        }
    }
}

words! {
    /// The reason that no response came.
    pub enum AttemptFailure {
        /// Connecting, or the whole exchange, took too long.
        TimedOut = "timed_out",
        /// The connection was refused or the host could not be reached.
        Refused = "refused",
        /// The connection was closed or broke off, or what came is not HTTP.
        Reset = "reset",
        /// The head of the response is larger than is read.
        HeadTooLarge = "head_too_large",
        /// The exchange was given up without knowing its outcome, such as when its task died.
        Unknown = "unknown",
        /// The name does not resolve.
        Dns = "dns",
        /// No TLS session could be agreed on, or the certificate is not trusted.
        Tls = "tls",
        /// The address is one that requests may not go to; nothing was sent.
        ForbiddenAddress = "forbidden_address",
        /// The channel has no address for the version of the callback; nothing was sent.
        NoAddress = "no_address",
        /// There is no such channel any more; nothing was sent.
        NoChannel = "no_channel",
        /// The version of the callback has no form for the message; nothing was sent.
        NotExpressible = "not_expressible",
    }
}

words! {
    /// The classes of outcomes: one per row of the table in [`Class::rule`].
    #[schemars(description = "What an attempt came to.")]
    pub enum Class {
        /// The receiver has it.
        Delivered = "delivered",
        /// The receiver is not well.
        Failing = "failing",
        /// The receiver wants fewer requests.
        TooMany = "too_many",
        /// The receiver is away and says for how long.
        Away = "away",
        /// The address, its certificate or its authorization is wrong.
        Misconfigured = "misconfigured",
        /// The receiver is gone permanently.
        Gone = "gone",
        /// The address, or what the message belongs to, is not there.
        NotFound = "not_found",
        /// The receiver never takes this message as it is.
        Refused = "refused",
        /// The receiver does not take this message now.
        Rejected = "rejected",
        /// The receiver does not take this message and wants no further attempt.
        Aborted = "aborted",
        /// The version of the callback has no form for the message: the receiver was sent nothing.
        NotExpressible = "not_expressible",
    }
}

/// The cost of an outcome for the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Nothing.
    Free,
    /// One of its attempts, if the endpoint is otherwise healthy.
    WhileHealthy,
    /// All that are left.
    Final,
}

/// The meaning of an outcome for the endpoint's health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthSignal {
    /// It works.
    Success,
    /// It does not work now.
    Failure,
    /// It does not work and will not by itself; three in a row are enough.
    Misconfiguration,
    /// It wants a pause; not a failure.
    Pause,
    /// It wants a pause because it does not work.
    FailurePause,
    /// It is to be left alone until an operator examines it.
    Gone,
    /// Nothing, while other messages succeed.
    Alive,
    /// Nothing at all: it was sent nothing.
    NoContact,
}

impl Class {
    /// Returns the consequences of the class for the message and for the endpoint.
    #[must_use]
    pub fn rule(self) -> (Charge, HealthSignal) {
        match self {
            Self::Delivered => (Charge::Free, HealthSignal::Success),
            Self::Failing => (Charge::WhileHealthy, HealthSignal::Failure),
            Self::TooMany => (Charge::Free, HealthSignal::Pause),
            Self::Away => (Charge::Free, HealthSignal::FailurePause),
            Self::Misconfigured => (Charge::Free, HealthSignal::Misconfiguration),
            Self::Gone => (Charge::Free, HealthSignal::Gone),
            // While other messages arrive, the address is right, and what is not there is the message's.
            Self::NotFound => (Charge::WhileHealthy, HealthSignal::Misconfiguration),
            Self::Refused | Self::Rejected => (Charge::WhileHealthy, HealthSignal::Alive),
            Self::Aborted => (Charge::Final, HealthSignal::Alive),
            // Another attempt changes nothing: the message waits for no endpoint, and what is behind it can be sent.
            Self::NotExpressible => (Charge::Final, HealthSignal::NoContact),
        }
    }
}

impl Class {
    /// Returns whether the same request gets the same response at any time.
    #[must_use]
    pub fn is_lasting(self) -> bool {
        matches!(self, Self::Refused | Self::NotFound)
    }
}

impl Outcome {
    /// The class of the outcome.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            Self::Answered(answer) => classify_answer(answer),
            Self::Failed(failure) => classify_failure(*failure),
        }
    }

    /// Its class, status and failure.
    #[must_use]
    pub fn brief(&self) -> OutcomeBrief {
        OutcomeBrief {
            class: self.class(),
            status: self.status(),
            failure: self.failure(),
        }
    }

    /// The HTTP status of the answer; `None` without an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Answered(answer) => Some(answer.status),
            Self::Failed(_) => None,
        }
    }

    /// Returns the reason that no response came, when none came.
    #[must_use]
    pub fn failure(&self) -> Option<AttemptFailure> {
        match self {
            Self::Answered(_) => None,
            Self::Failed(failure) => Some(*failure),
        }
    }

    /// Returns the pause that the receiver asked for.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Answered(answer) => answer.retry_after,
            Self::Failed(_) => None,
        }
    }
}

fn classify_answer(answer: &ReceiverAnswer) -> Class {
    match answer.status {
        200..=299 => Class::Delivered,
        _ if answer.no_retry => Class::Aborted,
        408 | 425 => Class::Failing,
        429 => Class::TooMany,
        503 if answer.retry_after.is_some() => Class::Away,
        300..=399 | 401 | 403 | 405 | 421 => Class::Misconfigured,
        404 => Class::NotFound,
        410 => Class::Gone,
        // What is wrong with the request itself, which is the same at each attempt.
        400 | 406 | 411 | 413 | 414 | 415 | 417 | 422 | 431 | 451 => Class::Refused,
        400..=499 => Class::Rejected,
        // 5xx, and what HTTP does not know: a receiver that is not well.
        _ => Class::Failing,
    }
}

fn classify_failure(failure: AttemptFailure) -> Class {
    match failure {
        AttemptFailure::TimedOut
        | AttemptFailure::Refused
        | AttemptFailure::Reset
        | AttemptFailure::HeadTooLarge
        | AttemptFailure::Unknown => Class::Failing,
        AttemptFailure::Dns
        | AttemptFailure::Tls
        | AttemptFailure::ForbiddenAddress
        | AttemptFailure::NoAddress
        | AttemptFailure::NoChannel => Class::Misconfigured,
        AttemptFailure::NotExpressible => Class::NotExpressible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16) -> Class {
        Outcome::Answered(ReceiverAnswer::plain(status)).class()
    }

    #[test]
    fn success_is_any_2xx() {
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(answered(status), Class::Delivered);
        }
        assert_eq!(
            Class::Delivered.rule(),
            (Charge::Free, HealthSignal::Success)
        );
    }

    /// A failure is retried, and costs the message an attempt only while the endpoint is healthy.
    #[test]
    fn a_failing_endpoint_is_retried_and_charged_while_healthy() {
        for status in [
            408, 425, 500, 501, 502, 503, 504, 520, 599, 0, 100, 199, 600, 999,
        ] {
            assert_eq!(answered(status), Class::Failing, "{status}");
        }
        for failure in [
            AttemptFailure::TimedOut,
            AttemptFailure::Refused,
            AttemptFailure::Reset,
            AttemptFailure::HeadTooLarge,
            AttemptFailure::Unknown,
        ] {
            assert_eq!(Outcome::Failed(failure).class(), Class::Failing);
        }
        assert_eq!(
            Class::Failing.rule(),
            (Charge::WhileHealthy, HealthSignal::Failure)
        );
    }

    #[test]
    fn a_pause_by_retry_after_costs_no_attempt() {
        assert_eq!(answered(429), Class::TooMany);
        let away = ReceiverAnswer {
            retry_after: Some(Duration::from_secs(9)),
            ..ReceiverAnswer::plain(503)
        };
        assert_eq!(Outcome::Answered(away).class(), Class::Away);
        assert_eq!(Class::TooMany.rule(), (Charge::Free, HealthSignal::Pause));
        assert_eq!(
            Class::Away.rule(),
            (Charge::Free, HealthSignal::FailurePause)
        );
    }

    #[test]
    fn only_429_and_503_pause_when_retry_after_is_given() {
        for status in [408, 500, 502] {
            let answer = ReceiverAnswer {
                retry_after: Some(Duration::from_secs(9)),
                ..ReceiverAnswer::plain(status)
            };
            assert_eq!(Outcome::Answered(answer).class(), Class::Failing);
        }
    }

    #[test]
    fn a_wrong_address_costs_the_message_no_attempt() {
        for status in [300, 301, 302, 304, 307, 308, 399, 401, 403, 405, 421] {
            assert_eq!(answered(status), Class::Misconfigured, "{status}");
        }
        for failure in [
            AttemptFailure::Dns,
            AttemptFailure::Tls,
            AttemptFailure::ForbiddenAddress,
            AttemptFailure::NoAddress,
            AttemptFailure::NoChannel,
        ] {
            assert_eq!(Outcome::Failed(failure).class(), Class::Misconfigured);
        }
        let rule = (Charge::Free, HealthSignal::Misconfiguration);
        assert_eq!(Class::Misconfigured.rule(), rule);
    }

    /// The endpoint was sent nothing, so it is neither well nor ill for it.
    #[test]
    fn a_message_without_a_form_ends_and_blames_no_endpoint() {
        let outcome = Outcome::Failed(AttemptFailure::NotExpressible);
        assert_eq!(outcome.class(), Class::NotExpressible);
        let rule = (Charge::Final, HealthSignal::NoContact);
        assert_eq!(Class::NotExpressible.rule(), rule);
    }

    #[test]
    fn only_410_means_gone() {
        let statuses: Vec<u16> = (100..=999)
            .filter(|s| answered(*s) == Class::Gone)
            .collect();
        assert_eq!(statuses, [410]);
        assert_eq!(Class::Gone.rule(), (Charge::Free, HealthSignal::Gone));
    }

    /// 404 is charged while other messages arrive, and says of the address what a wrong address does.
    #[test]
    fn only_404_may_be_the_fault_of_address_or_message() {
        let missing: Vec<u16> = (100..=999)
            .filter(|s| answered(*s) == Class::NotFound)
            .collect();
        assert_eq!(missing, [404]);
        let rule = (Charge::WhileHealthy, HealthSignal::Misconfiguration);
        assert_eq!(Class::NotFound.rule(), rule);
    }

    #[test]
    fn every_other_4xx_is_a_refusal_of_the_message() {
        for status in [400, 406, 411, 413, 414, 415, 422, 431, 451] {
            assert_eq!(answered(status), Class::Refused, "{status}");
            assert!(answered(status).is_lasting());
        }
        for status in [402, 407, 409, 412, 418, 423, 424, 499] {
            assert_eq!(answered(status), Class::Rejected, "{status}");
            assert!(!answered(status).is_lasting());
        }
        for class in [Class::Refused, Class::Rejected] {
            assert_eq!(class.rule(), (Charge::WhileHealthy, HealthSignal::Alive));
        }
    }

    #[test]
    fn no_retry_is_final_on_everything_but_success() {
        for status in 100..=999 {
            let answer = ReceiverAnswer {
                no_retry: true,
                retry_after: Some(Duration::from_secs(1)),
                ..ReceiverAnswer::plain(status)
            };
            let class = match status {
                200..=299 => Class::Delivered,
                _ => Class::Aborted,
            };
            assert_eq!(Outcome::Answered(answer).class(), class, "{status}");
        }
        assert_eq!(Class::Aborted.rule(), (Charge::Final, HealthSignal::Alive));
    }
}
