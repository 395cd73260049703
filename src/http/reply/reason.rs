//! Why something stands where it does: `reason` for people, `reason_code` for programs, `reason_details` for what the
//! sentence names.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::reason::{Reason, ReasonCode};

use crate::http::openapi::{Field, Schema, may, must};

/// Adds the fields of a reason to an object.
pub(crate) fn tell(view: &mut Value, reason: Option<&Reason>) {
    if let (Some(view), Value::Object(told)) = (view.as_object_mut(), json!(Reason::told(reason))) {
        view.extend(told);
    }
}

/// The fields that [`tell`] adds.
pub(crate) fn fields() -> [Field; 3] {
    let details = Schema::object([
        may(
            "status",
            Schema::between(0, 999).says("The HTTP status that came."),
        ),
        may("attempt", Schema::from(1).says("Which attempt.")),
        may("last", codes().says("What the last attempt came to.")),
        may(
            "conversation_id",
            Schema::uuid().says("The conversation whose callbacks fail."),
        ),
    ]);
    [
        must("reason", Schema::text().or_null().says("Why, for people.")),
        must("reason_code", codes().or_null()),
        must(
            "reason_details",
            details.says(
                "What the reason names, for a program that says the same in another language.",
            ),
        ),
    ]
}

fn codes() -> Schema {
    let codes = Schema::words(ReasonCode::ALL.iter().map(|code| code.as_str()));
    Schema::named(
        "ReasonCode",
        codes.says("Why, as a word that never changes its meaning."),
    )
}
