//! Secrets in recorded requests, replaced by marks: fields of JSON, of forms and of queries by their names, and what
//! repeats their values elsewhere, as a refusal does that quotes what was sent.

mod form;
mod json;

use actix_web::dev::{Path, Url};
use actix_web::http::header::{self, HeaderMap};
use bytes::Bytes;

use crate::requests::operations::OperationFields;
use switchboard_gate::requests::kept::{KeptBody, LoggedRequest, Withheld, is_secret};

/// The mark in place of a secret.
const MARK: &str = "***";
/// Shorter values are not searched elsewhere: they stand in other words.
const SEARCHED_MIN: usize = 4;
/// The most values that are searched elsewhere, of one request.
const SEARCHED_MAX: usize = 32;

/// Replaces the secrets of one request and of its answer.
pub(super) struct Masker {
    fields: &'static OperationFields,
    /// The values of secrets that were seen.
    seen: Vec<String>,
}

impl Masker {
    pub(super) fn new(fields: &'static OperationFields) -> Self {
        Self {
            fields,
            seen: Vec::new(),
        }
    }

    /// The body of a request, at most `limit` bytes of it.
    pub(super) fn body(&mut self, body: &Bytes, headers: &HeaderMap, limit: usize) -> KeptBody {
        let is_form = content_type(headers).starts_with(b"application/x-www-form-urlencoded");
        let (fields, seen) = (&self.fields.sent, &mut self.seen);
        let text = std::str::from_utf8(body).ok();
        let masked = match text {
            Some("") => return KeptBody::default(),
            Some(text) if is_form => Some(form::masked(text, fields, seen)),
            Some(text) if json::is_valid(text) => Some(json::masked(text, fields, seen)),
            Some(_) | None => None,
        };
        match masked {
            Some(masked) => KeptBody::masked(masked.into_bytes(), body.len(), limit),
            None => KeptBody::withheld(body.len(), Withheld::Unparsable),
        }
    }

    /// Notes the secrets in the parts of a path, which [`Self::head`] masks.
    pub(super) fn path(&mut self, parts: &Path<Url>) {
        for (name, value) in parts.iter() {
            if self.fields.sent.is_secret(name) {
                note(&mut self.seen, value);
            }
        }
    }

    /// Masks the request besides its body: the query, and what repeats a secret.
    pub(super) fn head(&mut self, asked: &mut LoggedRequest, headers: &HeaderMap) {
        for (_, value) in headers.iter().filter(|(name, _)| is_secret(name)) {
            let value = String::from_utf8_lossy(value.as_bytes());
            let secret = value.rsplit(' ').next().unwrap_or_default();
            note(&mut self.seen, secret);
        }
        if let Some(query) = &mut asked.query {
            *query = form::masked(query, &self.fields.sent, &mut self.seen);
        }
        for value in asked
            .headers
            .iter_mut()
            .filter_map(|(_, value)| value.as_mut())
        {
            // As `Referer` has them.
            if let Some((address, query)) = value.split_once('?') {
                let query = form::masked(query, &self.fields.sent, &mut self.seen);
                *value = format!("{address}?{query}");
            }
            *value = self.without_repeats(value);
        }
        asked.path = self.without_repeats(&asked.path);
    }

    /// An answer of the service, at most `limit` bytes of it.
    pub(super) fn answer(&mut self, answer: &Bytes, headers: &HeaderMap, limit: usize) -> KeptBody {
        if answer.is_empty() {
            return KeptBody::default();
        }
        if !content_type(headers).ends_with(b"json") {
            return KeptBody::withheld(answer.len(), Withheld::Unparsable);
        }
        // Long lists are not searched to their end.
        let beginning = answer.get(..limit).unwrap_or(answer);
        let text = String::from_utf8_lossy(beginning);
        let without_fields = json::masked(&text, &self.fields.given, &mut self.seen);
        let mut masked = self.without_repeats(&without_fields).into_bytes();
        if beginning.len() == answer.len() {
            return KeptBody::masked(masked, answer.len(), limit);
        }
        // What is left of a secret that was cut is not recognised.
        let longest = self.seen.iter().map(|secret| in_json(secret).len()).max();
        masked.truncate(masked.len().saturating_sub(longest.unwrap_or_default()));
        KeptBody::beginning(masked, answer.len())
    }

