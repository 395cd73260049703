//! Another body was signed than was sent: other character sets, other spellings, wrappings and parts.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::*;
use switchboard_domain::signature::request::content_md5;

const BODY: &str = r#"{"event_type":"new_message","payload":{"message":{"type":"text","text":"Цена <b>&'a' é"},"n":[1,{}]}}"#;

fn mac_of(message: &[u8]) -> String {
    hex::encode(sha1_mac(MacKey(SECRET.as_bytes()), message))
}

/// Returns the diagnoses of one body with the signature of another: raw; in the canonical text; and with its digest as
/// the header, too.
fn found(sent: &[u8], signed: &[u8]) -> [Option<Mistake>; 3] {
    let (right, other) = (content_md5(sent), content_md5(signed));
    let presented = |md5| Presented {
        method: "POST",
        path: PATH,
        query: None,
        host: Some(HOST),
        content_md5: md5,
        content_type: Some(b"application/json"),
        date: Some(DATE.as_bytes()),
        body: sent,
    };
    let raw = presented(None);
    let canonical = presented(Some(right.as_bytes()));
    let both = presented(Some(other.as_bytes()));
    let text = canonical.canonical(other.as_bytes()).text();
    [
        (raw, mac_of(signed)),
        (canonical, mac_of(&text)),
        (both, mac_of(&text)),
    ]
    .map(|(presented, signature)| {
        diagnose(&secret(), &presented, Some(signature.as_bytes()), None, NOW)
    })
}

#[track_caller]
fn named(sent: impl AsRef<[u8]>, signed: impl AsRef<[u8]>, mistake: Mistake) {
    let (sent, signed) = (sent.as_ref(), signed.as_ref());
    let text = String::from_utf8_lossy(signed);
    assert_eq!(found(sent, signed), [Some(mistake); 3], "{text}");
    let hint = mistake.hint();
    assert!(!hint.contains(SECRET) && !hint.is_empty(), "{hint}");
}

fn swapped(with: &[u8]) -> Vec<u8> {
    let (before, behind) = BODY.split_once("Цена").unwrap();
    let before = before.replace('é', "");
    let behind = behind.replace('é', "?");
    [before.as_bytes(), with, behind.as_bytes()].concat()
}

#[test]
fn a_character_set_that_is_not_utf_8_is_named() {
    named(BODY, swapped(b"????"), Mistake::Ascii);
    let dropped = BODY.replace("Цена", "").replace('é', "");
    named(BODY, dropped, Mistake::Ascii);
    let each_byte = BODY.replace("Цена", "????????").replace('é', "??");
    named(BODY, each_byte, Mistake::Ascii);
    for (set, bytes) in [
        ("Windows-1251", b"\xd6\xe5\xed\xe0".as_slice()),
        ("KOI8-R", b"\xe3\xc5\xce\xc1"),
        ("IBM866", b"\x96\xa5\xad\xa0"),
    ] {
        named(BODY, swapped(bytes), Mistake::SignedIn { set });
    }
    let latin = BODY.replace("Цена", "????");
    let (before, behind) = latin.split_once('é').unwrap();
    let latin = [before.as_bytes(), b"\xe9", behind.as_bytes()].concat();
    named(BODY, latin, Mistake::SignedIn { set: "ISO-8859-1" });
    let units: Vec<u16> = BODY.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let utf16 = Mistake::SignedIn { set: "UTF-16" };
    named(BODY, &little, utf16);
    named(BODY, [b"\xff\xfe", little.as_slice()].concat(), utf16);
    named(BODY, [b"\xfe\xff", big.as_slice()].concat(), utf16);
    // A body of ASCII letters has them too.
    let plain: Vec<u8> = "{\"a\":1}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    named("{\"a\":1}", plain, utf16);
    let wide: Vec<u8> = BODY
        .chars()
        .flat_map(|it| u32::from(it).to_le_bytes())
        .collect();
    named(BODY, wide, Mistake::SignedIn { set: "UTF-32" });
    let emoji = "{\"t\":\"😀\"}";
    named(emoji, "{\"t\":\"??\"}", Mistake::Ascii);
    let surrogates = b"{\"t\":\"\xed\xa0\xbd\xed\xb8\x80\"}";
    let cesu = "CESU-8, the modified UTF-8 of Java";
    named(emoji, surrogates, Mistake::SignedIn { set: cesu });
    for (set, text, bytes) in [
        ("Shift_JIS", "日本", b"\x93\xfa\x96\x7b".as_slice()),
        ("GB18030", "价格", b"\xbc\xdb\xb8\xf1"),
        ("Windows-1255", "שלום", b"\xf9\xec\xe5\xed"),
    ] {
        named(text, bytes, Mistake::SignedIn { set });
    }
}

#[test]
fn marks_and_encodings_in_one_of_both_are_named() {
    let with_mark = format!("\u{feff}{BODY}");
    named(BODY, &with_mark, Mistake::ByteOrderMark);
    named(&with_mark, BODY, Mistake::ByteOrderMark);
    let twice: String = BODY.bytes().map(char::from).collect();
    named(BODY, &twice, Mistake::EncodedTwice);
    named(&twice, BODY, Mistake::EncodedTwice);
    let decomposed = BODY.replace('é', "e\u{301}");
    named(BODY, &decomposed, Mistake::OtherNormalForm);
    named(&decomposed, BODY, Mistake::OtherNormalForm);
    let body = "{\"t\":\"Цена\"}";
    let bytes = b"{\"t\":\"\xd6\xe5\xed\xe0\"}";
    named(
        bytes,
        body,
        Mistake::SentIn {
            set: "Windows-1251",
        },
    );
    named(
        b"{\"t\":\"\xe9\"}",
        "{\"t\":\"é\"}",
        Mistake::SentIn { set: "ISO-8859-1" },
    );
}

