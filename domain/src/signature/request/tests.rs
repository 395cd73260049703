//! Requests that the vendor published with their signatures, and what must not pass for them.

use proptest::prelude::*;

use super::*;
use crate::signature::SharedSecret;

const KEY: &str = "f2d7f8704eff95087ed45b23ba99c0b5aac8278e";
const CHANNEL: &str = "/v2/origin/custom/344a5002-f8ca-454d-af3d-396180102ac7";
const SCOPE: &str =
    "/v2/origin/custom/344a5002-f8ca-454d-af3d-396180102ac7_52e591f7-c98f-4255-8495-827210138c81";

struct Vector {
    key: &'static str,
    method: &'static str,
    path: String,
    date: &'static str,
    md5: &'static str,
    signature: &'static str,
    /// The moment of `date`.
    at: u64,
    body: &'static str,
}

/// The first three are published; the others were computed with what computes those.
fn vectors() -> Vec<Vector> {
    vec![
        Vector {
            key: KEY,
            method: "POST",
            path: format!("{CHANNEL}/connect"),
            date: "Wed, 15 Dec 2021 23:12:55 +0000",
            md5: "2fbcb3c652b61e24e004daddfc73d0ce",
            signature: "81211856ce0c5095f3e1a90c0a38dc9d736cfd55",
            at: 1_639_609_975,
            body: r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","title":"ChatsIntegration","hook_api_version":"v2"}"#,
        },
        Vector {
            key: KEY,
            method: "DELETE",
            path: format!("{CHANNEL}/disconnect"),
            date: "Wed, 15 Dec 2021 23:59:28 +0000",
            md5: "271fa2e4fb0ff84a3ef9689027bd1f38",
            signature: "e1678e3b6aa674b5127f4feb448e6200ce0bfc72",
            at: 1_639_612_768,
            body: r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81"}"#,
        },
        Vector {
            key: KEY,
            method: "POST",
            path: SCOPE.to_owned(),
            date: "Thu, 16 Dec 2021 13:15:29 +0000",
            md5: "223ef85def871bc7cb58aa6f02f0a26e",
            signature: "29b49e9eaf03f13a66ecaff315f2855b31b25eee",
            at: 1_639_660_529,
            body: r#"{"event_type":"new_message","payload":{"timestamp":1639660529,"msec_timestamp":1639660529379,"msgid":"my_int-5f2836a8ca481","conversation_id":"my_int-d5a421f7f218","sender":{"id":"my_int-1376265f-86df-4c49-a0c3-a4816df41af8","avatar":"https:\/\/images.pexels.com\/photos\/10050979\/pexels-photo-10050979.jpeg?auto=compress&cs=tinysrgb&dpr=2&w=500","profile":{"phone":"+79151112233","email":"example.client@example.com"},"profile_link":"https:\/\/example.com\/profile\/example.client","name":"\u0412\u0430\u0441\u044f \u043a\u043b\u0438\u0435\u043d\u0442"},"message":{"type":"text","text":"\u0421\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0435 \u043e\u0442 \u043a\u043b\u0438\u0435\u043d\u0442\u0430"},"silent":false}}"#,
        },
        Vector {
            key: "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189",
            method: "POST",
            path: "/v2/origin/custom/f90ba33d-c9d9-44da-b76c-c349b0ecbe41/connect".to_owned(),
            date: "Thu, 29 Oct 2020 11:59:55 +0000",
            md5: "a5e8ae04332a6d0aac15f01ad05d40e3",
            signature: "e0dcc1936d766a7d5f53fe19887fafa50bef92e0",
            at: 1_603_972_795,
            body: r#"{"account_id":"af9945ff-1490-4cad-807d-945c15d88bec","title":"ScopeTitle","hook_api_version":"v2"}"#,
        },
        Vector {
            key: "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189",
            method: "GET",
            path: format!("{SCOPE}/chats/8b1a1828-fc4a-4874-9469-15e0d847570f/history"),
            date: "Thu, 29 Oct 2020 11:59:55 +0000",
            md5: "d41d8cd98f00b204e9800998ecf8427e",
            signature: "f44917d44bca7ead06106f8b3ae07bc849613705",
            at: 1_603_972_795,
            body: "",
        },
    ]
}

