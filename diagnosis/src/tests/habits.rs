//! Mistakes that come from habits of languages, of HTTP libraries and of people who copy settings.

use super::*;
use crate::digest::md5_mac;
use switchboard_domain::signature::request::content_md5;

const BODY: &str = r#"{"account_id":"0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3","text":"a/b"}"#;
const CHANNEL: &str = "c";
const ACCOUNT: &str = "0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3";

fn examined(sent: &Sent, path: &str) -> Option<Mistake> {
    let presented = Presented {
        path,
        ..sent.presented()
    };
    diagnose(
        &secret(),
        &presented,
        Some(sent.signature.as_bytes()),
        None,
        NOW,
    )
}

#[test]
fn a_wrong_key_is_named() {
    for right in [Sent::raw("POST", BODY), Sent::canonical("POST", BODY)] {
        let text = if right.md5.is_some() {
            right.text()
        } else {
            BODY.to_owned()
        };
        for (mistake, key) in [
            (Mistake::ChannelIdAsKey, CHANNEL.to_owned()),
            (Mistake::AccountIdAsKey, ACCOUNT.to_owned()),
            (Mistake::AccountIdAsKey, format!("{CHANNEL}_{ACCOUNT}")),
            (Mistake::SecretDecorated, format!("{SECRET} ")),
            (Mistake::SecretDecorated, format!(" {SECRET}")),
            (Mistake::SecretDecorated, format!("\"{SECRET}\"")),
            (Mistake::SecretDecorated, format!("'{SECRET}'")),
            (Mistake::SecretInOtherCase, SECRET.to_uppercase()),
        ] {
            let signature = keyed(key.as_bytes(), &text);
            let request = Sent {
                signature,
                ..right.clone()
            };
            assert_eq!(request.found(None), Some(mistake), "{key}");
        }
        let by_md5 = md5_mac(MacKey(SECRET.as_bytes()), text.as_bytes());
        let request = Sent {
            signature: hex::encode(by_md5),
            ..right.clone()
        };
        assert_eq!(request.found(None), Some(Mistake::HmacMd5));
    }
}

#[test]
fn the_account_of_a_connect_is_known_from_its_body() {
    let path = format!("/v2/origin/custom/{CHANNEL}/connect");
    let request = Sent::raw("POST", BODY);
    for (mistake, key) in [
        (Mistake::ChannelIdAsKey, CHANNEL.to_owned()),
        (Mistake::AccountIdAsKey, ACCOUNT.to_owned()),
        (Mistake::AccountIdAsKey, format!("{CHANNEL}_{ACCOUNT}")),
    ] {
        let request = Sent {
            signature: keyed(key.as_bytes(), BODY),
            ..request.clone()
        };
        assert_eq!(examined(&request, &path), Some(mistake), "{key}");
    }
}

#[test]
fn a_date_taken_twice_is_named() {
    for date in [DATE, "Wed, 15 Dec 2021 23:12:55 GMT"] {
        for second in ["53", "54", "56", "57"] {
            let request = Sent {
                date: Some(date.to_owned()),
                ..Sent::canonical("POST", BODY)
            };
            let text = request.text().replace(":55 ", &format!(":{second} "));
            assert_eq!(request.signed(&text).found(None), Some(Mistake::DateTwice));
        }
    }
}

#[test]
fn a_missing_date_is_named_without_further_search() {
    let request = Sent {
        date: None,
        ..Sent::canonical("POST", BODY)
    }
    .signed("whatever a browser signed");
    assert_eq!(request.found(None), Some(Mistake::DateMissing));
    let bare = Sent {
        md5: None,
        ..request.clone()
    };
    let current = Some(Generation::Current);
    assert_eq!(bare.found(current), Some(Mistake::DateMissing));
    // The 2019 generation has no date.
    assert_eq!(bare.found(None), None);
}

