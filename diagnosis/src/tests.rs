//! Every mistake that is known is named, on any body, and none is named in the place of another.

mod bodies;
mod habits;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::digest::{base64, sha1, sha256_mac};

const SECRET: &str = "f2d7f8704eff95087ed45b23ba99c0b5aac8278e";
const DATE: &str = "Wed, 15 Dec 2021 23:12:55 +0000";
const NOW: UnixMillis = UnixMillis::from_secs(1_639_609_975);
const PATH: &str = "/v2/origin/custom/c_0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3";
const HOST: &str = "amojo.example.com";

/// The request of a client.
#[derive(Clone, Debug)]
struct Sent {
    method: String,
    md5: Option<String>,
    content_type: Option<String>,
    date: Option<String>,
    body: String,
    signature: String,
}

impl Sent {
    /// A request with a right canonical signature.
    fn canonical(method: &str, body: &str) -> Self {
        let mut request = Self {
            method: method.to_owned(),
            md5: Some(content_md5(body.as_bytes())),
            content_type: Some("application/json".to_owned()),
            date: Some(DATE.to_owned()),
            body: body.to_owned(),
            signature: String::new(),
        };
        request.signature = mac(&request.text());
        request
    }

    /// A request with a right signature of the raw body.
    fn raw(method: &str, body: &str) -> Self {
        Self {
            md5: None,
            date: None,
            signature: mac(body),
            ..Self::canonical(method, body)
        }
    }

    fn parts(&self) -> [String; 5] {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        [
            self.method.clone(),
            text(&self.md5),
            text(&self.content_type),
            text(&self.date),
            PATH.to_owned(),
        ]
    }

    fn text(&self) -> String {
        self.parts().join("\n")
    }

    fn presented(&self) -> Presented<'_> {
        Presented {
            method: &self.method,
            path: PATH,
            query: Some("limit=5"),
            host: Some(HOST),
            content_md5: self.md5.as_ref().map(|text| text.as_bytes()),
            content_type: self.content_type.as_ref().map(|text| text.as_bytes()),
            date: self.date.as_ref().map(|text| text.as_bytes()),
            body: self.body.as_bytes(),
        }
    }

    fn found(&self, wanted: Option<Generation>) -> Option<Mistake> {
        let presented = self.presented();
        let signer = switchboard_domain::signature::Signer::new(&secret());
        let header = self.signature.as_bytes();
        assert_eq!(
            presented.proven(&signer, header, wanted, NOW),
            None,
            "it is right: {self:?}"
        );
        diagnose(&secret(), &presented, Some(header), wanted, NOW)
    }

    fn signed(mut self, text: &str) -> Self {
        self.signature = mac(text);
        self
    }
}

fn secret() -> SharedSecret {
    SECRET.parse().unwrap()
}

fn mac(text: &str) -> String {
    hex::encode(sha1_mac(MacKey(SECRET.as_bytes()), text.as_bytes()))
}

fn keyed(key: &[u8], text: &str) -> String {
    hex::encode(sha1_mac(MacKey(key), text.as_bytes()))
}

/// The ways to hash a right message wrongly, and to write a right digest wrongly.
fn hashed_wrongly(text: &str) -> Vec<(Mistake, String)> {
    let right = sha1_mac(MacKey(SECRET.as_bytes()), text.as_bytes());
    let digits = hex::encode(&right);
    let ascii = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    vec![
        (Mistake::Missing, String::new()),
        (Mistake::Base64, ascii(base64(&right))),
        (Mistake::Base64, ascii(base64(digits.as_bytes()))),
        (Mistake::Prefixed, format!("sha1={digits}")),
        (Mistake::Prefixed, format!("\"{digits}\"")),
        (
            Mistake::HexDecodedSecret,
            keyed(&hex::decode(SECRET).unwrap(), text),
        ),
        (
            Mistake::SecretWithNewline,
            keyed(format!("{SECRET}\n").as_bytes(), text),
        ),
        (
            Mistake::SecretWithNewline,
            keyed(format!("{SECRET}\r\n").as_bytes(), text),
        ),
        (
            Mistake::Sha256,
            hex::encode(sha256_mac(MacKey(SECRET.as_bytes()), text.as_bytes())),
        ),
        (
            Mistake::PlainHash,
            hex::encode(sha1(format!("{text}{SECRET}").as_bytes())),
        ),
        (
            Mistake::PlainHash,
            hex::encode(sha1(format!("{SECRET}{text}").as_bytes())),
        ),
        (Mistake::PlainHash, hex::encode(sha1(text.as_bytes()))),
        (Mistake::Swapped, keyed(text.as_bytes(), SECRET)),
    ]
}