fn signer(key: &str) -> Signer {
    Signer::new(&key.parse::<SharedSecret>().unwrap())
}

impl Vector {
    fn presented(&self) -> Presented<'_> {
        Presented {
            method: self.method,
            path: &self.path,
            query: Some("offset=1"),
            host: Some("amojo.example.com"),
            content_md5: Some(self.md5.as_bytes()),
            content_type: Some(b"application/json"),
            date: Some(self.date.as_bytes()),
            body: self.body.as_bytes(),
        }
    }

    fn proven(&self, presented: Presented<'_>, wanted: Option<Generation>) -> Option<Generation> {
        let now = UnixMillis::from_secs(self.at);
        presented.proven(&signer(self.key), self.signature.as_bytes(), wanted, now)
    }
}

#[test]
fn published_requests_have_their_published_signatures() {
    for vector in vectors() {
        let presented = vector.presented();
        assert_eq!(content_md5(presented.body), vector.md5);
        let canonical = presented.canonical(vector.md5.as_bytes());
        let signature = canonical.sign(&signer(vector.key)).to_string();
        assert_eq!(signature, vector.signature, "{}", vector.path);
        assert_eq!(
            read_date(vector.date.as_bytes()),
            i64::try_from(vector.at).ok()
        );
        let current = Some(Generation::Current);
        assert_eq!(vector.proven(presented, None), current);
        assert_eq!(vector.proven(presented, current), current);
        assert_eq!(vector.proven(presented, Some(Generation::V2019)), None);
    }
}

#[test]
fn the_raw_body_is_tried_last_whatever_the_headers_are() {
    let vector = &vectors()[0];
    // The signature of this body in the 2019 generation.
    let raw = b"3fa5856b066091e4112361eb781a044085cebba5";
    let now = UnixMillis::from_secs(1_700_000_000);
    for content_md5 in [
        None,
        Some(b"anything".as_slice()),
        Some(vector.md5.as_bytes()),
    ] {
        let presented = Presented {
            content_md5,
            date: None,
            ..vector.presented()
        };
        let proven = |wanted| presented.proven(&signer(KEY), raw, wanted, now);
        assert_eq!(proven(None), Some(Generation::V2019));
        assert_eq!(proven(Some(Generation::V2019)), Some(Generation::V2019));
        assert_eq!(proven(Some(Generation::Current)), None);
    }
}

#[test]
fn a_canonical_signature_without_its_content_md5_proves_nothing() {
    let vector = &vectors()[0];
    let presented = Presented {
        content_md5: None,
        ..vector.presented()
    };
    assert_eq!(vector.proven(presented, None), None);
}

#[test]
fn a_date_counts_for_15_minutes_in_both_directions() {
    let vector = &vectors()[0];
    let at = |secs: u64| {
        let now = UnixMillis::from_secs(secs);
        vector
            .presented()
            .proven(&signer(KEY), vector.signature.as_bytes(), None, now)
    };
    for (secs, taken) in [(900, true), (901, false)] {
        assert_eq!(at(vector.at + secs).is_some(), taken, "{secs} s later");
        assert_eq!(at(vector.at - secs).is_some(), taken, "{secs} s earlier");
    }
}

