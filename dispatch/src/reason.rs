//! The reason for the state of a callback or an endpoint: a code for programs and a sentence for people, declared
//! together.
//!
//! A code never changes its meaning. The details that a sentence names — a status, an attempt, a conversation — are
//! given beside it as well, so that a program can say the same in another language.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::endpoint::EndpointState;
use crate::outcome::{AttemptFailure, Class, OutcomeBrief};
use crate::record::{CancelReason, DeathReason, HoldReason, LoggedAttempt};
use switchboard_values::id::ConversationId;

macro_rules! reasons {
    ($($name:ident $code:literal $sentence:literal)+) => {
        /// The reason for the state of a callback or an endpoint, as a stable word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
        pub enum ReasonCode {
            $(
                #[doc = $sentence]
                #[serde(rename = $code)]
                $name,
            )+
        }

        impl ReasonCode {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word for programs.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)+
                }
            }

            /// The sentence for people, with places for what it names.
            fn sentence(self) -> &'static str {
                match self {
                    $(Self::$name => $sentence,)+
                }
            }
        }
    };
}

reasons! {
    // What came of an attempt.
    Delivered "delivered" "the integration accepted it"
    TimedOut "timed_out" "the integration did not answer in time"
    Unreachable "unreachable" "the endpoint refuses connections or cannot be reached"
    ConnectionBroken "connection_broken" "the connection was lost, or the response is not HTTP"
    HeadTooLarge "head_too_large" "the head of the response has more than 1,000 headers or 256 KiB; the integration may have accepted the message"
    OutcomeUnknown "outcome_unknown" "the service stopped the attempt; its outcome is unknown"
    NameNotResolved "name_not_resolved" "the host name of the endpoint does not resolve"
    TlsFailed "tls_failed" "the TLS handshake failed, or the certificate is not trusted"
    AddressForbidden "address_forbidden" "the service may not send callbacks to this endpoint and sent nothing; `dispatch.allow_private_networks` opens private networks"
    NoChannel "no_channel" "the channel does not exist any more, so the service sent nothing; create it again under the same id, or discard the callback"
    NotExpressible "not_expressible" "version 1 of callbacks has no form for this message, so the service sent nothing: it is a reaction, or the integration has no id of the conversation; connect the account with `hook_api_version` v2 and replay the message"
    ServerError "server_error" "the integration {answered}"
    TooManyRequests "too_many_requests" "the integration {answered}: its rate limit is exceeded"
    Away "away" "the integration {answered} with a Retry-After header"
    Redirected "redirected" "the integration {answered}: the service does not follow redirects; correct the endpoint"
    NotAuthorized "not_authorized" "the integration {answered}: it refuses the authorization of callbacks"
    WrongAddress "wrong_address" "the integration {answered}: the endpoint does not accept callbacks; correct the endpoint"
    NotFound "not_found" "the integration {answered}: the endpoint does not exist, or the integration does not know the conversation"
    Gone "gone" "the integration {answered}: the endpoint is permanently gone"
    MessageRefused "message_refused" "the integration {answered}: it rejects this message"
    MessageAborted "message_aborted" "the integration {answered}: it rejects this message and asks for no further attempt"
    // Where a callback stands.
    AttemptInProgress "attempt_in_progress" "attempt {attempt} is in progress"
    BehindEarlier "behind_earlier" "the callback waits for an earlier message of its conversation"
    WaitsForTurn "waits_for_turn" "the callback waits in the delivery queue"
    AttemptsUsed "attempts_used" "all retries failed; the last attempt: {last}"
    TriedTooLong "tried_too_long" "the time for retries ended; the last attempt: {last}"
    AccountDisconnected "account_disconnected" "the account was disconnected from the channel"
    Discarded "discarded" "an operator discarded the callback"
    Withdrawn "withdrawn" "an account user decided not to send the message"
    // Why callbacks are held.
    AddressFailing "address_failing" "the endpoint failed too often; the service probes it and resumes when a probe succeeds"
    ConversationHeld "conversation_held" "held: only callbacks of conversation {conversation} fail; the service retries them one at a time and sends those of other conversations"
    PauseAsked "pause_asked" "the integration asked for a pause"
    AddressGone "address_gone" "the integration answered that the endpoint is permanently gone; an operator must enable it again"
    AddressGivenUp "address_given_up" "the endpoint has not answered for days; an operator must enable it again"
    NoAddress "no_address" "the channel has no endpoint for callbacks of this version"
    ChannelPaused "channel_paused" "an operator paused the channel"
    // How an address is.
    CallbacksFail "callbacks_fail" "the last callback failed; the service continues to send callbacks"
    ConversationFails "conversation_fails" "only callbacks of conversation {conversation} fail; the service sends those of other conversations"
    SlowStart "slow_start" "the endpoint recovers: it accepts callbacks again, and the service raises their rate step by step"
    Probed "probed" "the endpoint failed too often; the service probes it with one callback at a time"
}

