//! Errors of the account interface and of the operator's: `application/problem+json`, without a charset (a client
//! compares the string).

mod parts;
mod row;

use std::fmt;
use std::sync::LazyLock;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_actors::domain::account_quota::{AccountQuotaRejection, QuotaKind};
use switchboard_actors::domain::dispatch::quota::Quota;
use switchboard_actors::domain::dispatch::quota::QuotaRejection;
use switchboard_actors::domain::time::whole_seconds;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::domain::violation::{Violation, Violations};
use switchboard_actors::error::UnavailableError;
use switchboard_actors::wire::account_body::batch::{BatchError, ItemError};
use switchboard_actors::wire::json::BodyError;
use switchboard_gate::limits::RateLimitError;

use crate::openapi::{Schema, Url};
use crate::reply::health::EndpointHealth;
use crate::reply::token_error::TokenError;
use crate::reply::{allows_only, unavailable};

pub(crate) use self::parts::{NoTokens, NotOffered, Present};
use self::row::{Row, too_long, wanted};

/// The media type of errors.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The remedy for a caller who is no user.
const NO_USER: &str = "send a valid token of an active account user: Authorization: Bearer <token>; or sign in with POST /inbox/v1/session";
/// The remedy for a caller who is not the operator.
const NO_OPERATOR: &str = "send the operator's token: Authorization: Bearer <token>";

/// An error of the account side, or of the operator's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// 400: this is wrong with the request.
    BadRequest(String),
    /// 400: these fields are wrong.
    Validation(Violations),
    /// 400: these items of the request are wrong.
    WrongItems(Vec<ItemError>),
    /// 403: the caller may not, or the account may not.
    Forbidden(String),
    /// 408: the request did not come in time.
    TooSlow(String),
    /// 401: no token, or one that is not known.
    Unauthorized(Option<TokenError>),
    /// 401: the e-mail address or the password is wrong, or the refresh token.
    WrongCredential(String),
    /// 401: no operator's token, or a wrong one.
    NotTheOperator(Option<TokenError>),
    /// 404: there is no such thing, or not for this caller.
    NotFound(String),
    /// 405: the address takes other methods.
    MethodNotAllowed { allow: String },
    /// 409: what is asked contradicts what is there.
    Conflict(String),
    /// 409: what is asked contradicts what is there, and the caller gets that.
    ConflictWith {
        detail: String,
        present: Box<Present>,
    },
    /// 402: a quota that the operator sells is used up.
    PaymentRequired(String),
    /// 422: the entity is in a state in which this cannot be done.
    Unprocessable(String),
    /// 413: the body is longer than this many bytes.
    TooLarge(usize),
    /// 414: the path is longer than this many bytes.
    PathTooLong(usize),
    /// 431: the head of the request is longer than this many bytes.
    HeadTooLong(usize),
    /// 415: the body is not declared as JSON.
    UnsupportedMediaType,
    /// 415: the body is declared neither as JSON nor as a form.
    NeitherJsonNorForm,
    /// 415: the body is no form with a file.
    NotMultipart,
    /// 400 or 401: a client gets no tokens.
    NoTokens(NoTokens),
    /// 421: the request was meant for another host.
    Misdirected(String),
    /// 429: too often.
    TooManyRequests {
        detail: String,
        retry_after: Duration,
    },
    /// 429, or 503 when it is the node: too many callbacks wait already.
    OverQuota(Box<QuotaRejection>),
    /// 404: the counterpart has this, and this service does not.
    NotOffered { detail: String, part: NotOffered },
    /// 503: another node may answer.
    NotOwner(String),
    /// 503: not now.
    Unavailable(UnavailableError),
}

/// The body of an error.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
struct Body<'a> {
    title: &'a str,
    #[serde(rename = "type")]
    kind: Url<String>,
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// The problem and its remedy.
    detail: String,
    /// All problems of the fields of the body.
    #[serde(rename = "validation-errors", skip_serializing_if = "<[_]>::is_empty")]
    validation_errors: &'a [Item<'a>],
    /// The quota of waiting callbacks that is used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    quota: Option<Exceeded>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    endpoint: Option<EndpointHealth>,
    #[serde(flatten)]
    present: Option<&'a Present>,
    #[serde(flatten)]
    no_tokens: Option<&'a NoTokens>,
    #[serde(flatten)]
    not_offered: Option<&'a NotOffered>,
}