#[test]
fn both_forms_of_a_date_are_read_with_any_offset() {
    for date in [
        "Wed, 15 Dec 2021 23:12:55 +0000",
        "Wed, 15 Dec 2021 23:12:55 GMT",
        "Thu, 16 Dec 2021 02:12:55 +0300",
        "Wed, 15 Dec 2021 18:12:55 -0500",
        "15 Dec 2021 23:12:55 +0000",
        // A day that it was not: nothing rests on the name.
        "Mon, 15 Dec 2021 23:12:55 +0000",
        "Wednesday, 15-Dec-21 23:12:55 GMT",
        "Wed Dec 15 23:12:55 2021",
        // Date libraries for JavaScript.
        "Wed, 15 Dec 2021 23:12:55 +00:00",
        "Thu, 16 Dec 2021 2:12:55 +0300",
        "Thu, 16 Dec 2021 2:12:55 +03:00",
        "Wed, 15 Dec 2021 9:12:55 -14:00",
        "Thu, 16 Dec 2021 0:12:55 +01:00",
    ] {
        assert_eq!(read_date(date.as_bytes()), Some(1_639_609_975), "{date}");
    }
    for date in [
        "",
        "now",
        "1639609975",
        "2021-12-15T23:12:55Z",
        "Wed, 32 Dec 2021 23:12:55 +0000",
        "Wed, 15 Dec 2021 23:12:55 +0:000",
        "Wed, 15 Dec 2021 :12:55 +0000",
        "Wed, 15 Dec 2021 x:12:55 +00:00",
        "Wed, 15 Dec 2021 23:12:55 +:",
        "Wed, 15 Dec 2021 23:12:55 +00:00:00",
        "\u{661}",
    ] {
        assert_eq!(read_date(date.as_bytes()), None, "{date}");
    }
    assert_eq!(read_date(b"\xff"), None);
}

/// The parts of a signed request.
type Parts = (String, String, Vec<u8>, Vec<u8>, Vec<u8>);

fn parts() -> impl Strategy<Value = Parts> {
    let body = prop::collection::vec(any::<u8>(), 0..64);
    (
        "[A-Z]{3,7}",
        "/[a-z0-9_/-]{0,40}",
        "[ -~]{0,30}".prop_map(String::into_bytes),
        body,
        "[a-z0-9]{1,40}".prop_map(String::into_bytes),
    )
}

proptest! {
    #[test]
    fn signatures_of_the_signer_pass_the_verifier(
        (method, path, content_type, body, key) in parts(),
        seconds in 0_u64..4_000_000_000,
    ) {
        let signer = signer(&String::from_utf8(key).unwrap());
        let now = UnixMillis::from_secs(seconds);
        let date = httpdate::fmt_http_date(std::time::UNIX_EPOCH + Duration::from_secs(seconds));
        let md5 = content_md5(&body);
        let presented = Presented {
            method: &method, path: &path, query: None, host: None,
            content_md5: Some(md5.as_bytes()), content_type: Some(&content_type),
            date: Some(date.as_bytes()), body: &body,
        };
        let signature = presented.canonical(md5.as_bytes()).sign(&signer).to_string();
        let proven = presented.proven(&signer, signature.as_bytes(), None, now);
        prop_assert_eq!(proven, Some(Generation::Current));
        let raw = signer.sign(&body).to_string();
        let proven = presented.proven(&signer, raw.as_bytes(), None, now);
        prop_assert_eq!(proven, Some(Generation::V2019));
    }

    #[test]
    fn any_change_of_any_byte_is_rejected(
        which in 0_usize..7,
        place in any::<prop::sample::Index>(),
        flip in 1_u8..128,
        vector in prop::sample::select(vec![0_usize, 1, 2, 3]),
    ) {
        let vectors = vectors();
        let vector = &vectors[vector];
        let mut parts: Vec<Vec<u8>> = [
            vector.method, vector.path.as_str(), vector.md5, "application/json", vector.date, vector.body, vector.signature,
        ].iter().map(|part| part.as_bytes().to_vec()).collect();
        let part = &mut parts[which];
        let place = place.index(part.len());
        let before = part[place];
        part[place] ^= flip;
        // A signature may be written in upper case.
        prop_assume!(!(which == 6 && part[place].eq_ignore_ascii_case(&before)));
        let text = |part: usize| std::str::from_utf8(&parts[part]).unwrap_or("?");
        let presented = Presented {
            method: text(0), path: text(1), query: None, host: None,
            content_md5: Some(&parts[2]), content_type: Some(&parts[3]), date: Some(&parts[4]), body: &parts[5],
        };
        let now = UnixMillis::from_secs(vector.at);
        prop_assert_eq!(presented.proven(&signer(vector.key), &parts[6], None, now), None);
    }
}
