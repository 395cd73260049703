//! The ways in which requests say who asks.

use serde_json::{Value, json};

use crate::extract::caller::CSRF_HEADER;

/// The ways, by their names in the document.
pub(super) fn schemes() -> Value {
    json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of an account user. The operator creates tokens; only the response to that has the token.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "switchboard_session",
            "description": "The cookie that POST /inbox/v1/session sets. Over HTTPS it is called __Host-switchboard_session.",
        },
        "csrf": {
            "type": "apiKey",
            "in": "header",
            "name": CSRF_HEADER,
            "description": "With a session, on everything that changes something: the csrf_token of GET /inbox/v1/me.",
        },
        "operator": {
            "type": "http",
            "scheme": "bearer",
            "description": "The operator's token.",
        },
        "bodySignature": {
            "type": "apiKey",
            "in": "header",
            "name": "X-Signature",
            "description": "2019 generation: hex HMAC-SHA1 of the raw body, keyed with the text of the channel's secret.",
        },
        "requestSignature": {
            "type": "apiKey",
            "in": "header",
            "name": "X-Signature",
            "description": "Current generation: hex HMAC-SHA1 of method, Content-MD5, Content-Type, Date and path without query, \
                            with a line feed between them and none behind, keyed with the text of the channel's secret.",
        },
    })
}
