//! The exact bytes of callbacks: receivers sign and compare them, so nothing about them may drift.

use super::*;
use crate::domain::chat::message::{Attachment, ContentKind};
use crate::domain::chat::outgoing::{Party, ReactedMessage, ReactionChange};
use crate::domain::chat::quote::Answered;
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::conversation::ReactionCallback;
use crate::domain::id::TemplateId;
use crate::domain::list_message::{ListMessage, ListRow, ListSection};
use crate::domain::markers::Parameter;
use crate::domain::templates::template::Button;

const ATTEMPT: UnixMillis = UnixMillis::new(1_700_000_001_999);

fn callback(content: OutgoingContent) -> OutgoingCallback {
    OutgoingCallback {
        account: "52e591f7-c98f-4255-8495-827210138c81".parse().unwrap(),
        message: "0371a0ff-b78a-4c7b-8538-a7d547e10692".parse().unwrap(),
        written_at: UnixMillis::new(1_700_000_000_123),
        content,
        sender: CallbackSender {
            id: "76fc2bea-902f-425c-9a3d-dcdac4766090".parse().unwrap(),
            name: "Ada".parse().unwrap(),
        },
        receiver: Receiver {
            id: "2ed64e26-70a1-4857-8382-bb066a076219".parse().unwrap(),
            client_id: Some("my_int-1376265f".parse().unwrap()),
            name: Some("Вася \"клиент\"".parse().unwrap()),
            phone: Some("79161234567".parse().unwrap()),
            email: Some("example.client@example.com".parse().unwrap()),
        },
        conversation: "8e4d4baa-9e6c-4a88-838a-5f62be227bdc".parse().unwrap(),
        client_conversation: Some("my_int-d5a421f7f218".parse().unwrap()),
        source: None,
        reply_to: None,
        post: None,
        template: None,
        list: None,
    }
}

fn text() -> OutgoingContent {
    OutgoingContent::Text {
        text: "a/b\n\"é\" \u{1}".parse().unwrap(),
    }
}

fn attachment(name: &str, size: u64) -> Attachment {
    Attachment {
        media: format!("https://s.example/media/1/{name}").parse().unwrap(),
        name: name.parse().unwrap(),
        size: size.try_into().unwrap(),
    }
}

fn picture() -> OutgoingContent {
    OutgoingContent::Picture {
        file: attachment("cat.jpg", 57_000),
        thumbnail: "https://s.example/media/1/thumbnail".parse().unwrap(),
        text: Some("look".parse().unwrap()),
    }
}

fn file() -> OutgoingContent {
    OutgoingContent::File {
        file: attachment("a.pdf", 0),
        text: None,
    }
}

#[track_caller]
fn same(found: Vec<u8>, golden: &str) {
    assert_eq!(String::from_utf8(found).unwrap(), golden);
}

#[test]
fn version_1_always_has_its_eight_keys() {
    for (content, golden) in [
        (
            text(),
            r#"{"receiver":"my_int-1376265f","conversation_id":"my_int-d5a421f7f218","type":"text","text":"a/b\n\"é\" \u0001","media":"","thumbnail":"","file_name":"","file_size":0}"#,
        ),
        (
            picture(),
            r#"{"receiver":"my_int-1376265f","conversation_id":"my_int-d5a421f7f218","type":"picture","text":"look","media":"https://s.example/media/1/cat.jpg","thumbnail":"https://s.example/media/1/thumbnail","file_name":"cat.jpg","file_size":57000}"#,
        ),
        (
            file(),
            r#"{"receiver":"my_int-1376265f","conversation_id":"my_int-d5a421f7f218","type":"file","text":"","media":"https://s.example/media/1/a.pdf","thumbnail":"","file_name":"a.pdf","file_size":0}"#,
        ),
    ] {
        same(v1::body(&callback(content)).unwrap(), golden);
    }
}

#[test]
fn version_1_needs_ids_of_the_integration() {
    let mut unbound = callback(text());
    unbound.client_conversation = None;
    assert_eq!(v1::body(&unbound), Err(v1::UnboundPersonError));
    let mut unbound = callback(text());
    unbound.receiver.client_id = None;
    assert_eq!(v1::body(&unbound), Err(v1::UnboundPersonError));
}

#[test]
fn version_1_is_the_sample_of_the_interface_byte_for_byte() {
    let mut sample = callback(OutgoingContent::Text {
        text: "ok".parse().unwrap(),
    });
    sample.receiver.client_id = Some("b55770b5-974f-4dd6-8dd3-0356c08dc600".parse().unwrap());
    sample.client_conversation = Some("a4a5ab10-ea6f-4af4-8514-a8265e5c71bd".parse().unwrap());
    let body = v1::body(&sample).unwrap();
    assert_eq!(body.len(), 189);
    let secret = "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189".parse().unwrap();
    let signature = crate::domain::signature::sign_body(&secret, &body);
    assert_eq!(
        signature.to_string(),
        "d2236b2f87443077273a58333c0952de27ef3748"
    );
}

