//! The promises of the reader of any JSON body.

use std::fmt::Debug;

use serde_json::Value;
use switchboard_actors::domain::violation::Violations;

/// The same document in other bytes: without blanks, with other escapes, its keys in another order. `None` when the
/// bytes are no JSON.
pub fn respelled(body: &[u8]) -> Option<Vec<u8>> {
    let value: Value = serde_json::from_slice(body).ok()?;
    Some(value.to_string().into_bytes())
}

/// Every refusal has at least one violation, and every violation is a sentence.
pub fn are_told(violations: &Violations) {
    assert!(!violations.kept().is_empty(), "refused without a reason");
    for violation in violations.kept() {
        assert!(!violation.detail.is_empty(), "{}: nothing", violation.path);
        // Keys of the client's stand in it, and neither they nor their depth make it long or move a cursor.
        assert!(violation.path.chars().count() < 2_048 && !violation.path.contains('\n'));
    }
    assert!(violations.dropped() == 0 || violations.kept().len() == Violations::KEPT_MAX);
}

/// The violations in an order that does not depend on that of the keys. The hundred that are kept of more do.
pub fn sorted(violations: &Violations) -> Option<Vec<String>> {
    let mut lines: Vec<String> = violations.kept().iter().map(ToString::to_string).collect();
    lines.sort();
    (violations.dropped() == 0).then_some(lines)
}

/// Both spellings of a document were read alike.
#[track_caller]
pub fn alike<T: Debug + PartialEq>(one: &T, other: &T) {
    assert_eq!(
        one, other,
        "the spelling of a document changed what it says"
    );
}