/// The ways to put the canonical text together wrongly.
#[expect(clippy::too_many_lines, reason = "a table")]
fn put_together_wrongly(method: &str, body: &str) -> Vec<(Mistake, Sent)> {
    let right = Sent::canonical(method, body);
    let [method, md5, content_type, date, path] = right.parts();
    let md5_base64 = String::from_utf8(base64(&hex::decode(&md5).unwrap())).unwrap();
    let join = |parts: &[&str]| parts.join("\n");
    let text = right.text();
    let in_base64 = Sent {
        md5: Some(md5_base64.clone()),
        ..right.clone()
    };
    let upper = Sent {
        md5: Some(md5.to_uppercase()),
        ..right.clone()
    };
    let charset = Sent {
        content_type: Some("application/json;charset=UTF-8".to_owned()),
        ..right.clone()
    };
    let no_date = Sent {
        date: None,
        ..right.clone()
    };
    let strange = Sent {
        date: Some("yesterday".to_owned()),
        ..right.clone()
    };
    let (in_base64_text, upper_text, strange_text, no_date_text) = (
        in_base64.text(),
        upper.text(),
        strange.text(),
        no_date.text(),
    );
    let request = |text: &str| right.clone().signed(text);
    vec![
        (Mistake::Separator, request(&right.parts().join("n"))),
        (Mistake::Separator, request(&right.parts().join("\\n"))),
        (Mistake::Separator, request(&right.parts().concat())),
        (Mistake::NewlineAtEnd, request(&format!("{text}\n"))),
        (
            Mistake::MethodLowerCase,
            request(&text.replacen(&method, &method.to_lowercase(), 1)),
        ),
        (
            Mistake::Md5Base64,
            request(&join(&[&method, &md5_base64, &content_type, &date, &path])),
        ),
        (Mistake::Md5Base64, in_base64.signed(&in_base64_text)),
        (Mistake::Md5UpperCase, upper.signed(&upper_text)),
        (
            Mistake::Md5LeftOut,
            request(&join(&[&method, &content_type, &date, &path])),
        ),
        (
            Mistake::Md5Missing,
            Sent {
                md5: None,
                ..right.clone()
            },
        ),
        (
            Mistake::TypeLeftOut,
            request(&join(&[&method, &md5, &date, &path])),
        ),
        (
            Mistake::TypeLeftOut,
            request(&join(&[&method, &md5, "", &date, &path])),
        ),
        (Mistake::TypeChanged, charset.signed(&text)),
        (
            Mistake::DateLeftOut,
            request(&join(&[&method, &md5, &content_type, &path])),
        ),
        (
            Mistake::DateLeftOut,
            request(&join(&[&method, &md5, &content_type, "", &path])),
        ),
        (Mistake::DateLeftOut, no_date.signed(&no_date_text)),
        (Mistake::DateUnreadable, strange.signed(&strange_text)),
        (
            Mistake::FullUrl,
            request(&join(&[
                &method,
                &md5,
                &content_type,
                &date,
                &format!("https://{HOST}{path}"),
            ])),
        ),
        (
            Mistake::FullUrl,
            request(&join(&[
                &method,
                &md5,
                &content_type,
                &date,
                &format!("http://{HOST}{path}?limit=5"),
            ])),
        ),
        (
            Mistake::Query,
            request(&join(&[
                &method,
                &md5,
                &content_type,
                &date,
                &format!("{path}?limit=5"),
            ])),
        ),
        (
            Mistake::Order,
            request(&join(&[&method, &md5, &date, &content_type, &path])),
        ),
        (
            Mistake::Order,
            request(&join(&[&method, &path, &date, &content_type, &md5])),
        ),
        (Mistake::BodyAndMd5, request(&format!("{body}{md5}"))),
    ]
}

/// Other bytes of the same body: with a line end, and as other libraries write the same JSON.
fn other_bytes(value: &Value) -> Vec<(Mistake, String)> {
    let body = value.to_string();
    let pretty = serde_json::to_string_pretty(value).unwrap();
    let spaced = spaced(value);
    let escaped = body.chars().map(|letter| match letter {
        letter if letter.is_ascii() => letter.to_string(),
        letter => letter
            .encode_utf16(&mut [0; 2])
            .iter()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect(),
    });
    vec![
        (Mistake::TrailingNewline, format!("{body}\n")),
        (Mistake::EmptyBody, String::new()),
        (Mistake::Reserialised, pretty),
        (Mistake::Reserialised, spaced),
        (Mistake::Reserialised, body.replace('/', "\\/")),
        (Mistake::Reserialised, escaped.collect()),
    ]
}

