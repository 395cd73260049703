//! Parts of the body of an error that only some errors have.

use actix_web::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::openapi::{Seconds, Url};
use switchboard_actors::domain::id::{GroupId, UserId};

/// The reason why a client gets no tokens, in the words of RFC 6749, 5.2, and of the counterpart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct NoTokens {
    /// The code of the error.
    pub error: &'static str,
    /// The rule that the request breaks, and the request that used its code or refresh token before.
    pub(crate) hint: String,
}

impl NoTokens {
    /// The client is unknown, or its secret is wrong.
    pub(crate) const INVALID_CLIENT: &'static str = "invalid_client";

    /// The status of the answer.
    pub(super) fn status(&self) -> StatusCode {
        if self.error == Self::INVALID_CLIENT {
            StatusCode::UNAUTHORIZED
        } else {
            StatusCode::BAD_REQUEST
        }
    }
}

/// The part of a body about what the service does not offer, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct NotOffered {
    /// `NotOffered`; other answers with this status have no code.
    #[schemars(extend("const" = "NotOffered"))]
    pub code: &'static str,
    /// The part of the counterpart's interface.
    pub(crate) surface: &'static str,
    /// The page that lists all of them.
    pub(crate) page: Url<String>,
}

/// The present state, for the writer of something that contradicts it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Present {
    /// The answers behind the message that the writer has seen, newest first, as the list of messages has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) answers: Vec<Value>,
    /// The stored version of the writer's draft, as `getDraft` returns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(crate) draft: Option<Value>,
    /// The stored version of the scheduled reply, as `listScheduledReplies` returns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(crate) scheduled_reply: Option<Value>,
    /// The user who is responsible for the conversation; null when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<UserId>")]
    pub(crate) responsible_user_id: Option<Value>,
    /// The time at which the time window of the conversation closed; 0 when the customer has never written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window_closed_at: Option<Seconds>,
    /// The group to which the conversation is assigned; null when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<GroupId>")]
    pub(crate) group_id: Option<Value>,
}
