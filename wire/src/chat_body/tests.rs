//! Tests of the bodies that the four operations accept. The table of bad requests lists those that they refuse.

use std::fmt::Write;

use super::*;
use crate::domain::chat::delivery::{DeliveryErrorCode, DeliveryStatus};
use crate::domain::chat::message::{Announce, Content, ContentKind, PostedMessage};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::MessageId;
use crate::domain::time::UnixMillis;
use crate::json::BodyError;

const NOW: UnixMillis = UnixMillis::from_secs(1_700_000_000);
const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
const MESSAGE: &str = "079e44fb-fc22-476b-9e8a-421b688ec53b";

/// A message with this content and these further fields of the payload.
fn sent(message: &str, more: &str) -> Result<PostedMessage, BodyError> {
    let body = format!(
        r#"{{"event_type":"new_message","payload":{{"timestamp":1500035254,"msgid":"m","conversation_id":"c","sender":{{"id":"U1","avatar":"https://example.com/a.png","name":"John"}},"message":{message}{more}}}}}"#
    );
    send::parse(body.as_bytes(), Rules::V2019, NOW)
}

fn accepted(message: &str) -> Content {
    sent(message, "")
        .unwrap_or_else(|error| panic!("{message}: {error}"))
        .content
}

#[test]
fn the_vendors_sample_is_read_field_by_field() {
    let body = r#"{"event_type":"new_message","payload":{"timestamp":1639660529,"msec_timestamp":1639660529379,"msgid":"my_int-5f2836a8ca481","conversation_id":"my_int-d5a421f7f218","sender":{"id":"my_int-1376265f-86df-4c49-a0c3-a4816df41af8","avatar":"https:\/\/images.pexels.com\/photos\/10050979\/pexels-photo-10050979.jpeg?auto=compress&cs=tinysrgb&dpr=2&w=500","profile":{"phone":"+79151112233","email":"example.client@example.com"},"profile_link":"https:\/\/example.com\/profile\/example.client","name":"\u0412\u0430\u0441\u044f \u043a\u043b\u0438\u0435\u043d\u0442"},"message":{"type":"text","text":"\u0421\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0435 \u043e\u0442 \u043a\u043b\u0438\u0435\u043d\u0442\u0430"},"silent":false}}"#;
    let message = send::parse(body.as_bytes(), Rules::V2019, NOW).unwrap();
    assert_eq!(message.timestamp, UnixMillis::from_secs(1_639_660_529));
    assert_eq!(message.msgid.as_str(), "my_int-5f2836a8ca481");
    assert_eq!(
        message.conversation_id.as_ref().unwrap().as_str(),
        "my_int-d5a421f7f218"
    );
    assert_eq!(message.conversation_ref_id, None);
    assert_eq!(message.announce, Announce::Aloud);
    assert_eq!(
        message.content.text().unwrap().as_str(),
        "Сообщение от клиента"
    );
    let sender = &message.sender;
    assert_eq!(
        sender.id.as_ref().unwrap().as_str(),
        "my_int-1376265f-86df-4c49-a0c3-a4816df41af8"
    );
    assert!(
        sender
            .avatar
            .as_ref()
            .unwrap()
            .as_str()
            .ends_with("?auto=compress&cs=tinysrgb&dpr=2&w=500")
    );
    assert_eq!(sender.name.as_ref().unwrap().as_str(), "Вася клиент");
    assert_eq!(sender.ref_id, None);
    let link = sender.profile_link.as_ref().unwrap();
    assert_eq!(link.as_str(), "https://example.com/profile/example.client");
    assert_eq!(
        sender.profile.phone.as_ref().unwrap().as_str(),
        "+79151112233"
    );
    let email = sender.profile.email.as_ref().unwrap();
    assert_eq!(email.as_str(), "example.client@example.com");

    let bytes = serde_json::to_vec(&message).unwrap();
    assert_eq!(
        serde_json::from_slice::<PostedMessage>(&bytes).unwrap(),
        message
    );
}