/// As Python writes it.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{}: {}", json!(key), spaced(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(spaced).collect::<Vec<_>>().join(", ")
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// A body in which every form differs from every other: two keys, a slash, something beyond ASCII.
fn bodies() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "\\PC{0,8}".prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from)
    ];
    let tree = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,5}", inner, 1..4)
                .prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    });
    tree.prop_map(|tree| json!({ "a": tree, "url": "https://e.com/é", "z": 1 }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_signing_mistake_has_its_own_name_for_any_body(value in bodies(), method in "POST|DELETE|GET") {
        let body = value.to_string();
        for right in [Sent::canonical(&method, &body), Sent::raw(&method, &body)] {
            let text = if right.md5.is_some() { right.text() } else { body.clone() };
            for (mistake, signature) in hashed_wrongly(&text) {
                let request = Sent { signature, ..right.clone() };
                prop_assert_eq!(request.found(None), Some(mistake), "{:?}", request);
            }
        }
        for (mistake, sent) in put_together_wrongly(&method, &body) {
            prop_assert_eq!(sent.found(None), Some(mistake), "{:?}", sent);
        }
        for (mistake, other) in other_bytes(&value) {
            // Signed one form and sent another, in both generations; and the other way round for what is sent.
            let raw = Sent::raw(&method, &body).signed(&other);
            prop_assert_eq!(raw.found(None), Some(mistake), "{:?}", raw);
            let mut digest = Sent::canonical(&method, &other);
            digest.body.clone_from(&body);
            prop_assert_eq!(digest.found(None), Some(mistake), "{:?}", digest);
            let mut half = digest.clone();
            half.md5 = Some(content_md5(body.as_bytes()));
            prop_assert_eq!(half.found(None), Some(mistake), "{:?}", half);
            if mistake == Mistake::Reserialised {
                let turned = Sent::raw(&method, &other).signed(&body);
                prop_assert_eq!(turned.found(None), Some(mistake), "{:?}", turned);
            }
        }
    }

    #[test]
    fn reordered_keys_are_named(value in bodies()) {
        let Value::Object(fields) = &value else { unreachable!() };
        let fields: Vec<String> = fields.iter().rev().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        let request = Sent::raw("POST", &format!("{{{}}}", fields.join(","))).signed(&value.to_string());
        prop_assert_eq!(request.found(None), Some(Mistake::Reserialised), "{:?}", request);
    }

    #[test]
    fn an_unknown_mistake_gets_no_guess(value in bodies(), digits in "[0-9a-f]{40}", canonical in any::<bool>()) {
        let right = if canonical { Sent::canonical } else { Sent::raw };
        let mut request = right("POST", &value.to_string());
        request.signature = digits;
        prop_assert_eq!(request.found(None), None);
        let wrong = Sent { md5: Some("0".repeat(32)), ..request.clone() };
        let text = wrong.text();
        let wrong = wrong.signed(&text);
        prop_assert_eq!(wrong.found(None), Some(Mistake::Md5OfSomethingElse));
    }
}

#[test]
fn a_valid_signature_of_the_wrong_generation_is_named() {
    let raw = Sent::raw("GET", "");
    assert_eq!(raw.found(Some(Generation::Current)), Some(Mistake::RawBody));
    let canonical = Sent::canonical("POST", "{}");
    assert_eq!(
        canonical.found(Some(Generation::V2019)),
        Some(Mistake::NotRawBody)
    );
}

#[test]
fn a_wrong_date_is_named_with_its_difference() {
    let request = Sent::canonical("POST", "{}");
    for (now, seconds, said) in [
        (1_639_609_975 + 7_200, -7_200, "120 minutes behind"),
        (1_639_609_975 - 960, 960, "16 minutes ahead of"),
    ] {
        let diagnosis = diagnose(
            &secret(),
            &request.presented(),
            Some(request.signature.as_bytes()),
            None,
            UnixMillis::from_secs(now),
        );
        assert_eq!(diagnosis, Some(Mistake::DateOutside { seconds }));
        assert!(diagnosis.unwrap().hint().contains(said));
    }
}

#[test]
fn the_secret_of_another_channel_is_named() {
    let other: SharedSecret = "another-secret".parse().unwrap();
    for sent in [Sent::canonical("POST", "{}"), Sent::raw("POST", "{}")] {
        let message = if sent.md5.is_some() {
            sent.text()
        } else {
            sent.body.clone()
        };
        let header = keyed(other.bytes(), &message);
        assert!(is_of(&other, &sent.presented(), header.as_bytes()));
        assert!(!is_of(&secret(), &sent.presented(), header.as_bytes()));
        assert_eq!(
            diagnose(
                &secret(),
                &sent.presented(),
                Some(header.as_bytes()),
                None,
                NOW
            ),
            None
        );
    }
}

#[test]
fn a_signature_over_an_unescaped_body_is_named() {
    let request = Sent::raw("POST", r#"{"text": "a\/\u00e9 \ud83d\ude00 \u0001"}"#)
        .signed("{\"text\":\"a/é 😀 \\u0001\"}");
    assert_eq!(request.found(None), Some(Mistake::Reserialised));
}

#[test]
fn a_long_body_is_not_examined() {
    let request = Sent::raw("POST", &" ".repeat(EXAMINED_MAX + 1)).signed("x");
    assert_eq!(request.found(None), None);
    assert_eq!(
        diagnose(&secret(), &request.presented(), None, None, NOW),
        Some(Mistake::Missing)
    );
}

#[test]
fn no_hint_reveals_the_body_or_the_signature() {
    // What a hint says follows from the mistake, which holds a number or the name of a character set at most.
    assert!(size_of::<Mistake>() <= 24);
    for body in [&b"{}"[..], &[b' '; EXAMINED_MAX + 1]] {
        assert!(unexplained(body).hint().contains("compare the secret"));
    }
}
