//! Fields that messages and edits have in common.

use std::time::Duration;

use crate::chat_body::Rules;
use crate::domain::id::{ClientConversationId, ConversationId};
use crate::domain::time::UnixMillis;
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::{MISSING, ObjectReader};

/// The time by which a message may be dated ahead of our clock: clocks differ, and so do notions of local time.
const AHEAD_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Both ids of a conversation. The current generation asks for one of them only.
pub(super) fn conversation(
    body: &ObjectReader<'_, '_>,
    rules: Rules,
) -> Option<(Option<ClientConversationId>, Option<ConversationId>)> {
    let reference = body.optional_parsed("conversation_ref_id");
    if rules == Rules::Current && reference.is_some() {
        return Some((body.optional_parsed("conversation_id"), reference));
    }
    let id = body.required_parsed("conversation_id")?;
    Some((Some(id), reference))
}

/// Reads the time of writing. Of the two fields of the current generation the finer one counts, unless they contradict
/// each other by a second or more.
pub(super) fn timestamp(
    payload: &ObjectReader<'_, '_>,
    rules: Rules,
    now: UnixMillis,
) -> Option<UnixMillis> {
    let latest = now.plus(AHEAD_MAX);
    let bound = |latest: u64| 0..=i64::try_from(latest).unwrap_or(i64::MAX);
    let msec_timestamp = match rules {
        Rules::V2019 => None,
        Rules::Current => payload.optional_integer("msec_timestamp", bound(latest.get())),
    };
    let millis = msec_timestamp
        .and_then(|millis| u64::try_from(millis).ok())
        .map(UnixMillis::new);
    if rules == Rules::Current && !payload.has("timestamp") && millis.is_some() {
        return millis;
    }
    // A moment of the last decades in milliseconds is centuries ahead in seconds.
    let millis_of_now = latest.secs().saturating_mul(10)..=latest.get();
    if let Some(Node::Unsigned(given)) = payload.raw("timestamp")
        && millis_of_now.contains(given)
    {
        let detail = "this looks like milliseconds; give seconds".to_owned();
        payload.reject("timestamp", ViolationCode::InvalidValue, detail);
        return None;
    }
    let number = payload.required_integer("timestamp", bound(latest.secs()))?;
    let seconds = u64::try_from(number).ok()?;
    Some(
        millis
            .filter(|millis| millis.secs() == seconds)
            .unwrap_or(UnixMillis::from_secs(seconds)),
    )
}

/// Reports that one of two fields has to be there.
pub(super) fn either_missing(body: &ObjectReader<'_, '_>, name: &str, other: &str) {
    let detail = format!("{MISSING}: give it, or {other}");
    body.reject(name, ViolationCode::FieldMissing, detail);
}
