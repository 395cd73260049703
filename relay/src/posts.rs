//! The posts of a bridge that a relay stores before it answers, and the headers that they go up with.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use switchboard_domain::generation::Generation;
use switchboard_domain::id::MessageId;
use switchboard_domain::relays::fingerprint;
use switchboard_domain::signature::request::{Canonical, Presented, content_md5, date};
use switchboard_domain::signature::{SharedSecret, Signer};
use switchboard_domain::time::UnixMillis;

use crate::envelope::HookEnvelope;
use crate::ids::is_plain;

/// The method of all posts.
pub const METHOD: &str = "POST";
/// The time that the way to the counterpart may take: a `Date` that ends earlier counts as over.
const ON_THE_WAY: Duration = Duration::from_secs(30);
/// The content type of a post that named none.
const JSON: &str = "application/json";

/// The head of a post, beside the headers that hooks have as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayedPost {
    /// The path with its query, as it came.
    pub target: String,
    /// `Date`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// `Content-MD5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_md5: Option<String>,
    /// The generation that the signature proved.
    #[serde(default, skip_serializing_if = "Generation::is_default")]
    pub generation: Generation,
    /// The bridge's id of the message.
    pub msgid: String,
    /// The id of the message that the bridge knows from the relay's answer.
    pub own: MessageId,
}

/// The signed headers of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedHeaders {
    /// `Date`.
    pub date: Option<String>,
    /// `Content-MD5`.
    pub content_md5: Option<String>,
    /// `X-Signature`.
    pub signature: Option<String>,
}

impl RelayedPost {
    /// Returns what a repeat of a post has in common with it.
    #[must_use]
    pub fn same(msgid: &str) -> [u8; 16] {
        fingerprint("post", &[msgid.as_bytes()])
    }

    /// Returns whether the signature that a post came with proves it now, and until it has arrived.
    #[must_use]
    pub fn is_in_force(&self, now: UnixMillis) -> bool {
        match self.generation {
            Generation::V2019 => true,
            Generation::Current => {
                let presented = Presented {
                    method: METHOD,
                    path: "",
                    query: None,
                    host: None,
                    content_md5: None,
                    content_type: None,
                    date: self.date.as_deref().map(str::as_bytes),
                    body: &[],
                };
                presented.date_counts(now.plus(ON_THE_WAY)).is_ok()
            }
        }
    }

    /// The headers by which a post proves itself: those that it came with while they are in force and the bytes are the same, else new
    /// ones by the secret of the channel.
    #[must_use]
    pub fn headers(
        &self,
        envelope: &HookEnvelope,
        body: &[u8],
        is_changed: bool,
        secret: &SharedSecret,
        now: UnixMillis,
    ) -> SignedHeaders {
        if !is_changed && self.is_in_force(now) {
            return SignedHeaders {
                date: self.date.clone(),
                content_md5: self.content_md5.clone(),
                signature: envelope.signature.clone(),
            };
        }
        let request = SignableRequest {
            method: METHOD,
            target: &self.target,
            content_type: envelope.content_type.as_deref(),
            body,
        };
        request.sign(self.generation, secret, now)
    }
}

/// A request that the relay signs for the bridge.
#[derive(Clone, Copy, Debug)]
pub struct SignableRequest<'r> {
    /// The method.
    pub method: &'r str,
    /// The path with its query.
    pub target: &'r str,
    /// `Content-Type`.
    pub content_type: Option<&'r str>,
    /// The body.
    pub body: &'r [u8],
}

impl SignableRequest<'_> {
    /// Signs the request as of now, in the form of this generation.
    #[must_use]
    pub fn sign(
        &self,
        generation: Generation,
        secret: &SharedSecret,
        now: UnixMillis,
    ) -> SignedHeaders {
        let signer = Signer::new(secret);
        let digest = content_md5(self.body);
        let sent_at = date(now);
        let path = self.target.split('?').next().unwrap_or_default();
        let signature = match generation {
            Generation::V2019 => signer.sign(self.body),
            Generation::Current => Canonical {
                method: self.method.as_bytes(),
                content_md5: digest.as_bytes(),
                content_type: self.content_type.unwrap_or_default().as_bytes(),
                date: sent_at.as_bytes(),
                path: path.as_bytes(),
            }
            .sign(&signer),
        };
        SignedHeaders {
            date: Some(sent_at),
            content_md5: Some(digest),
            signature: Some(signature.to_string()),
        }
    }
}