#[test]
fn version_2_matches_the_key_order_of_the_sample() {
    const HEAD: &str = r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","time":1700000001,"message":{"receiver":{"id":"2ed64e26-70a1-4857-8382-bb066a076219","name":"Вася \"клиент\"","phone":"79161234567","email":"example.client@example.com","client_id":"my_int-1376265f"},"sender":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090","name":"Ada"},"conversation":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc","client_id":"my_int-d5a421f7f218"},"timestamp":1700000000,"msec_timestamp":1700000000123,"message":{"id":"0371a0ff-b78a-4c7b-8538-a7d547e10692","#;
    for (content, rest) in [
        (
            text(),
            r#""type":"text","text":"a/b\n\"é\" \u0001","markup":null,"tag":"","media":"","thumbnail":"","file_name":"","file_size":0}}}"#,
        ),
        (
            picture(),
            r#""type":"picture","text":"look","markup":null,"tag":"","media":"https://s.example/media/1/cat.jpg","thumbnail":"https://s.example/media/1/thumbnail","file_name":"cat.jpg","file_size":57000}}}"#,
        ),
        (
            file(),
            r#""type":"file","text":"","markup":null,"tag":"","media":"https://s.example/media/1/a.pdf","thumbnail":"","file_name":"a.pdf","file_size":0}}}"#,
        ),
    ] {
        same(
            v2::body(&callback(content), ATTEMPT),
            &format!("{HEAD}{rest}"),
        );
    }
}

#[test]
fn version_2_names_the_quoted_message_and_the_post() {
    let mut answer = callback(OutgoingContent::Text {
        text: "ok".parse().unwrap(),
    });
    answer.post = Some("1999992".parse().unwrap());
    answer.reply_to = Some(Box::new(Answered {
        id: "90e985eb-3e5d-426e-bd62-1eb78ef6db67".parse().unwrap(),
        msgid: Some("m-1".parse().unwrap()),
        kind: ContentKind::Text,
        text: Some("Привет".parse().unwrap()),
        media: None,
        written_at: UnixMillis::from_secs(1_751_641_366),
        sender: answer.receiver.id,
        sender_client_id: Some("my_int-1376265f".parse().unwrap()),
        sender_name: Some("Вася".parse().unwrap()),
        acting_client: None,
    }));
    let body = String::from_utf8(v2::body(&answer, ATTEMPT)).unwrap();
    let behind = body.split(r#""file_size":0"#).nth(1).unwrap();
    assert_eq!(
        behind,
        r#","post":{"id":"1999992"},"reply_to":{"message":{"id":"90e985eb-3e5d-426e-bd62-1eb78ef6db67","msgid":"m-1","type":"text","text":"Привет","timestamp":1751641366,"msec_timestamp":1751641366000,"sender":{"id":"2ed64e26-70a1-4857-8382-bb066a076219","name":"Вася","client_id":"my_int-1376265f"}}}}}}"#
    );
    assert!(
        !String::from_utf8(v1::body(&answer).unwrap())
            .unwrap()
            .contains("reply_to")
    );
}

/// A reaction and a typing callback have the keys, and their order, of the original interface.
#[test]
fn reaction_and_typing_callbacks_match_the_sample_key_order() {
    let reaction = |msgid: Option<&str>, kind, emoji: Option<&str>| ReactionChange {
        on: "0371a0ff-b78a-4c7b-8538-a7d547e10692".parse().unwrap(),
        msgid: msgid.map(|msgid| msgid.parse().unwrap()),
        message: Box::new(ReactedMessage {
            written_at: UnixMillis::new(1_637_087_000_123),
            sender: Party {
                id: "2ed64e26-70a1-4857-8382-bb066a076219".parse().unwrap(),
                client_id: msgid.map(|_| "u-1".parse().unwrap()),
                name: msgid.map(|_| "Grace".parse().unwrap()),
            },
            receiver: Party {
                id: "76fc2bea-902f-425c-9a3d-dcdac4766090".parse().unwrap(),
                client_id: None,
                name: None,
            },
        }),
        kind,
        emoji: emoji.map(|emoji| emoji.parse().unwrap()),
    };
    let message = callback(text());
    let reaction_callback = |reaction| ReactionCallback {
        out: 1,
        id: message.message,
        at: message.written_at,
        by: message.sender.id,
        reaction,
        scope: format!("c_{}", message.account).parse().unwrap(),
        conversation_client_id: message.client_conversation.clone(),
    };
    let addition = reaction_callback(reaction(Some("m-1"), ReactionKind::React, Some("😍")));
    same(
        action::reaction(message.account, message.conversation, &addition, ATTEMPT),
        r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","time":1700000001,"action":{"reaction":{"msgid":"m-1","message":{"id":"0371a0ff-b78a-4c7b-8538-a7d547e10692","msgid":"m-1","client_id":"m-1","receiver":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090"},"sender":{"id":"2ed64e26-70a1-4857-8382-bb066a076219","name":"Grace","client_id":"u-1"},"timestamp":1637087000,"msec_timestamp":1637087000123},"user":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090"},"conversation":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc","client_id":"my_int-d5a421f7f218"},"type":"react","emoji":"😍"}}}"#,
    );
    // Which one was taken back is not said.
    let withdrawal = reaction_callback(reaction(None, ReactionKind::Unreact, Some("😍")));
    same(
        action::reaction(message.account, message.conversation, &withdrawal, ATTEMPT),
        r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","time":1700000001,"action":{"reaction":{"msgid":"0371a0ff-b78a-4c7b-8538-a7d547e10692","message":{"id":"0371a0ff-b78a-4c7b-8538-a7d547e10692","receiver":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090"},"sender":{"id":"2ed64e26-70a1-4857-8382-bb066a076219"},"timestamp":1637087000,"msec_timestamp":1637087000123},"user":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090"},"conversation":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc","client_id":"my_int-d5a421f7f218"},"type":"unreact"}}}"#,
    );
    let typing = action::typing(&action::TypingCallback {
        account: message.account,
        user: message.sender.id,
        conversation: message.conversation,
        client_conversation: "c7",
        at: ATTEMPT,
    });
    same(
        typing,
        r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","time":1700000001,"action":{"typing":{"user":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090"},"conversation":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc","client_id":"c7"},"expired_at":1700000006}}}"#,
    );
}

