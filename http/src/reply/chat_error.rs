//! Errors of the chat interface.
//!
//! `{"status":0,"error_code":…,"error_type":…,"error_description":…}` in this order, with `errors` and `hint` where
//! they help. Never empty: a client takes an empty 4xx for something else.

use std::sync::LazyLock;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_actors::domain::account_quota::AccountQuotaRejection;
use switchboard_actors::domain::time::whole_seconds;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::chat::ConnectedScopeError;
use switchboard_actors::wire::json::BodyError;
use switchboard_gate::limits::RateLimitError;

use crate::openapi::Schema;
use crate::reply::{allows_only, unavailable};
use switchboard_diagnosis::hint::Hint;

/// The reason why a request of the chat interface is refused.
#[derive(Debug)]
pub enum ChatError {
    /// 400: the body is no JSON.
    NotJson(String),
    /// 400: these fields are wrong.
    Invalid(Violations),
    /// 403: the signature is missing or wrong, with what the signer probably did.
    Signature { hint: Option<Hint> },
    /// 403: the channel is not open to the account.
    AccountNotAllowed,
    /// 404: the scope is not connected.
    NotRegistered,
    /// 404: unknown channel, malformed scope id, scope not connected, or nothing that is at this path.
    NoSuchAddress { hint: Hint },
    /// 404: no such message in this scope, or none of an account user where it has to be one.
    MessageNotFound { hint: Option<Hint> },
    /// 404: no such conversation in this scope.
    ConversationNotFound { hint: Option<Hint> },
    /// 405: the path takes other methods.
    MethodNotAllowed {
        allow: &'static str,
        hint: Option<Hint>,
    },
    /// 408: the request did not come in time.
    TooSlow(String),
    /// 409: the same `msgid` with other content.
    MessageExists,
    /// 413: the body is longer than this many bytes.
    TooLarge(usize),
    /// 414: the path is longer than this many bytes.
    PathTooLong(usize),
    /// 429: too often.
    TooManyRequests(RateLimitError),
    /// 429: a quota of the account is used up.
    QuotaReached(AccountQuotaRejection),
    /// 431: the head of the request is longer than this many bytes.
    HeadTooLong(usize),
    /// 421: the request was meant for another host.
    Misdirected(String),
    /// 415: the body is not declared as plain `application/json`.
    UnsupportedMediaType,
    /// 429: too many wrong signatures; a right one is taken at any time.
    TooManyWrong(Duration),
    /// 503: another node may answer.
    NotOwner(String),
    /// 503: not now.
    Unavailable(UnavailableError),
}

/// The kinds of errors, by the names that clients know.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(inline)]
enum ErrorType {
    OriginInvalidRequest,
    OriginInvalidSignature,
    OriginAccountNotAllowed,
    OriginNotRegistered,
    MessageNotFound,
    ConversationNotFound,
    MethodNotAllowed,
    RequestTimeout,
    MessageAlreadyExists,
    PayloadTooLarge,
    UriTooLong,
    RequestHeaderFieldsTooLarge,
    MisdirectedRequest,
    UnsupportedMediaType,
    TooManyRequests,
    QuotaExceeded,
    Unavailable,
}

/// The body of an error.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChatError")]
struct Envelope<'a> {
    #[schemars(extend("const" = 0))]
    status: u8,
    /// The HTTP status.
    #[schemars(range(min = 400, max = 599))]
    error_code: u16,
    error_type: ErrorType,
    error_description: String,
    /// All problems of the body.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [Wrong<'a>],
    /// The likely mistake of the sender, and the remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    hint: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Wrong<'a> {
    /// The field, as in `payload.message.text`.
    path: &'a str,
    code: ViolationCode,
    detail: &'a str,
}

