//! Requests to the wrong address, or with the wrong body.

use serde_json::json;

use super::*;

/// Asked at another address.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn addresses<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let scope = &kit.scope;
    let other = kit.client.signed(
        "POST",
        &crate::support::client::scope(CHANNEL, OTHER_ACCOUNT),
        kit.body.clone(),
    );
    vec![
        Case(
            "an account that is not connected",
            other,
            404,
            "send POST /v2/origin/custom/c0ffee00-1111-4222-8333-444455556666/connect",
        ),
        Case(
            "an account that nobody has",
            kit.to("POST", &format!("{CHANNEL}_{NO_ACCOUNT}")),
            404,
            "no account has the id after the last _",
        ),
        Case(
            "a channel that nobody has",
            kit.to("POST", &format!("{UNKNOWN}_{ACCOUNT}")),
            404,
            "no channel has the id in this path",
        ),
        Case(
            "connect at a channel that nobody has",
            kit.to("POST", &format!("{UNKNOWN}/connect")),
            404,
            "compare it with the id that the operator gave you",
        ),
        Case(
            "connect at a scope",
            kit.to("POST", &format!("{scope}/connect")),
            404,
            "the id of the channel alone",
        ),
        Case(
            "the channel's id in place of the scope's",
            kit.to("POST", CHANNEL),
            404,
            "is <channel_id>_<account_id>",
        ),
        Case(
            "a slash at the end",
            kit.to("POST", &format!("{scope}/")),
            404,
            "ends with a slash; did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        Case(
            "an unknown path below a scope",
            kit.to("POST", &format!("{scope}/message")),
            404,
            "did you mean POST /v2/origin/custom/{scope_id}?",
        ),
        Case(
            "delivery status without the message",
            kit.to("POST", &format!("{scope}/delivery_status")),
            404,
            "{msgid}/delivery_status?",
        ),
        Case(
            "the scope of another channel's secret",
            kit.to(
                "POST",
                &crate::support::client::scope(OTHER_CHANNEL, ACCOUNT),
            ),
            403,
            "the secret of the channel",
        ),
        Case("PUT", kit.to("PUT", scope), 405, ""),
        Case("GET", kit.to("GET", scope), 405, ""),
        Case(
            "POST to disconnect",
            kit.to("POST", &format!("{CHANNEL}/disconnect")),
            405,
            "with the method DELETE",
        ),
        Case(
            "the status of a message by the integration's id",
            kit.to("POST", &format!("{scope}/my-id-1/delivery_status")),
            404,
            "our id of an account user's message",
        ),
        Case(
            "the status of an unknown message",
            kit.client.signed(
                "POST",
                &format!("{scope}/{NO_ACCOUNT}/delivery_status"),
                json!({ "msgid": NO_ACCOUNT, "delivery_status": 1 }).to_string(),
            ),
            404,
            "our id of an account user's message",
        ),
        Case(
            "the operator's token at /api/v4",
            kit.asks_for("/api/v4/account", OPERATOR_TOKEN),
            401,
            "the operator's token, which is for /admin/v1",
        ),
        Case(
            "the channel's secret as a token",
            kit.asks_for("/api/v4/account", SECRET),
            401,
            "the secret of a channel",
        ),
        Case(
            "an account user's token at /admin/v1",
            kit.asks_for("/admin/v1/channels", TOKEN),
            401,
            "send the operator's token",
        ),
    ]
}

/// Wrote another body than is taken.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn bodies<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let send = |body: &str| kit.client.signed("POST", &kit.scope, body.to_owned());
    let form = send("a=1").header("Content-Type", "application/x-www-form-urlencoded");
    let payload = kit.changed(|event| *event = event["payload"].take());
    vec![
        Case("an empty body", send(""), 400, "the body is empty"),
        Case(
            "no JSON",
            send("hello"),
            400,
            "line 1, column 1: expected a value",
        ),
        Case(
            "an array",
            send("[]"),
            400,
            "expected an object, found an array",
        ),
        Case("a form", form, 415, "Content-Type: application/json"),
        Case(
            "a missing field",
            kit.changed(|event| {
                event["payload"].as_object_mut().unwrap().remove("msgid");
            }),
            400,
            "payload.msgid: this field is missing",
        ),
        Case(
            "the payload alone",
            payload,
            400,
            "event_type: this field is missing",
        ),
        Case(
            "a word in place of true",
            kit.changed(|event| event["payload"]["silent"] = json!("false")),
            400,
            "expected true or false, found a string",
        ),
        Case(
            "a type that nobody has",
            kit.changed(|event| event["payload"]["message"]["type"] = json!("image")),
            400,
            "expected one of text",
        ),
        Case(
            "an unknown event",
            kit.changed(|event| event["event_type"] = json!("message")),
            400,
            "expected one of new_message",
        ),
        Case(
            "a phone as a number",
            kit.changed(|event| {
                event["payload"]["sender"]["profile"] = json!({ "phone": 79_151_112_233_u64 })
            }),
            400,
            "put it in quotes",
        ),
        Case(
            "a timestamp in milliseconds",
            kit.changed(|event| event["payload"]["timestamp"] = json!(seconds() * 1_000)),
            400,
            "this looks like milliseconds; give seconds",
        ),
        Case(
            "a timestamp as text",
            kit.changed(|event| event["payload"]["timestamp"] = json!("1639604761")),
            400,
            "expected a whole number, found a string",
        ),
        Case(
            "an unknown version at connect",
            kit.client.signed(
                "POST",
                &format!("{CHANNEL}/connect"),
                json!({ "account_id": ACCOUNT, "hook_api_version": "v3" }).to_string(),
            ),
            400,
            "expected one of v1, v2",
        ),
        Case(
            "an unknown key at connect",
            kit.client.signed(
                "POST",
                &format!("{CHANNEL}/connect"),
                json!({ "account_id": ACCOUNT, "name": "x" }).to_string(),
            ),
            400,
            "unknown key",
        ),
        Case("the same msgid, the same text", kit.right(), 200, ""),
        Case(
            "the same msgid, another text",
            kit.changed(|event| event["payload"]["message"]["text"] = json!("another")),
            409,
            "its sender, receiver or message is another",
        ),
    ]
}