/// The reason for the state of a callback or an endpoint. It is shown as a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The word for programs.
    pub code: ReasonCode,
    /// The details that the sentence names.
    pub details: Details,
}

/// The details that the sentence of a reason names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Details {
    /// The HTTP status that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required, range(max = 999))]
    pub status: Option<u16>,
    /// The number of the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required, range(min = 1))]
    pub attempt: Option<u32>,
    /// The outcome of the last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub last: Option<ReasonCode>,
    /// The conversation whose callbacks fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub conversation_id: Option<ConversationId>,
}

impl Reason {
    /// A reason that names nothing.
    #[must_use]
    pub fn plain(code: ReasonCode) -> Self {
        Self {
            code,
            details: Details::default(),
        }
    }

    /// This attempt is being made.
    pub fn in_flight(attempt: u32) -> Self {
        let mut reason = Self::plain(ReasonCode::AttemptInProgress);
        reason.details.attempt = Some(attempt);
        reason
    }

    /// Returns the reason for an outcome.
    #[must_use]
    pub fn of_outcome(outcome: OutcomeBrief) -> Self {
        let code = match outcome.failure {
            Some(failure) => failure_code(failure),
            None => answer_code(outcome.class, outcome.status),
        };
        let mut reason = Self::plain(code);
        reason.details.status = outcome.status;
        reason
    }

    /// Returns the reason for the outcome of an attempt in the log.
    pub fn of_attempt(attempt: &LoggedAttempt) -> Self {
        Self::of_outcome(attempt.brief())
    }

    /// Returns the reason to hold a callback of this conversation.
    #[must_use]
    pub fn of_hold(why: HoldReason, conversation: ConversationId) -> Self {
        let mut reason = Self::plain(hold_code(why));
        if reason.code == ReasonCode::ConversationHeld {
            reason.details.conversation_id = Some(conversation);
        }
        reason
    }

    /// Returns the reason to give up a callback whose last attempt had the outcome `last`.
    #[must_use]
    pub fn of_death(why: DeathReason, last: Option<Self>) -> Self {
        let last = last.unwrap_or(Self::plain(ReasonCode::OutcomeUnknown));
        let code = match why {
            DeathReason::Attempts { .. } => ReasonCode::AttemptsUsed,
            DeathReason::Age { .. } => ReasonCode::TriedTooLong,
            DeathReason::Aborted | DeathReason::NotExpressible => return last,
        };
        let mut reason = Self::plain(code);
        reason.details.status = last.details.status;
        reason.details.last = Some(last.code);
        reason
    }

    /// Returns the reason to leave an endpoint alone.
    #[must_use]
    pub fn of_disabled(why: HoldReason) -> Self {
        Self::plain(hold_code(why))
    }

    /// Returns the reason to cancel a callback.
    #[must_use]
    pub fn of_cancel(why: CancelReason) -> Self {
        Self::plain(match why {
            CancelReason::Disconnected => ReasonCode::AccountDisconnected,
            CancelReason::Discarded => ReasonCode::Discarded,
            CancelReason::Withdrawn => ReasonCode::Withdrawn,
        })
    }

