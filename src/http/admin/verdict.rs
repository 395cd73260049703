//! What is to be said of a signature, to the operator: who may know every secret anyway may know what was expected.

use serde_json::{Value, json};
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::signature::Signer;
use switchboard_actors::domain::signature::request::{Presented, content_md5};
use switchboard_actors::domain::time::UnixMillis;

use crate::http::extract::signed;
use crate::http::openapi::{Schema, must};
use crate::http::state::AppState;

/// The verdict on the value of `X-Signature`, as it was or would have been at `then`.
pub(super) fn of(
    state: &AppState,
    channel: &KnownChannel,
    presented: &Presented<'_>,
    given: Option<&[u8]>,
    then: UnixMillis,
) -> Value {
    let pinned = channel.channel.generation;
    let given = given.map(<[u8]>::trim_ascii);
    let proven = given.and_then(|given| channel.proves(presented, given, pinned, then));
    let hint = match proven {
        Some(_) => None,
        None => Some(signed::hint(
            state,
            &channel.channel,
            presented,
            given,
            pinned,
        )),
    };
    let signer = Signer::new(&channel.channel.secret);
    let md5 = content_md5(presented.body);
    let canonical = presented.canonical(md5.as_bytes()).sign(&signer);
    json!({
        "given": given.map(String::from_utf8_lossy),
        "is_right": proven.is_some(),
        "generation": proven,
        "hint": hint,
        "expected": {
            "raw_body": signer.sign(presented.body).to_string(),
            // Without a date there is nothing that a canonical signature could be made of.
            "canonical": presented.date.map(|_| canonical.to_string()),
            "content_md5": md5,
        },
        "signed_text": presented
            .date
            .map(|_| String::from_utf8_lossy(&presented.canonical(md5.as_bytes()).text()).into_owned()),
    })
}

/// The verdict, for the document.
pub(super) fn schema() -> Schema {
    let both = [Generation::V2019, Generation::Current];
    let expected = Schema::object([
        must(
            "raw_body",
            Schema::text().says("The signature of the 2019 generation."),
        ),
        must(
            "canonical",
            Schema::text()
                .or_null()
                .says("The signature of the current generation; null without a date."),
        ),
        must("content_md5", Schema::text()),
    ]);
    let verdict = Schema::object([
        must("given", Schema::text().or_null()),
        must("is_right", Schema::boolean()),
        must(
            "generation",
            Schema::words(both.map(Generation::as_str))
                .or_null()
                .says("The generation that the signature proves."),
        ),
        must(
            "hint",
            Schema::text()
                .or_null()
                .says("What was probably done wrong; null when it is right."),
        ),
        must("expected", expected),
        must(
            "signed_text",
            Schema::text()
                .or_null()
                .says("What the current generation signs; null without a date."),
        ),
    ]);
    Schema::named("SignatureVerdict", verdict)
}