/// The quota that is used up.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Exceeded {
    #[schemars(extend("enum" = Quota::WORDS))]
    name: &'static str,
    /// The largest number of waiting callbacks.
    limit: u64,
    /// The number of waiting callbacks.
    queued: u64,
}

/// The problems of one item of the request. A request with one object has the item `0`.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Item<'a> {
    /// The item's own `request_id`, else its place from 0.
    request_id: &'a str,
    errors: Vec<Wrong<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Wrong<'a> {
    code: ViolationCode,
    /// The field of the item, as in `rights.leads.edit`.
    path: &'a str,
    detail: &'a str,
}

/// The right that is needed, behind what was sent if that is known.
fn with_hint(sent: Option<&TokenError>, needed: &str) -> String {
    match sent {
        Some(kind) => format!("{kind}; {needed}"),
        None => needed.to_owned(),
    }
}

fn field_error(violation: &Violation) -> Wrong<'_> {
    Wrong {
        code: violation.code,
        path: &violation.path,
        detail: &violation.detail,
    }
}

fn item_errors<'a>(request_id: &'a str, violations: &'a Violations) -> Item<'a> {
    Item {
        request_id,
        errors: violations.kept().iter().map(field_error).collect(),
    }
}

impl Problem {
    /// 400: one field is wrong.
    pub(crate) fn field(path: &str, code: ViolationCode, detail: &impl ToString) -> Self {
        Self::Validation(Violations::from(Violation {
            path: path.to_owned(),
            code,
            detail: detail.to_string(),
        }))
    }

    fn all_item_errors(&self) -> Vec<Item<'_>> {
        if let Self::Validation(violations) = self {
            return vec![item_errors("0", violations)];
        }
        let Self::WrongItems(items) = self else {
            return Vec::new();
        };
        let items = items.iter();
        items
            .map(|wrong| item_errors(&wrong.request_id, &wrong.violations))
            .collect()
    }

    fn row(&self) -> Row {
        use StatusCode as S;
        match self {
            Self::BadRequest(detail) => Row::new(S::BAD_REQUEST, detail),
            Self::Validation(_) | Self::WrongItems(_) => {
                Row::new(S::BAD_REQUEST, "Request validation failed")
            }
            Self::NoTokens(why) => Row::new(why.status(), &why.hint),
            Self::Unauthorized(kind) => {
                Row::new(S::UNAUTHORIZED, with_hint(kind.as_ref(), NO_USER))
                    .with(WWW_AUTHENTICATE, "Bearer")
            }
            Self::NotTheOperator(kind) => {
                Row::new(S::UNAUTHORIZED, with_hint(kind.as_ref(), NO_OPERATOR))
                    .with(WWW_AUTHENTICATE, "Bearer")
            }
            Self::WrongCredential(detail) => {
                Row::new(S::UNAUTHORIZED, detail).with(WWW_AUTHENTICATE, "Bearer")
            }
            Self::Forbidden(detail) => Row::new(S::FORBIDDEN, detail),
            Self::NotFound(detail) | Self::NotOffered { detail, .. } => {
                Row::new(S::NOT_FOUND, detail)
            }
            Self::MethodNotAllowed { allow } => {
                Row::new(S::METHOD_NOT_ALLOWED, allows_only(allow)).with(header::ALLOW, allow)
            }
            Self::TooSlow(why) => Row::new(S::REQUEST_TIMEOUT, why.as_str()),
            Self::Conflict(detail) | Self::ConflictWith { detail, .. } => {
                Row::new(S::CONFLICT, detail)
            }
            Self::PaymentRequired(detail) => Row::new(S::PAYMENT_REQUIRED, detail),
            Self::Unprocessable(detail) => Row::new(S::UNPROCESSABLE_ENTITY, detail),
            Self::TooLarge(most) => too_long(S::PAYLOAD_TOO_LARGE, "body", *most),
            Self::PathTooLong(most) => too_long(S::URI_TOO_LONG, "path", *most),
            Self::HeadTooLong(most) => too_long(
                S::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "head of the request",
                *most,
            ),
            Self::UnsupportedMediaType => wanted("send the body as Content-Type: application/json"),
            Self::NeitherJsonNorForm => wanted(
                "send the body as Content-Type: application/json or application/x-www-form-urlencoded",
            ),
            Self::NotMultipart => {
                wanted("send the file as Content-Type: multipart/form-data, with one part «file»")
            }
            Self::Misdirected(detail) => Row::new(S::MISDIRECTED_REQUEST, detail),
            Self::TooManyRequests {
                detail,
                retry_after,
            } => Row::new(S::TOO_MANY_REQUESTS, detail).retry_after(whole_seconds(*retry_after)),
            Self::OverQuota(refusal) => {
                let is_of_the_node = refusal.quota.is_of_the_node();
                let status = if is_of_the_node {
                    S::SERVICE_UNAVAILABLE
                } else {
                    S::TOO_MANY_REQUESTS
                };
                Row::new(status, refusal.to_string())
                    .retry_after(whole_seconds(refusal.retry_after))
            }
            Self::NotOwner(why) => Row::new(S::SERVICE_UNAVAILABLE, why)
                .retry_after(unavailable::NOT_OWNER_RETRY.as_secs()),
            Self::Unavailable(why) => Row::new(S::SERVICE_UNAVAILABLE, unavailable::text(why))
                .retry_after(why.retry_after().as_secs()),
        }
    }

    /// The quota that is used up, and the endpoint whose callbacks wait.
    fn exceeded(&self) -> Option<(Exceeded, EndpointHealth)> {
        let Self::OverQuota(refusal) = self else {
            return None;
        };
        let exceeded = Exceeded {
            name: refusal.quota.as_str(),
            limit: refusal.limit,
            queued: refusal.queued,
        };
        Some((exceeded, EndpointHealth::new(&refusal.health)))
    }
}