    /// Returns the reason for the state of an endpoint; `None` when it is healthy.
    #[must_use]
    pub fn of_health(health: &EndpointState) -> Option<Self> {
        let code = match *health {
            EndpointState::Healthy => return None,
            EndpointState::Failing { conversation, .. } => {
                let mut reason = Self::plain(match conversation {
                    Some(_) => ReasonCode::ConversationFails,
                    None => ReasonCode::CallbacksFail,
                });
                reason.details.conversation_id = conversation;
                return Some(reason);
            }
            EndpointState::SlowStart { .. } => ReasonCode::SlowStart,
            EndpointState::Open { .. } => ReasonCode::Probed,
            EndpointState::Paused { .. } => ReasonCode::PauseAsked,
            EndpointState::Disabled { why } => return Some(Self::of_disabled(why)),
            EndpointState::ChannelPaused => ReasonCode::ChannelPaused,
            EndpointState::NoAddress => ReasonCode::NoAddress,
        };
        Some(Self::plain(code))
    }

    /// The same in fields: see [`ReasonFields`].
    #[must_use]
    pub fn fields(reason: Option<&Self>) -> ReasonFields {
        ReasonFields {
            reason: reason.map(Self::to_string),
            reason_code: reason.map(|reason| reason.code),
            reason_details: reason.map(|reason| reason.details).unwrap_or_default(),
        }
    }

    /// Writes [`Self::fields`], for a field that is flattened.
    pub fn in_fields<S: Serializer>(
        reason: &Option<Self>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Self::fields(reason.as_ref()).serialize(serializer)
    }
}

/// A reason in fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReasonFields {
    /// The reason, for people.
    pub reason: Option<String>,
    /// The reason, as a word that never changes its meaning.
    pub reason_code: Option<ReasonCode>,
    /// The parameters of the reason, for programs that translate it.
    pub reason_details: Details,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details {
            status,
            attempt,
            last,
            conversation_id,
        } = self.details;
        let sentence = self.code.sentence();
        let Some((before, rest)) = sentence.split_once('{') else {
            return f.write_str(sentence);
        };
        let (place, after) = rest.split_once('}').unwrap_or((rest, ""));
        f.write_str(before)?;
        match place {
            "answered" => match status {
                Some(status) => write!(f, "answered {status}")?,
                None => f.write_str("answered with an error")?,
            },
            "attempt" => write!(f, "{}", attempt.unwrap_or_default())?,
            "conversation" => match conversation_id {
                Some(conversation) => write!(f, "{conversation}")?,
                None => f.write_str("?")?,
            },
            _ => {
                let mut last = Self::plain(last.unwrap_or(ReasonCode::OutcomeUnknown));
                last.details.status = status;
                last.fmt(f)?;
            }
        }
        f.write_str(after)
    }
}

fn failure_code(failure: AttemptFailure) -> ReasonCode {
    match failure {
        AttemptFailure::TimedOut => ReasonCode::TimedOut,
        AttemptFailure::Refused => ReasonCode::Unreachable,
        AttemptFailure::Reset => ReasonCode::ConnectionBroken,
        AttemptFailure::HeadTooLarge => ReasonCode::HeadTooLarge,
        AttemptFailure::Unknown => ReasonCode::OutcomeUnknown,
        AttemptFailure::Dns => ReasonCode::NameNotResolved,
        AttemptFailure::Tls => ReasonCode::TlsFailed,
        AttemptFailure::ForbiddenAddress => ReasonCode::AddressForbidden,
        AttemptFailure::NoAddress => ReasonCode::NoAddress,
        AttemptFailure::NoChannel => ReasonCode::NoChannel,
        AttemptFailure::NotExpressible => ReasonCode::NotExpressible,
    }
}

/// The code of an answer. One without a status is not among those that are stored.
fn answer_code(class: Class, status: Option<u16>) -> ReasonCode {
    match class {
        Class::Delivered => ReasonCode::Delivered,
        Class::Failing | Class::Misconfigured if status.is_none() => ReasonCode::OutcomeUnknown,
        Class::Failing => ReasonCode::ServerError,
        Class::TooMany => ReasonCode::TooManyRequests,
        Class::Away => ReasonCode::Away,
        Class::Misconfigured => match status {
            Some(300..=399) => ReasonCode::Redirected,
            Some(401 | 403) => ReasonCode::NotAuthorized,
            _ => ReasonCode::WrongAddress,
        },
        Class::Gone => ReasonCode::Gone,
        Class::NotFound => ReasonCode::NotFound,
        Class::Refused | Class::Rejected => ReasonCode::MessageRefused,
        Class::Aborted => ReasonCode::MessageAborted,
        Class::NotExpressible => ReasonCode::NotExpressible,
    }
}

