//! The address suggested for each path.

use super::*;
use switchboard_diagnosis::hint::Hint;

const CHANNEL: &str = "c0ffee00-0000-4000-8000-000000000000";
const SCOPE: &str = "c0ffee00-0000-4000-8000-000000000000_af9945ff-1490-4cad-807d-945c15d88bec";

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn the_nearest_address_is_named_with_the_mistake() {
    let id = "deadbeef-0000-4000-8000-000000000000";
    for (method, tail, meant) in [
        (
            "POST",
            format!("{SCOPE}/"),
            "ends with a slash; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        (
            "POST",
            format!("{SCOPE}//typing"),
            "an empty part; did you mean POST /v2/origin/custom/{scope_id}/typing?",
        ),
        (
            "POST",
            format!("{CHANNEL}/connect/"),
            "ends with a slash; did you mean POST /v2/origin/custom/{channel_id}/connect?",
        ),
        (
            "POST",
            CHANNEL.to_owned(),
            "<channel_id>_<account_id>, as the answer of connect has it; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        (
            "POST",
            format!("{CHANNEL}_x"),
            "must be the account_id, a UUID; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        (
            "POST",
            format!("{CHANNEL}/typing"),
            "did you mean POST /v2/origin/custom/{scope_id}/typing?",
        ),
        (
            "POST",
            format!("{SCOPE}/message"),
            "no such path; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        (
            "POST",
            format!("{SCOPE}/messages"),
            "no such path; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        (
            "POST",
            format!("{SCOPE}/delivery_status"),
            "no such path; did you mean POST /v2/origin/custom/{scope_id}/{msgid}/delivery_status?",
        ),
        (
            "POST",
            format!("{SCOPE}/{id}/delivery-status"),
            "did you mean POST /v2/origin/custom/{scope_id}/{msgid}/delivery_status?",
        ),
        (
            "POST",
            format!("{SCOPE}/{id}/status"),
            "did you mean POST /v2/origin/custom/{scope_id}/{msgid}/delivery_status?",
        ),
        (
            "GET",
            format!("{SCOPE}/chats/{id}/History"),
            "did you mean GET /v2/origin/custom/{scope_id}/chats/{conversation_id}/history?",
        ),
        (
            "GET",
            format!("{SCOPE}/chats/{id}"),
            "did you mean GET /v2/origin/custom/{scope_id}/chats/{conversation_id}/history?",
        ),
        (
            "POST",
            format!("{SCOPE}/chat"),
            "did you mean POST /v2/origin/custom/{scope_id}/chats?",
        ),
        (
            "POST",
            "connect".to_owned(),
            "did you mean POST /v2/origin/custom/{channel_id}/connect?",
        ),
        (
            "DELETE",
            format!("{CHANNEL}/disconect"),
            "did you mean DELETE /v2/origin/custom/{channel_id}/disconnect?",
        ),
        (
            "POST",
            "{scope_id}".to_owned(),
            "letters, digits, - and _ only, and nothing is escaped; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        (
            "POST",
            format!("{SCOPE}/a/b/c/d"),
            "no such path; GET /openapi.json lists the addresses",
        ),
    ] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let hint = Hint::from(of_path(&method, &format!("{PREFIX}{tail}"))).text();
        assert!(hint.ends_with(meant), "{method} {tail}: {hint}");
    }
    let bare = Hint::from(of_path(&Method::POST, PREFIX.trim_end_matches('/'))).text();
    assert!(
        bare.contains("POST /v2/origin/custom/{scope_id}?"),
        "{bare}"
    );
}

#[test]
fn no_path_is_too_long_or_too_odd() {
    for tail in [
        "/".repeat(2_000),
        "a/".repeat(1_000),
        "é".repeat(900),
        "_".repeat(2_000),
        String::new(),
    ] {
        let hint = Hint::from(of_path(&Method::POST, &format!("{PREFIX}{tail}"))).text();
        assert!(hint.len() < 300, "{hint}");
    }
}
