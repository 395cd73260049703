//! The body of `POST /v2/origin/custom/<scope_id>/<msgid>/delivery_status`.

use crate::chat_body::Rules;
use crate::domain::chat::delivery::{DeliveryError, DeliveryErrorCode, DeliveryStatus};
use crate::domain::id::MessageId;
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::{JsonType, ObjectReader};
use crate::json::{self, BodyError};

/// An integration reports on an account user's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The message, by our id.
    pub message: MessageId,
    /// The new status.
    pub status: DeliveryStatus,
}

/// Reads the body of a report on the message that the path names. Keys that are not listed are refused by
/// name, as for connect.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8], rules: Rules, in_path: MessageId) -> Result<DeliveryReport, BodyError> {
    rules.read(|rules| read(body, rules, in_path))
}

fn read(body: &[u8], rules: Rules, in_path: MessageId) -> Result<DeliveryReport, BodyError> {
    json::read(body, rules.nulls(), |body| {
        let keys: &[&str] = match rules {
            Rules::V2019 => &["msgid", "delivery_status", "error_code", "error"],
            Rules::Current => &[
                "msgid",
                "delivery_status",
                "status_code",
                "error_code",
                "error",
            ],
        };
        refuse_unknown(body, keys);
        let message = match rules {
            Rules::Current if !body.has("msgid") => Some(in_path),
            Rules::V2019 | Rules::Current => message(body, in_path),
        };
        let status = match rules {
            Rules::V2019 => status(body, "delivery_status"),
            Rules::Current => status(body, number_of(body)),
        };
        Some(DeliveryReport {
            message: message?,
            status: status?,
        })
    })
}

/// `message.delivery_status` of an edit: the same in the spelling of the current generation.
pub(super) fn nested(reported: &ObjectReader<'_, '_>) -> Option<DeliveryStatus> {
    refuse_unknown(
        reported,
        &["status_code", "delivery_status", "error_code", "error"],
    );
    status(reported, number_of(reported))
}

/// The vendor's page writes `error_code` with a Cyrillic letter in two of its tables, and people copy it.
fn refuse_unknown(body: &ObjectReader<'_, '_>, known: &[&str]) {
    const COPIED: &str = "error_\u{441}ode";
    if body.has(COPIED) {
        let detail = "the «с» of this key is the Cyrillic letter U+0441, as in a table of the vendor: write error_code in Latin letters".to_owned();
        body.reject(COPIED, ViolationCode::InvalidValue, detail);
    }
    body.refuse_unknown_but(known, &[COPIED]);
}

/// The name of the field with the status, one of two. Both may be given when they agree.
fn number_of(body: &ObjectReader<'_, '_>) -> &'static str {
    let (Some(Node::Unsigned(_) | Node::Negative(_)), Some(second)) =
        (body.raw("delivery_status"), body.raw("status_code"))
    else {
        return if body.has("status_code") {
            "status_code"
        } else {
            "delivery_status"
        };
    };
    if body.has("status_code") && body.raw("delivery_status") != Some(second) {
        let detail = "differs from delivery_status: give one of them".to_owned();
        body.reject("status_code", ViolationCode::InvalidValue, detail);
    }
    "delivery_status"
}

/// The `msgid` of the body, which must be the `msgid` of the path.
fn message(body: &ObjectReader<'_, '_>, in_path: MessageId) -> Option<MessageId> {
    let message: MessageId = body.required_parsed("msgid")?;
    if message == in_path {
        return Some(message);
    }
    let detail = format!("expected the message of the path, {in_path}");
    body.reject("msgid", ViolationCode::InvalidValue, detail);
    None
}

/// A status before the particulars of an error are read.
#[derive(Clone, Copy)]
enum Reported {
    Delivered,
    Read,
    Error,
}

const STATUSES: [(i64, Reported); 3] = [
    (1, Reported::Delivered),
    (2, Reported::Read),
    (-1, Reported::Error),
];

fn status(body: &ObjectReader<'_, '_>, name: &'static str) -> Option<DeliveryStatus> {
    let status = match body.required_numbered(name, &STATUSES) {
        Some(Reported::Error) => return error(body),
        Some(Reported::Delivered) => Some(DeliveryStatus::Delivered),
        Some(Reported::Read) => Some(DeliveryStatus::Read),
        None => None,
    };
    // The vendor's own sample sends both along with status 2: typed, and else ignored.
    body.check_shape("error_code", JsonType::Integer);
    body.check_shape("error", JsonType::Text);
    status
}

fn error(body: &ObjectReader<'_, '_>) -> Option<DeliveryStatus> {
    let code = body.required_numbered("error_code", &DeliveryErrorCode::NUMBERS);
    let text = if code == Some(DeliveryErrorCode::Other) {
        Some(body.required_parsed("error")?)
    } else {
        body.optional_unless_empty("error")
    };
    DeliveryError::new(code?, text)
        .ok()
        .map(DeliveryStatus::Error)
}