impl ChatError {
    /// The answer. Written out as one table: status, type, sentence.
    pub fn response(&self) -> HttpResponse {
        let (status, error_type, description) = self.row();
        let errors = self.wrong_fields();
        let hint = self.hint().map(Hint::text);
        let mut response = HttpResponse::build(status);
        if let Self::MethodNotAllowed { allow, .. } = self {
            response.insert_header((header::ALLOW, *allow));
        }
        if let Self::QuotaReached(reached) = self {
            let seconds = whole_seconds(reached.retry_after);
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if let Self::TooManyWrong(wait) = self {
            let seconds = whole_seconds(*wait);
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if let Self::Unavailable(unavailable) = self {
            unavailable::log(unavailable);
            response.insert_header((header::RETRY_AFTER, unavailable.retry_after().as_secs()));
        }
        if let Self::NotOwner(_) = self {
            response.insert_header((header::RETRY_AFTER, unavailable::NOT_OWNER_RETRY.as_secs()));
        }
        if let Self::TooManyRequests(wait) = self {
            response.insert_header((header::RETRY_AFTER, wait.seconds()));
        }
        response.json(Envelope {
            status: 0,
            error_code: status.as_u16(),
            error_type,
            error_description: description,
            errors: &errors,
            hint: hint.as_deref(),
        })
    }

    /// The sender's probable mistake.
    fn hint(&self) -> Option<&Hint> {
        match self {
            Self::Signature { hint }
            | Self::MessageNotFound { hint }
            | Self::ConversationNotFound { hint }
            | Self::MethodNotAllowed { hint, .. } => hint.as_ref(),
            Self::NoSuchAddress { hint } => Some(hint),
            Self::NotJson(_)
            | Self::Invalid(_)
            | Self::AccountNotAllowed
            | Self::NotRegistered
            | Self::TooSlow(_)
            | Self::MessageExists
            | Self::TooLarge(_)
            | Self::PathTooLong(_)
            | Self::TooManyRequests(_)
            | Self::QuotaReached(_)
            | Self::HeadTooLong(_)
            | Self::Misdirected(_)
            | Self::UnsupportedMediaType
            | Self::TooManyWrong(_)
            | Self::NotOwner(_)
            | Self::Unavailable(_) => None,
        }
    }

    /// The same, to keep.
    pub(crate) fn into_hint(self) -> Option<Hint> {
        self.hint().cloned()
    }

    fn wrong_fields(&self) -> Vec<Wrong<'_>> {
        let Self::Invalid(violations) = self else {
            return Vec::new();
        };
        let wrong = violations.kept().iter();
        wrong
            .map(|wrong| Wrong {
                path: &wrong.path,
                code: wrong.code,
                detail: &wrong.detail,
            })
            .collect()
    }

    fn row(&self) -> (StatusCode, ErrorType, String) {
        use ErrorType as T;
        use StatusCode as S;
        match self {
            Self::NotJson(why) => (S::BAD_REQUEST, T::OriginInvalidRequest, why.clone()),
            Self::Invalid(violations) => (S::BAD_REQUEST, T::OriginInvalidRequest, summary(violations)),
            Self::Signature { .. } => (S::FORBIDDEN, T::OriginInvalidSignature, "invalid signature".to_owned()),
            Self::TooManyWrong(_) => (
                S::TOO_MANY_REQUESTS,
                T::TooManyRequests,
                "too many requests with invalid signatures from your address; a valid one is accepted at once"
                    .to_owned(),
            ),
            Self::AccountNotAllowed => {
                (S::FORBIDDEN, T::OriginAccountNotAllowed, "the channel is not open to this account".to_owned())
            }
            Self::NotRegistered | Self::NoSuchAddress { .. } => (S::NOT_FOUND, T::OriginNotRegistered, "NOT_FOUND".to_owned()),
            Self::MessageNotFound { .. } => {
                (S::NOT_FOUND, T::MessageNotFound, "there is no such message in this scope, or none that this can be done with".to_owned())
            }
            Self::ConversationNotFound { .. } => {
                (S::NOT_FOUND, T::ConversationNotFound, "there is no such conversation in this scope".to_owned())
            }
            Self::MethodNotAllowed { allow, .. } => {
                (S::METHOD_NOT_ALLOWED, T::MethodNotAllowed, allows_only(allow))
            }
            Self::TooSlow(why) => (S::REQUEST_TIMEOUT, T::RequestTimeout, why.clone()),
            Self::MessageExists => (
                S::CONFLICT,
                T::MessageAlreadyExists,
                "a message with this msgid exists in this conversation, and its sender, receiver or message is another; nothing was changed"
                    .to_owned(),
            ),
            Self::TooLarge(limit) => (
                S::PAYLOAD_TOO_LARGE,
                T::PayloadTooLarge,
                format!("the body is longer than {limit} bytes (server.body_limit_bytes)"),
            ),
            Self::PathTooLong(limit) => {
                (S::URI_TOO_LONG, T::UriTooLong, format!("the path is longer than {limit} bytes"))
            }
            Self::TooManyRequests(wait) => {
                (S::TOO_MANY_REQUESTS, T::TooManyRequests, wait.to_string())
            }
            Self::QuotaReached(reached) => {
                (S::TOO_MANY_REQUESTS, T::QuotaExceeded, reached.to_string())
            }
            Self::HeadTooLong(limit) => (
                S::REQUEST_HEADER_FIELDS_TOO_LARGE,
                T::RequestHeaderFieldsTooLarge,
                format!("the head of the request is longer than {limit} bytes"),
            ),
            Self::Misdirected(why) => (S::MISDIRECTED_REQUEST, T::MisdirectedRequest, why.clone()),
            Self::UnsupportedMediaType => (
                S::UNSUPPORTED_MEDIA_TYPE,
                T::UnsupportedMediaType,
                "send the body as Content-Type: application/json, in UTF-8, without Content-Encoding".to_owned(),
            ),
            Self::NotOwner(why) => (S::SERVICE_UNAVAILABLE, T::Unavailable, why.clone()),
            Self::Unavailable(unavailable) => (S::SERVICE_UNAVAILABLE, T::Unavailable, unavailable::text(unavailable)),
        }
    }
}

fn summary(violations: &Violations) -> String {
    let total = violations.kept().len().saturating_add(violations.dropped());
    match violations.kept() {
        [only] if total == 1 => only.to_string(),
        [first, ..] => format!("{total} fields are invalid, the first: {first}"),
        [] => "the body does not fit this operation".to_owned(),
    }
}

impl ChatError {
    /// 404: what was asked for is not here, and this is what was probably meant.
    pub(crate) fn no_address(hint: impl Into<Hint>) -> Self {
        Self::NoSuchAddress { hint: hint.into() }
    }

    /// 400: one field is wrong.
    pub fn field(path: &str, code: ViolationCode, detail: &impl ToString) -> Self {
        Self::Invalid(Violations::from(Violation {
            path: path.to_owned(),
            code,
            detail: detail.to_string(),
        }))
    }
}

impl From<BodyError> for ChatError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::NotJson(why) => Self::NotJson(why.to_string()),
            BodyError::Invalid(violations) => Self::Invalid(violations),
        }
    }
}

impl From<RateLimitError> for ChatError {
    fn from(wait: RateLimitError) -> Self {
        Self::TooManyRequests(wait)
    }
}

impl From<CommandError<ConnectedScopeError>> for ChatError {
    fn from(refused: CommandError<ConnectedScopeError>) -> Self {
        refused.into_error(|ConnectedScopeError| Self::NotRegistered)
    }
}

impl From<UnavailableError> for ChatError {
    fn from(unavailable: UnavailableError) -> Self {
        Self::Unavailable(unavailable)
    }
}

/// The body of an error: each operation has several of them.
pub(crate) fn schema() -> Schema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(Schema::for_type::<Envelope<'_>>);
    SCHEMA.clone()
}