#[test]
fn every_message_type_is_accepted_with_and_without_text() {
    let file = r#""media":"https://e.com/a","file_name":"a.b","file_size":0"#;
    for (kind, fields) in [
        ("picture", file),
        ("video", file),
        ("file", file),
        ("sticker", r#""media":"https://e.com/a""#),
        ("contact", r#""contact":{"name":"Ada","phone":"+7 (915)"}"#),
        ("location", r#""location":{"lat":55,"lon":-37.5}"#),
    ] {
        let plain = accepted(&format!(r#"{{"type":"{kind}",{fields}}}"#));
        assert_eq!(plain.kind().as_str(), kind);
        assert_eq!(plain.text(), None);
        let empty = accepted(&format!(r#"{{"type":"{kind}",{fields},"text":""}}"#));
        assert_eq!(empty, plain);
        let with_text = accepted(&format!(r#"{{"type":"{kind}",{fields},"text":"hi"}}"#));
        assert_eq!(with_text.kind().as_str(), kind);
        assert_eq!(with_text.text().unwrap().as_str(), "hi");
    }
}

#[test]
fn the_content_of_a_message_is_kept_as_given() {
    let file = r#"{"type":"file","media":"https://e.com/a b","file_name":"../x","file_size":9007199254740992}"#;
    let Content::File { file, .. } = accepted(file) else {
        panic!("a file")
    };
    assert_eq!(file.media.as_str(), "https://e.com/a b");
    assert_eq!(file.name.as_str(), "../x");
    assert_eq!(file.size.bytes(), 1 << 53);

    let location = r#"{"type":"location","location":{"lat":-0.0,"lon":37.617698}}"#;
    let Content::Location { place, .. } = accepted(location) else {
        panic!("a place")
    };
    assert_eq!((place.latitude(), place.longitude()), (0.0, 37.617_698));

    let text = accepted("{\"type\":\"text\",\"text\":\"a\\u0000\\ud83d\\ude00\\n \"}");
    assert_eq!(text.text().unwrap().as_str(), "a\0😀\n ");
}

#[test]
fn fields_of_other_kinds_need_their_type_and_are_ignored() {
    let message = r#"{"type":"text","text":"x","media":"","file_name":"","file_size":-5,"contact":{},"location":{"lat":"?"}}"#;
    assert_eq!(accepted(message).kind(), ContentKind::Text);
    let message = r#"{"type":"location","location":{"lat":1,"lon":1},"media":"no url"}"#;
    assert_eq!(accepted(message).kind(), ContentKind::Location);
}

#[test]
fn unknown_fields_of_a_message_are_ignored() {
    let more = r#","msec_timestamp":"x","source":null,"receiver":[1,{"a":null}]"#;
    assert!(sent(r#"{"type":"text","text":"x","callback_data":null}"#, more).is_ok());
}

#[test]
fn silent_and_reply_to_are_read() {
    let text = r#"{"type":"text","text":"x"}"#;
    for (more, announce) in [
        ("", Announce::Aloud),
        (r#","silent":false"#, Announce::Aloud),
        (r#","silent":true"#, Announce::Silently),
    ] {
        assert_eq!(sent(text, more).unwrap().announce, announce);
    }
    let upper = ACCOUNT.to_uppercase();
    let more = format!(r#","conversation_ref_id":"{upper}""#);
    let conversation = sent(text, &more).unwrap().conversation_ref_id.unwrap();
    assert_eq!(conversation.to_string(), ACCOUNT);
}

#[test]
fn empty_details_of_a_person_stand_for_none() {
    let body = r#"{"event_type":"new_message","payload":{"timestamp":0,"msgid":"m","conversation_id":"c","sender":{"id":"U1","avatar":"https://example.com/a.png","name":"John","profile_link":"","profile":{"phone":"","email":"","extra":1}},"message":{"type":"text","text":"x"}}}"#;
    let sender = send::parse(body.as_bytes(), Rules::V2019, NOW)
        .unwrap()
        .sender;
    assert_eq!(
        (
            sender.profile_link,
            sender.profile.phone,
            sender.profile.email
        ),
        (None, None, None)
    );
}

#[test]
fn a_message_is_dated_from_1970_to_a_day_ahead() {
    let dated = |timestamp: u64| {
        let body = format!(
            r#"{{"event_type":"new_message","payload":{{"timestamp":{timestamp},"msgid":"m","conversation_id":"c","sender":{{"id":"U1","avatar":"https://example.com/a.png","name":"John"}},"message":{{"type":"text","text":"x"}}}}}}"#
        );
        send::parse(body.as_bytes(), Rules::V2019, NOW).map(|message| message.timestamp.secs())
    };
    let day_ahead = NOW.secs() + 24 * 60 * 60;
    for timestamp in [0, 1, day_ahead] {
        assert_eq!(dated(timestamp), Ok(timestamp));
    }
    let error = dated(day_ahead + 1).unwrap_err().to_string();
    assert_eq!(
        error,
        "payload.timestamp: expected a whole number from 0 to 1700086400"
    );
    let millis = dated(NOW.get()).unwrap_err().to_string();
    assert_eq!(
        millis,
        "payload.timestamp: this looks like milliseconds; give seconds"
    );
}

#[test]
fn connecting_has_two_defaults() {
    let parse = |body: &str| connect::parse(body.as_bytes(), Rules::V2019).unwrap();
    let least = parse(&format!(r#"{{"account_id":"{}"}}"#, ACCOUNT.to_uppercase()));
    assert_eq!(least.account.to_string(), ACCOUNT);
    assert_eq!((least.title, least.hook_version), (None, HookVersion::V1));
    for (name, version) in HookVersion::NAMES {
        let body =
            format!(r#"{{"account_id":"{ACCOUNT}","title":"<b>","hook_api_version":"{name}"}}"#);
        let full = parse(&body);
        assert_eq!(full.title.unwrap().as_str(), "<b>");
        assert_eq!(full.hook_version, version);
    }
}

#[test]
fn disconnecting_names_an_account() {
    let json = format!(r#" {{ "account_id" : "{ACCOUNT}" }} "#);
    let body = disconnect::parse(json.as_bytes(), Rules::V2019).unwrap();
    assert_eq!(body.account_id.to_string(), ACCOUNT);
}

#[test]
fn a_report_is_read_with_the_message_in_its_path() {
    let message: MessageId = MESSAGE.parse().unwrap();
    let parse = |rest: &str| {
        let body = format!(r#"{{"msgid":"{}",{rest}}}"#, MESSAGE.to_uppercase());
        let report = delivery_status::parse(body.as_bytes(), Rules::V2019, message).unwrap();
        assert_eq!(report.message, message);
        report.status
    };
    assert_eq!(parse(r#""delivery_status":1"#), DeliveryStatus::Delivered);
    // The vendor's own sample: an error along with a message that was read.
    let sample = r#""delivery_status":2,"error_code":905,"error":"Error text""#;
    assert_eq!(parse(sample), DeliveryStatus::Read);
    let ignored = r#""delivery_status":1,"error_code":7,"error":"""#;
    assert_eq!(parse(ignored), DeliveryStatus::Delivered);

    for (number, code) in DeliveryErrorCode::NUMBERS {
        let rest = format!(r#""delivery_status":-1,"error_code":{number},"error":"<b>""#);
        let DeliveryStatus::Error(error) = parse(&rest) else {
            panic!("an error")
        };
        assert_eq!(error.code(), code);
        assert_eq!(error.text().unwrap().as_str(), "<b>");
    }
    for rest in [
        r#""delivery_status":-1,"error_code":901"#,
        r#""delivery_status":-1,"error_code":901,"error":"""#,
    ] {
        let DeliveryStatus::Error(error) = parse(rest) else {
            panic!("an error")
        };
        assert_eq!(error.text(), None);
    }
}

#[test]
fn an_invalid_delivery_status_is_answered_with_the_valid_ones() {
    let message: MessageId = MESSAGE.parse().unwrap();
    for (rest, path, detail) in [
        (
            r#""delivery_status":"delivered""#,
            "delivery_status",
            "expected one of the numbers 1, 2, -1, found a string",
        ),
        (
            r#""delivery_status":3"#,
            "delivery_status",
            "expected one of the numbers 1, 2, -1",
        ),
        (
            r#""delivery_status":-1,"error_code":"905""#,
            "error_code",
            "expected one of the numbers 901, 902, 903, 904, 905, found a string",
        ),
    ] {
        let body = format!(r#"{{"msgid":"{MESSAGE}",{rest}}}"#);
        let refusal = delivery_status::parse(body.as_bytes(), Rules::V2019, message);
        let Err(BodyError::Invalid(wrong)) = refusal else {
            panic!("{refusal:?}")
        };
        let details: Vec<_> = wrong
            .kept()
            .iter()
            .map(|it| (it.path.as_str(), it.detail.as_str()))
            .collect();
        assert_eq!(details, [(path, detail)]);
    }
}

#[test]
fn a_body_with_many_errors_gets_a_short_answer() {
    let mut body = String::from("{\"account_id\":1");
    for key in 0..5_000 {
        write!(body, ",\"k{key}\":0").unwrap();
    }
    body.push('}');
    let Err(BodyError::Invalid(violations)) = connect::parse(body.as_bytes(), Rules::V2019) else {
        panic!("5,001 violations");
    };
    assert_eq!(violations.kept().len() + violations.dropped(), 5_001);
    assert_eq!(violations.kept().len(), 100);
}

/// A refusal by the rules of 2019 alone says so; a refusal by both does not.
#[test]
fn a_refusal_by_the_rules_of_2019_alone_says_so() {
    const REQUIRED: &str =
        "the rules of 2019 require it; requests signed in the current form may leave it out";
    const OTHERWISE: &str =
        "this is by the rules of 2019; requests signed in the current form may have it";
    let event = |sender: &str, rest: &str| {
        format!(
            r#"{{"event_type":"new_message","payload":{{"timestamp":1639604761,"conversation_id":"c","sender":{{"id":"u","name":"U"{sender}}},"message":{{"type":"text","text":"Hi"}}{rest}}}}}"#
        )
    };
    let parse = |body: &str, rules| send::parse_event(body.as_bytes(), rules, NOW).map(drop);
    let message = MESSAGE.parse().unwrap();
    let report = br#"{"delivery_status":1}"#;
    let connect = br#"{"account_id":"af9945ff-1490-4cad-807d-945c15d88bec","is_time_window_disabled":true,"other":1}"#;
    for (refused, expected) in [
        (
            parse(&event("", r#","msgid":"m""#), Rules::V2019),
            &[("payload.sender.avatar", Some(REQUIRED))][..],
        ),
        (
            parse(&event(r#","avatar":"""#, ""), Rules::V2019),
            &[
                ("payload.msgid", None),
                ("payload.sender.avatar", Some(OTHERWISE)),
            ],
        ),
        (
            parse(&event("", ""), Rules::Current),
            &[("payload.msgid", None)],
        ),
        (
            delivery_status::parse(report, Rules::V2019, message).map(drop),
            &[("msgid", Some(REQUIRED))],
        ),
        (
            connect::parse(connect, Rules::V2019).map(drop),
            &[
                ("is_time_window_disabled", Some(OTHERWISE)),
                ("other", None),
            ],
        ),
    ] {
        let Err(BodyError::Invalid(wrong)) = refused else {
            panic!("{refused:?}");
        };
        let paths = wrong.kept().iter().map(|it| it.path.as_str());
        assert!(
            paths.eq(expected.iter().map(|(path, _)| *path)),
            "{wrong:?}"
        );
        for (violation, (_, more)) in wrong.kept().iter().zip(expected) {
            let detail = &violation.detail;
            match more {
                Some(more) => assert!(detail.ends_with(&format!("; {more}")), "{detail}"),
                None => assert!(!detail.contains("2019"), "{detail}"),
            }
        }
    }
}