impl SignedHeaders {
    /// The headers with their names, in lower case.
    pub fn named(self) -> impl Iterator<Item = (&'static str, String)> {
        let headers = [
            ("date", self.date),
            ("content-md5", self.content_md5),
            ("x-signature", self.signature),
        ];
        headers
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
    }
}

/// The content type of a post, as it is sent.
#[must_use]
pub fn content_type(envelope: &HookEnvelope) -> String {
    let own = envelope.content_type.clone();
    own.unwrap_or_else(|| JSON.to_owned())
}

/// The id that the counterpart gave a message, by its answer; none when it names none that can be exchanged.
#[must_use]
pub fn id_of_answer(body: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let id = answer.pointer("/new_message/msgid")?.as_str()?;
    is_plain(id).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: &str = "/v2/origin/custom/shop_af9945ff-1490-4cad-807d-945c15d88bec?x=1";
    const NOW: UnixMillis = UnixMillis::from_secs(1_700_000_000);

    fn secret() -> SharedSecret {
        "s3cret".parse().unwrap()
    }

    fn sent(generation: Generation) -> (RelayedPost, HookEnvelope) {
        let request = SignableRequest {
            method: METHOD,
            target: TARGET,
            content_type: Some(JSON),
            body: b"{}",
        };
        let headers = request.sign(generation, &secret(), NOW);
        let post = RelayedPost {
            target: TARGET.to_owned(),
            date: headers.date,
            content_md5: headers.content_md5,
            generation,
            msgid: "m".to_owned(),
            own: MessageId::from_random([1; 16]),
        };
        let envelope = HookEnvelope {
            content_type: Some(JSON.to_owned()),
            signature: headers.signature,
            user_agent: None,
        };
        (post, envelope)
    }

    fn proves(headers: &SignedHeaders, body: &[u8], now: UnixMillis) -> Option<Generation> {
        let bytes = |text: &'_ Option<String>| text.clone().unwrap().into_bytes();
        let (date, digest) = (bytes(&headers.date), bytes(&headers.content_md5));
        let presented = Presented {
            method: METHOD,
            path: TARGET.split('?').next().unwrap(),
            query: None,
            host: None,
            content_md5: Some(&digest),
            content_type: Some(JSON.as_bytes()),
            date: Some(&date),
            body,
        };
        let signature = bytes(&headers.signature);
        presented.proven(&Signer::new(&secret()), &signature, None, now)
    }

    #[test]
    fn a_date_of_14_minutes_stays_and_one_of_16_is_signed_anew() {
        let (post, envelope) = sent(Generation::Current);
        for (minutes, is_same) in [
            (0, true),
            (14, true),
            (15, false),
            (16, false),
            (600, false),
        ] {
            let now = NOW.plus(Duration::from_secs(minutes * 60));
            let headers = post.headers(&envelope, b"{}", false, &secret(), now);
            assert_eq!(
                headers.signature == envelope.signature,
                is_same,
                "{minutes}"
            );
            assert_eq!(headers.date == post.date, is_same, "{minutes}");
            assert_eq!(proves(&headers, b"{}", now), Some(Generation::Current));
        }
        let headers = post.headers(&envelope, b"{ }", true, &secret(), NOW);
        assert_eq!(proves(&headers, b"{ }", NOW), Some(Generation::Current));
    }

    #[test]
    fn the_id_of_an_answer_is_read_or_is_none() {
        let id = |body: &str| id_of_answer(body.as_bytes());
        let answer = r#"{"new_message":{"msgid":"m-1","ref_id":"x"},"warnings":[]}"#;
        assert_eq!(id(answer).as_deref(), Some("m-1"));
        for body in [
            "",
            "{}",
            "[]",
            r#"{"new_message":{"msgid":1}}"#,
            r#"{"new_message":{"msgid":"a\"b"}}"#,
        ] {
            assert_eq!(id(body), None, "{body}");
        }
    }

    #[test]
    fn a_signature_over_the_body_has_no_end() {
        let (post, envelope) = sent(Generation::V2019);
        let now = NOW.plus(Duration::from_secs(86_400));
        let headers = post.headers(&envelope, b"{}", false, &secret(), now);
        assert_eq!(
            (&headers.signature, &headers.date),
            (&envelope.signature, &post.date)
        );
        let headers = post.headers(&envelope, b"{ }", true, &secret(), now);
        assert_eq!(proves(&headers, b"{ }", now), Some(Generation::V2019));
    }
}