impl From<AccountQuotaRejection> for Problem {
    fn from(reached: AccountQuotaRejection) -> Self {
        if reached.kind == QuotaKind::BotMessagesPerMonth {
            return Self::PaymentRequired(format!("Over chat API limit: {reached}"));
        }
        Self::TooManyRequests {
            detail: reached.to_string(),
            retry_after: reached.retry_after,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.row().detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.row().status
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        if let Self::Unavailable(unavailable) = self {
            unavailable::log(unavailable);
        }
        let Row {
            status,
            detail,
            header,
        } = self.row();
        let mut response = HttpResponse::build(status);
        // Some are written before, or beside, what every answer goes through.
        response.insert_header((header::CACHE_CONTROL, "no-store"));
        response.insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
        if let Some(header) = header {
            response.insert_header(header);
        }
        let items = self.all_item_errors();
        let (quota, endpoint) = self.exceeded().unzip();
        let body = Body {
            title: status.canonical_reason().unwrap_or("Error"),
            kind: format!("https://httpstatus.es/{}", status.as_u16()).into(),
            status: status.as_u16(),
            detail,
            validation_errors: &items,
            quota,
            endpoint,
            present: if let Self::ConflictWith { present, .. } = self {
                Some(present)
            } else {
                None
            },
            no_tokens: if let Self::NoTokens(why) = self {
                Some(why)
            } else {
                None
            },
            not_offered: if let Self::NotOffered { part, .. } = self {
                Some(part)
            } else {
                None
            },
        };
        match serde_json::to_string(&body) {
            Ok(json) => response.content_type(MEDIA_TYPE).body(json),
            Err(_never) => response.finish(),
        }
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::NotJson(why) => Self::BadRequest(why.to_string()),
            BodyError::Invalid(violations) => Self::Validation(violations),
        }
    }
}

impl From<Box<QuotaRejection>> for Problem {
    fn from(refusal: Box<QuotaRejection>) -> Self {
        Self::OverQuota(refusal)
    }
}

impl From<BatchError> for Problem {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Wrong(items) => Self::WrongItems(items),
            BatchError::NotJson(_) | BatchError::Empty | BatchError::TooMany { .. } => {
                Self::BadRequest(error.to_string())
            }
        }
    }
}

impl From<RateLimitError> for Problem {
    fn from(wait: RateLimitError) -> Self {
        Self::TooManyRequests {
            detail: wait.to_string(),
            retry_after: wait.0,
        }
    }
}

impl From<UnavailableError> for Problem {
    fn from(unavailable: UnavailableError) -> Self {
        Self::Unavailable(unavailable)
    }
}

/// The body of an error: each operation has several of them.
pub(crate) fn schema() -> Schema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(Schema::for_type::<Body<'_>>);
    SCHEMA.clone()
}
