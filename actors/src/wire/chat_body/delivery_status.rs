//! The body of `POST /v2/origin/custom/<scope_id>/<msgid>/delivery_status`.

use crate::domain::chat::delivery::{DeliveryError, DeliveryErrorCode, DeliveryStatus};
use crate::domain::id::MessageId;
use crate::domain::violation::ViolationCode;
use crate::wire::chat_body::Rules;
use crate::wire::json::object::{ObjectReader, Shape};
use crate::wire::json::{self, BodyError};

/// An integration reports on an account user's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The message, by our id.
    pub message: MessageId,
    /// What became of it.
    pub status: DeliveryStatus,
}

/// Reads the body of a report on the message that the path names. Keys that are not listed are refused by
/// name, as for connect.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8], rules: Rules, in_path: MessageId) -> Result<DeliveryReport, BodyError> {
    json::read(body, rules.nulls(), |body| {
        body.refuse_unknown(&["msgid", "delivery_status", "error_code", "error"]);
        let message = message(body, in_path);
        let status = status(body);
        Some(DeliveryReport {
            message: message?,
            status: status?,
        })
    })
}

/// Seed A, rule 6: «The `msgid` in the delivery status body equals the `msgid` in the path.»
fn message(body: &ObjectReader<'_, '_>, in_path: MessageId) -> Option<MessageId> {
    let message: MessageId = body.required_parsed("msgid")?;
    if message == in_path {
        return Some(message);
    }
    let detail = format!("expected the message of the path, {in_path}");
    body.reject("msgid", ViolationCode::InvalidValue, detail);
    None
}

fn status(body: &ObjectReader<'_, '_>) -> Option<DeliveryStatus> {
    let number = body.required_integer("delivery_status", i64::MIN..=i64::MAX);
    let Some(-1) = number else {
        // The vendor's own sample sends both along with status 2: typed, and else ignored.
        body.check_shape("error_code", Shape::Integer);
        body.check_shape("error", Shape::Text);
        return match number? {
            1 => Some(DeliveryStatus::Delivered),
            2 => Some(DeliveryStatus::Read),
            _ => {
                let detail = "expected one of 1, 2, -1".to_owned();
                body.reject("delivery_status", ViolationCode::NotSupportedChoice, detail);
                None
            }
        };
    };
    let code = error_code(body);
    let text = if code == Some(DeliveryErrorCode::Other) {
        Some(body.required_parsed("error")?)
    } else {
        body.optional_unless_empty("error")
    };
    DeliveryError::new(code?, text)
        .ok()
        .map(DeliveryStatus::Error)
}

fn error_code(body: &ObjectReader<'_, '_>) -> Option<DeliveryErrorCode> {
    let number = body.required_integer("error_code", i64::MIN..=i64::MAX)?;
    let code = DeliveryErrorCode::from_number(number);
    if code.is_none() {
        let detail = "expected one of 901, 902, 903, 904, 905".to_owned();
        body.reject("error_code", ViolationCode::NotSupportedChoice, detail);
    }
    code
}