fn hold_code(why: HoldReason) -> ReasonCode {
    match why {
        HoldReason::Failing => ReasonCode::AddressFailing,
        HoldReason::Conversation => ReasonCode::ConversationHeld,
        HoldReason::PauseAsked => ReasonCode::PauseAsked,
        HoldReason::Gone => ReasonCode::AddressGone,
        HoldReason::GivenUp => ReasonCode::AddressGivenUp,
        HoldReason::NoAddress => ReasonCode::NoAddress,
        HoldReason::Paused => ReasonCode::ChannelPaused,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::outcome::{Outcome, ReceiverAnswer};

    #[test]
    fn reason_codes_are_unique_and_written_alike_everywhere() {
        let mut codes = BTreeSet::new();
        for code in ReasonCode::ALL {
            let word = code.as_str();
            let is_snake = |c: char| c.is_ascii_lowercase() || c == '_';
            assert!(word.chars().all(is_snake), "{word}");
            assert!(codes.insert(word), "{word} is there twice");
            assert_eq!(serde_json::to_value(code).unwrap(), word);
        }
    }

    #[test]
    fn every_reason_sentence_names_only_known_details() {
        for code in ReasonCode::ALL {
            let sentence = Reason::plain(*code).to_string();
            assert!(!sentence.contains(['{', '}']), "{sentence}");
            let places = code.sentence().matches('{').count();
            assert!(places <= 1, "{}", code.sentence());
        }
    }

    fn answered(status: u16) -> Reason {
        let answer = Outcome::Answered(ReceiverAnswer::plain(status));
        Reason::of_outcome(answer.brief())
    }

    #[test]
    fn a_response_is_named_by_its_status() {
        assert_eq!(
            answered(403).to_string(),
            "the integration answered 403: it refuses the authorization of callbacks"
        );
        let codes = [302, 401, 403, 405, 421].map(|status| answered(status).code);
        let not_authorized = ReasonCode::NotAuthorized;
        let wrong = ReasonCode::WrongAddress;
        let texts = [
            ReasonCode::Redirected,
            not_authorized,
            not_authorized,
            wrong,
            wrong,
        ];
        assert_eq!(codes, texts);
        assert_eq!(answered(502).to_string(), "the integration answered 502");
    }

    /// Each failure has a code of its own, so that no person reads of another one.
    #[test]
    fn no_two_failures_share_a_reason() {
        let codes = AttemptFailure::ALL.map(|failure| {
            let outcome = Outcome::Failed(failure);
            Reason::of_outcome(outcome.brief()).code
        });
        let distinct: BTreeSet<_> = codes.into_iter().collect();
        assert_eq!(distinct.len(), AttemptFailure::ALL.len(), "{codes:?}");
    }

    #[test]
    fn a_dead_delivery_names_its_last_attempt() {
        let why = DeathReason::Attempts {
            last: Class::Failing,
        };
        let reason = Reason::of_death(why, Some(answered(502)));
        assert_eq!(
            reason.to_string(),
            "all retries failed; the last attempt: the integration answered 502"
        );
        assert_eq!(reason.details.last, Some(ReasonCode::ServerError));
        let outcome = Outcome::Failed(AttemptFailure::NotExpressible);
        let last = Reason::of_outcome(outcome.brief());
        let reason = Reason::of_death(DeathReason::NotExpressible, Some(last));
        assert_eq!(reason, last);
    }

    #[test]
    fn detail_fields_exist_without_a_reason_too() {
        let none = serde_json::to_value(Reason::fields(None)).unwrap();
        let sentence =
            serde_json::json!({ "reason": null, "reason_code": null, "reason_details": {} });
        assert_eq!(none, sentence);
        let reason = Reason::in_flight(3);
        let value = serde_json::to_value(Reason::fields(Some(&reason))).unwrap();
        let fields = serde_json::json!({
            "reason": "attempt 3 is in progress",
            "reason_code": "attempt_in_progress",
            "reason_details": { "attempt": 3 },
        });
        assert_eq!(value, fields);
    }
}