/// Version 2 of a conversation that an account user began has empty client ids and no unknown details.
#[test]
fn version_2_without_client_ids_sends_empty_ones() {
    let mut unbound = callback(OutgoingContent::Text {
        text: "ok".parse().unwrap(),
    });
    unbound.client_conversation = None;
    unbound.receiver = Receiver {
        id: unbound.receiver.id,
        client_id: None,
        name: None,
        phone: None,
        email: None,
    };
    same(
        v2::body(&unbound, ATTEMPT),
        r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","time":1700000001,"message":{"receiver":{"id":"2ed64e26-70a1-4857-8382-bb066a076219","client_id":""},"sender":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090","name":"Ada"},"conversation":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc","client_id":""},"timestamp":1700000000,"msec_timestamp":1700000000123,"message":{"id":"0371a0ff-b78a-4c7b-8538-a7d547e10692","type":"text","text":"ok","markup":null,"tag":"","media":"","thumbnail":"","file_name":"","file_size":0}}}"#,
    );
}

#[test]
fn attempts_differ_only_in_their_top_level_time() {
    let callback = callback(picture());
    let first = String::from_utf8(v2::body(&callback, ATTEMPT)).unwrap();
    let later = UnixMillis::from_secs(1_800_000_000);
    let second = String::from_utf8(v2::body(&callback, later)).unwrap();
    assert_ne!(first, second);
    assert_eq!(first.replacen("1700000001", "1800000000", 1), second);
}

/// A message of a template with these buttons.
fn of_template(content: OutgoingContent, template: SentTemplate) -> OutgoingCallback {
    OutgoingCallback {
        template: Some(Box::new(template)),
        ..callback(content)
    }
}

fn template(buttons: &[(&str, Option<&str>)]) -> SentTemplate {
    let buttons = buttons.iter().map(|(text, url)| Button {
        text: text.parse().unwrap(),
        url: url.map(|url| url.parse().unwrap()),
    });
    SentTemplate {
        id: TemplateId(11),
        external_id: Some("order-paid".parse().unwrap()),
        content: "Dear {{contact.name}}".parse().unwrap(),
        parameters: vec![Parameter {
            key: "{{contact.name}}".to_owned(),
            value: "Maria".to_owned(),
        }],
        buttons: buttons.collect(),
        buttons_in_text: false,
    }
}