#[test]
fn another_spelling_of_the_document_is_named() {
    let lower = "\\u0426\\u0435\\u043d\\u0430";
    let upper = "\\u0426\\u0435\\u043D\\u0430";
    let go = BODY
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    let indented = "{\n  \"event_type\": \"new_message\",\n  \"payload\": {\n    \"message\": {\n      \"type\": \"text\",\n      \"text\": \"Цена <b>&'a' é\"\n    },\n    \"n\": [\n      1,\n      {}\n    ]\n  }\n}";
    let tabs = indented
        .replace("  ", "\t")
        .replace("\t\t\t\t\t\t", "\t\t\t");
    let document = serde_json::from_str::<serde_json::Value>(BODY).unwrap();
    for signed in [
        BODY.replace("Цена", lower).replace('é', "\\u00e9"),
        BODY.replace("Цена", upper).replace('é', "\\u00E9"),
        format!("{go}\n"),
        go.clone(),
        indented.to_owned(),
        indented.replace("  ", "    "),
        indented.replace('\n', "\r\n"),
        tabs,
        document.to_string(),
        serde_json::to_string_pretty(&document).unwrap(),
        BODY.replace("\":", "\": "),
    ] {
        named(BODY, &signed, Mistake::Reserialised);
        // The order of keys that the signer took cannot be known from another one.
        let has_own_order = signed.find("\"type\"") < signed.find("\"text\"");
        if !signed.ends_with('\n') && has_own_order {
            named(&signed, BODY, Mistake::Reserialised);
        }
    }
    let lines = "{\"t\":\"\u{2028}\"}";
    named(lines, "{\"t\":\"\\u2028\"}", Mistake::Reserialised);
    named(
        indented,
        indented.replace('\n', "\r\n"),
        Mistake::TrailingNewline,
    );
}

#[test]
fn wrappings_and_parts_of_the_body_are_named() {
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    for letters in [
        STANDARD.encode(BODY),
        URL_SAFE_NO_PAD.encode(BODY),
        hex::encode(BODY),
    ] {
        named(BODY, letters, Mistake::InLetters);
    }
    let html = BODY
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    named(BODY, &html, Mistake::HtmlEscapes);
    let quotes = html.replace('"', "&quot;");
    named(BODY, &quotes, Mistake::HtmlEscapes);
    named(BODY, quotes.replace('\'', "&#039;"), Mistake::HtmlEscapes);
    let numbers = BODY
        .replace("Цена", "&#1062;&#1077;&#1085;&#1072;")
        .replace('é', "&#233;");
    named(BODY, numbers, Mistake::HtmlEscapes);
    let form: String = url::form_urlencoded::byte_serialize("{\"a\": 1}".as_bytes()).collect();
    named("{\"a\": 1}", form, Mistake::PercentEscapes);
    let printed = r#"{'event_type': 'new_message', 'payload': {'message': {'type': 'text', 'text': "Цена <b>&'a' é"}, 'n': [1, {}]}}"#;
    named(BODY, printed, Mistake::PrintedObject);
    let payload = r#"{"message":{"type":"text","text":"Цена <b>&'a' é"},"n":[1,{}]}"#;
    let message = r#"{"type":"text","text":"Цена <b>&'a' é"}"#;
    for part in [
        payload,
        message,
        "Цена <b>&'a' é",
        &payload
            .replace("\":", "\": ")
            .replace(",\"", ", \"")
            .replace("1,{", "1, {"),
    ] {
        named(BODY, part, Mistake::PartOfBody);
    }
    let gzip = || {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(BODY.as_bytes()).unwrap();
        gzip.finish().unwrap()
    };
    let compressed = Mistake::SignedPlainAndSentCompressed;
    named(gzip(), BODY, compressed);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(BODY.as_bytes()).unwrap();
    named(zlib.finish().unwrap(), BODY, compressed);
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
    deflate.write_all(BODY.as_bytes()).unwrap();
    named(deflate.finish().unwrap(), BODY, compressed);
}

#[test]
fn a_signature_of_other_bytes_stays_unexplained() {
    for other in ["{\"a\":2}", "Цена", "something else"] {
        let [raw, canonical, both] = found(BODY.as_bytes(), other.as_bytes());
        assert_eq!((raw, canonical), (None, None), "{other}");
        assert_eq!(both, Some(Mistake::Md5OfSomethingElse), "{other}");
    }
}

/// A body as large as any that is examined, with all that makes spellings differ, is searched within a bound.
#[test]
fn the_search_has_a_bound() {
    let text = "Ц<&'\"/\u{2028}😀é".repeat(600);
    let json = serde_json::json!({ "text": text }).to_string();
    let body = json.as_bytes();
    let cut = body.get(..EXAMINED_MAX.min(body.len())).unwrap();
    let calls = std::cell::Cell::new((0_usize, 0_usize));
    let never = |candidate: &[u8]| {
        let (count, bytes) = calls.get();
        calls.set((count + 1, bytes + candidate.len()));
        false
    };
    for body in [body, cut] {
        calls.set((0, 0));
        assert_eq!(candidates::body::other_body(body, never), None);
        let (count, bytes) = calls.get();
        assert!(count < 2_000 && bytes <= 3 << 20, "{count} {bytes}");
    }
}