#[test]
fn a_wrong_path_is_named() {
    let right = Sent::canonical("POST", BODY);
    let tail = PATH.strip_prefix("/v2/origin/custom").unwrap();
    for (mistake, path) in [
        (Mistake::PathForm, tail.to_owned()),
        (Mistake::PathForm, format!("/origin/custom{tail}")),
        (Mistake::PathForm, PATH.trim_start_matches('/').to_owned()),
        (Mistake::PathForm, format!("{PATH}/")),
        (
            Mistake::OtherPath,
            format!("/v2/origin/custom/{CHANNEL}/connect"),
        ),
        (Mistake::OtherPath, format!("{PATH}/chats")),
        (Mistake::FullUrl, format!("https://amojo.amocrm.ru{PATH}")),
        (Mistake::FullUrl, format!("https://amojo.amocrm.com{PATH}")),
        (Mistake::FullUrl, format!("https://amojo.kommo.com{PATH}")),
    ] {
        let text = right.text().replace(PATH, &path);
        assert_eq!(
            right.clone().signed(&text).found(None),
            Some(mistake),
            "{path}"
        );
    }
}

#[test]
fn a_wrong_method_and_signed_header_names_are_named() {
    let right = Sent::canonical("DELETE", BODY);
    let text = right.text().replacen("DELETE", "POST", 1);
    assert_eq!(
        right.clone().signed(&text).found(None),
        Some(Mistake::OtherMethod)
    );
    let [method, md5, content_type, date, path] = right.parts();
    for (separator, lower) in [(": ", false), (":", false), (": ", true), (":", true)] {
        let line = |name: &str, value: &str| {
            let name = if lower {
                name.to_lowercase()
            } else {
                name.to_owned()
            };
            format!("{name}{separator}{value}")
        };
        let text = [
            method.clone(),
            line("Content-MD5", &md5),
            line("Content-Type", &content_type),
            line("Date", &date),
            path.clone(),
        ];
        let request = right.clone().signed(&text.join("\n"));
        assert_eq!(request.found(None), Some(Mistake::HeaderNames));
    }
}

#[test]
fn an_md5_alone_is_named() {
    let right = Sent::canonical("GET", BODY);
    for text in [
        content_md5(BODY.as_bytes()),
        content_md5(format!("GET{PATH}").as_bytes()),
    ] {
        assert_eq!(
            right.clone().signed(&text).found(None),
            Some(Mistake::Md5Alone)
        );
    }
}

#[test]
fn a_doubly_encoded_body_is_named() {
    let twice = serde_json::to_string(BODY).unwrap();
    for (sent, signed) in [(BODY, twice.as_str()), (twice.as_str(), BODY)] {
        let raw = Sent::raw("POST", sent).signed(signed);
        assert_eq!(raw.found(None), Some(Mistake::Stringified));
        let mut canonical = Sent::canonical("POST", signed);
        canonical.body = sent.to_owned();
        assert_eq!(canonical.found(None), Some(Mistake::Stringified));
    }
}

#[test]
fn a_digest_with_separators_and_a_non_digest_are_named() {
    let right = Sent::raw("POST", BODY);
    let digits: Vec<char> = right.signature.chars().collect();
    let pairs: Vec<String> = digits.chunks(2).map(|pair| pair.iter().collect()).collect();
    for separator in ["-", ":", " "] {
        let signature = pairs.join(separator).to_uppercase();
        let request = Sent {
            signature,
            ..right.clone()
        };
        assert_eq!(request.found(None), Some(Mistake::Dashes));
    }
    for (signature, said) in [
        ("abc", "this has 3 characters"),
        (
            &digits.iter().skip(1).collect::<String>(),
            "this has 39 characters",
        ),
        ("g123456789012345678901234567890123456789", "are others"),
        ("Ω", "this has 2 characters"),
    ] {
        let request = Sent {
            signature: signature.to_owned(),
            ..right.clone()
        };
        let hint = request.found(None).unwrap().hint();
        assert!(
            hint.starts_with("a signature has 40 hexadecimal digits") && hint.contains(said),
            "{hint}"
        );
        let long = Sent {
            body: " ".repeat(EXAMINED_MAX + 1),
            ..request
        };
        assert!(matches!(long.found(None), Some(Mistake::NoDigest { .. })));
    }
}