    /// The text without the values of secrets that were seen, as they are and as JSON writes them.
    fn without_repeats(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for secret in &self.seen {
            if masked.contains(secret.as_str()) {
                masked = masked.replace(secret, MARK);
            }
            let json = in_json(secret);
            if json != *secret && masked.contains(&json) {
                masked = masked.replace(&json, MARK);
            }
        }
        masked
    }
}

/// A text as JSON writes it between its quotes.
fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inside = quoted.get(1..quoted.len().saturating_sub(1));
    inside.unwrap_or_default().to_owned()
}

/// Notes the value of a secret, which may be repeated elsewhere.
fn note(seen: &mut Vec<String>, value: &str) {
    let is_new = value.len() >= SEARCHED_MIN && seen.iter().all(|known| known != value);
    if is_new && seen.len() < SEARCHED_MAX {
        seen.push(value.to_owned());
    }
}

fn content_type(headers: &HeaderMap) -> &[u8] {
    let declared = headers.get(header::CONTENT_TYPE);
    declared.map_or(b"", |declared| declared.as_bytes())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::requests::operations;

    fn masker() -> Masker {
        let tokens = operations::at(Some("/oauth2/access_token"), "POST");
        Masker::new(operations::fields(tokens))
    }

    fn text(kept: &KeptBody) -> &str {
        std::str::from_utf8(&kept.bytes).unwrap()
    }

    #[test]
    fn secrets_in_bodies_answers_and_heads_are_replaced() {
        let request = TestRequest::post()
            .uri("/oauth2/access_token/canary-9?code=canary-1&state=x")
            .insert_header(("Authorization", "Bearer canary-9"))
            .insert_header(("Referer", "http://here/?code=canary-2"))
            .insert_header(("Content-Type", "application/json"))
            .to_http_request();
        let mut masker = masker();
        let mut logged = LoggedRequest::new(request.head(), KeptBody::default());
        masker.head(&mut logged, request.headers());
        assert_eq!(logged.path, "/oauth2/access_token/***");
        assert_eq!(logged.query.as_deref(), Some("code=***&state=x"));
        let json = r#"{"client_secret": "canary\u002d3\n", "grant_type":"x"}"#;
        let body = masker.body(&Bytes::from(json), request.headers(), 100);
        assert_eq!(text(&body), r#"{"client_secret": "***", "grant_type":"x"}"#);
        assert!(body.is_whole() && body.length == json.len());
        let answer = r#"{"detail":"got «canary-3\n» and canary-9","access_token":"canary-4"}"#;
        let builder =
            TestRequest::get().insert_header(("Content-Type", "application/problem+json"));
        let problem = builder.to_http_request();
        let answer = masker.answer(&Bytes::from(answer), problem.headers(), 100);
        assert_eq!(
            text(&answer),
            r#"{"detail":"got «***» and ***","access_token":"***"}"#
        );
        assert!(!format!("{logged:?}{body:?}{answer:?}").contains("canary"));
    }

    #[test]
    fn what_cannot_be_parsed_is_not_kept() {
        let request = TestRequest::post().to_http_request();
        for body in [
            "{\"password\": canary",
            "password=canary",
            "canary",
            "\u{1}",
        ] {
            let excerpt = masker().body(&Bytes::from(body), request.headers(), 100);
            assert_eq!((excerpt.bytes.len(), excerpt.length), (0, body.len()));
            assert_eq!(excerpt.withheld, Some(Withheld::Unparsable));
        }
        let excerpt = masker().body(&Bytes::from_static(b"\"\xff\""), request.headers(), 100);
        assert_eq!(excerpt.withheld, Some(Withheld::Unparsable));
    }

    /// A secret at the cut is recognised, also where only its beginning is kept.
    #[test]
    fn a_secret_at_the_cut_is_replaced() {
        let builder = TestRequest::post().insert_header(("Content-Type", "application/json"));
        let request = builder.to_http_request();
        let body = Bytes::from(r#"{"code":"canary-canary"}"#);
        for limit in 0..80 {
            let mut masker = masker();
            masker.body(&body, request.headers(), 100);
            let answer = r#"{"detail":"it was canary-canary","refresh_token":"second-canary"}"#;
            let excerpt = masker.answer(&Bytes::from(answer), request.headers(), limit);
            assert!(
                !text(&excerpt).contains("ca"),
                "{limit}: {}",
                text(&excerpt)
            );
            assert_eq!(excerpt.is_whole(), limit >= answer.len(), "{limit}");
        }
    }
}
