//! Kept requests as the operator sees them.

use serde_json::Value;
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::id::{AccountId, ChannelId, OauthClientId, UserId};
use switchboard_actors::domain::signature::request::Presented;

use crate::admin::requests::subject::Subject;
use crate::admin::verdict::SignatureVerdict;
use crate::openapi::Millis;
use crate::requests::operations;
use crate::state::AppState;
use switchboard_diagnosis::hint::Hint;
use switchboard_gate::requests::kept::{self, KeptRequest, Withheld};
use switchboard_gate::requests::sender::Surface;

view! {
    pub(super) struct RequestSummary<'k>(kept: &'k KeptRequest) [
        let request = &kept.asked;
        let answer = body_json(&kept.answer);
        let text_of = |name| answer.get(name).and_then(Value::as_str).map(str::to_owned);
    ] {
        id: String = kept.id.to_string(),
        at_ms: Millis = kept.at.into(),
        /// The interface that was requested.
        #[schemars(extend("enum" = Surface::WORDS))]
        surface: &'static str = kept.surface.as_str(),
        channel_id: Option<&'k ChannelId> = kept.sender.channel(),
        /// The account of the bearer token.
        account_id: Option<AccountId> = kept.sender.account(),
        /// The user of the bearer token.
        user_id: Option<UserId> = kept.user,
        /// The OAuth client that acted for the user or requested tokens.
        client_id: Option<OauthClientId> = kept.client,
        /// The address of the operation, as the document of the interface names it; null where there is none.
        route: Option<&'static str> = kept.route,
        /// The operation, as the document of the interface names it; null where path and method name none.
        operation: Option<&'static str> = operations::at(kept.route, &request.method).map(|operation| operation.id.as_str()),
        /// The subject of the request, as far as its recorded body says.
        subject: Subject = Subject::new(kept),
        method: &'k str = &request.method,
        path: &'k str = &request.path,
        query: Option<&'k str> = request.query.as_deref(),
        /// The length of the body, in bytes.
        length: usize = request.body.length,
        #[schemars(range(min = 100, max = 599))]
        status: u16 = kept.status,
        /// In milliseconds.
        #[schemars(range(min = 0))]
        took_ms: f64 = kept.took.as_secs_f64() * 1e3,
        error_type: Option<String> = text_of("error_type"),
        error_description: Option<String> = text_of("error_description").or_else(|| text_of("detail")),
        hint: Option<String> = text_of("hint"),
        /// The same hint as a code with its details, for pages in other languages.
        mistake: Option<&'k Hint> = kept.hint.as_ref(),
    }

    pub(super) struct RequestKept<'k>(kept: &'k KeptRequest, channel: Option<&KnownChannel>, state: &AppState) [
        let signer = channel.filter(|_| kept.asked.body.is_whole());
    ] {
        #[serde(flatten)]
        summary: RequestSummary<'k> = RequestSummary::new(kept),
        headers: Vec<Header<'k>> = kept.asked.headers.iter().map(Header::new).collect(),
        body: Excerpt<'k> = Excerpt::new(&kept.asked.body),
        answer: Excerpt<'k> = Excerpt::new(&kept.answer),
        /// Null when the channel is unknown or the body was not kept whole.
        signature: Option<SignatureVerdict<'k>> = signer.map(|channel| verdict(kept, channel, state)),
    }

    #[schemars(inline)]
    struct Header<'k>(header: &'k (String, Option<String>)) {
        name: &'k str = &header.0,
        /// At most 512 bytes of it; null for a secret.
        value: Option<&'k str> = header.1.as_deref(),
    }

    struct Excerpt<'k>(excerpt: &'k kept::KeptBody) [let text = text(excerpt);] {
        /// Null when it is no text.
        text: Option<&'k str> = text,
        /// Bytes that are not text, in hexadecimal.
        hex: Option<String> = text.is_none().then(|| hex::encode(&excerpt.bytes)),
        /// The length of the whole, in bytes.
        length: usize = excerpt.length,
        is_whole: bool = excerpt.is_whole(),
        /// The reason why none of it was kept: the response did not need it, or secrets could not be recognised in it.
        #[schemars(extend("enum" = [Withheld::WORDS[0], Withheld::WORDS[1], null]))]
        withheld: Option<&'static str> = excerpt.withheld.map(Withheld::as_str),
    }
}

fn verdict<'k>(
    kept: &'k KeptRequest,
    channel: &KnownChannel,
    state: &AppState,
) -> SignatureVerdict<'k> {
    let request = &kept.asked;
    let header = |name| request.header(name).map(str::as_bytes);
    let presented = Presented {
        method: &request.method,
        path: &request.path,
        query: request.query.as_deref(),
        host: request.header("host"),
        content_md5: header("content-md5"),
        content_type: header("content-type"),
        date: header("date"),
        body: &request.body.bytes,
    };
    // The time of the request: a date that was valid then does not become wrong when the operator views it later.
    SignatureVerdict::new(state, channel, &presented, header("x-signature"), kept.at)
}

/// Parses the answer of an interface, which may be a refusal; null, when it is no JSON.
fn body_json(answer: &kept::KeptBody) -> Value {
    serde_json::from_slice(&answer.bytes).unwrap_or_default()
}

/// The text, up to a character that was cut in two.
fn text(excerpt: &kept::KeptBody) -> Option<&str> {
    match std::str::from_utf8(&excerpt.bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() && !excerpt.is_whole() => {
            let whole = excerpt.bytes.get(..error.valid_up_to())?;
            std::str::from_utf8(whole).ok()
        }
        Err(_) => None,
    }
}