/// The part of a body of version 2 from the text of the message on.
#[track_caller]
fn ends(callback: &OutgoingCallback, golden: &str) {
    let body = String::from_utf8(v2::body(callback, ATTEMPT)).unwrap();
    let (_, end) = body.split_once(r#""text":"#).unwrap();
    assert_eq!(end, golden);
}

#[test]
fn a_template_has_its_buttons_and_parameters() {
    let text = OutgoingContent::Text {
        text: "Dear Maria".parse().unwrap(),
    };
    let buttons = template(&[("Yes", None), ("No", None)]);
    ends(
        &of_template(text.clone(), buttons.clone()),
        r#""Dear Maria","markup":{"mode":"inline","buttons":[[{"text":"Yes"}],[{"text":"No"}]]},"tag":"","media":"","thumbnail":"","file_name":"","file_size":0,"template":{"id":11,"external_id":"order-paid","content":"Dear {{contact.name}}","params":[{"key":"{{contact.name}}","value":"Maria"}]}}}}"#,
    );
    let links = SentTemplate {
        external_id: None,
        parameters: Vec::new(),
        ..template(&[("Our site", Some("https://shop.example"))])
    };
    ends(
        &of_template(text.clone(), links),
        r#""Dear Maria","markup":{"mode":"inline","buttons":[[{"text":"Our site","url":"https://shop.example"}]]},"tag":"","media":"","thumbnail":"","file_name":"","file_size":0,"template":{"id":11,"content":"Dear {{contact.name}}","params":[]}}}}"#,
    );
    let as_text = SentTemplate {
        buttons_in_text: true,
        ..buttons.clone()
    };
    ends(
        &of_template(text, as_text),
        r#""Dear Maria","markup":null,"tag":"","media":"","thumbnail":"","file_name":"","file_size":0,"template":{"id":11,"external_id":"order-paid","content":"Dear {{contact.name}}","params":[{"key":"{{contact.name}}","value":"Maria"}]}}}}"#,
    );
    ends(
        &of_template(picture(), template(&[])),
        r#""look","markup":null,"tag":"","media":"https://s.example/media/1/cat.jpg","thumbnail":"https://s.example/media/1/thumbnail","file_name":"cat.jpg","file_size":57000,"template":{"id":11,"external_id":"order-paid","content":"Dear {{contact.name}}","params":[{"key":"{{contact.name}}","value":"Maria"}]}}}}"#,
    );
    // Version 1 has neither.
    let plain = v1::body(&callback(picture()));
    assert_eq!(v1::body(&of_template(picture(), buttons)), plain);
}

#[test]
fn a_picture_of_a_template_has_its_buttons_too() {
    let buttons = template(&[("Yes", None)]);
    ends(
        &of_template(picture(), buttons),
        r#""look","markup":{"mode":"inline","buttons":[[{"text":"Yes"}]]},"tag":"","media":"https://s.example/media/1/cat.jpg","thumbnail":"https://s.example/media/1/thumbnail","file_name":"cat.jpg","file_size":57000,"template":{"id":11,"external_id":"order-paid","content":"Dear {{contact.name}}","params":[{"key":"{{contact.name}}","value":"Maria"}]}}}}"#,
    );
}

#[test]
fn a_list_has_neither_mode_nor_buttons() {
    let row = |value: &str, title: &str, description: Option<&str>| ListRow {
        callback_data: value.parse().unwrap(),
        title: title.parse().unwrap(),
        description: description.map(|text| text.parse().unwrap()),
    };
    let list = ListMessage {
        header: Some("Pick a time".parse().unwrap()),
        body: "We are open on Friday".parse().unwrap(),
        footer: None,
        button: "Show times".parse().unwrap(),
        sections: vec![ListSection {
            title: "Morning".parse().unwrap(),
            rows: vec![
                row("slot-0900", "09:00", Some("1 hour")),
                row("slot-1000", "10:00", None),
            ],
        }],
    };
    let of_list = |shows_lists: bool| {
        let part = SentList::new(list.clone(), shows_lists);
        let content = OutgoingContent::Text {
            text: part.text().unwrap(),
        };
        OutgoingCallback {
            list: Some(Box::new(part)),
            ..callback(content)
        }
    };
    ends(
        &of_list(true),
        r#""We are open on Friday","markup":{"list_message":{"header":"Pick a time","body":"We are open on Friday","footer":"","button":"Show times","sections":[{"title":"Morning","rows":[{"callback_data":"slot-0900","title":"09:00","description":"1 hour"},{"callback_data":"slot-1000","title":"10:00","description":""}]}]}},"tag":"","media":"","thumbnail":"","file_name":"","file_size":0}}}"#,
    );
    ends(
        &of_list(false),
        r#""Pick a time\nWe are open on Friday\nMorning\n1. 09:00: 1 hour\n2. 10:00","markup":null,"tag":"","media":"","thumbnail":"","file_name":"","file_size":0}}}"#,
    );
    let body = String::from_utf8(v1::body(&of_list(false)).unwrap()).unwrap();
    assert!(body.contains(r"\n1. 09:00: 1 hour\n2. 10:00"), "{body}");
}
