//! Imports, edits, reactions and chats without messages: what was answered is there after every crash.
use crate::images::PicturedDisk;
use bytes::Bytes;
use switchboard_actors::Threads;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::message::PostedMessage;
use switchboard_actors::domain::chat::reaction::ReactionKind;
use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::domain::target::{ConversationRef, PersonRef};
use switchboard_actors::system::chat::{ChatRequest, ReactRequest};
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::wire::chat_body::send::{self, Posted};
use switchboard_actors::wire::chat_body::{Rules, stored};
use switchboard_worlds::{Setup, TestSystem};

fn posted(test: &TestSystem, body: &str) -> (Posted, Bytes) {
    let message = send::parse_event(body.as_bytes(), Rules::Current, test.now()).unwrap();
    (message, Bytes::copy_from_slice(body.as_bytes()))
}

fn message(posted: Posted) -> PostedMessage {
    match posted {
        Posted::Message(message) => *message,
        Posted::Edit(edit) => panic!("{edit:?}"),
    }
}

/// Writes one of everything, and gives the conversation.
async fn written(test: &TestSystem) -> ConversationId {
    let bot = test.bot_of(&TestSystem::channel_id());
    let import = format!(
        r#"{{"event_type":"new_message","payload":{{"timestamp":1500000000,"msgid":"m","conversation_id":"c","sender":{{"ref_id":"{bot}"}},"receiver":{{"id":"u","name":"Grace"}},"message":{{"type":"text","text":"first"}},"source":{{"external_id":"shop"}}}}}}"#
    );
    let (import, raw) = posted(test, &import);
    let import = message(import);
    let request = ChatRequest {
        conversation_id: "c".parse().unwrap(),
        source: None,
        user: import.receiver.clone().unwrap(),
    };
    let chat = test
        .open_chat(test.connection_now().await, request)
        .await
        .unwrap();
    let acceptance = test
        .send_message(test.connection_now().await, import, raw)
        .await
        .unwrap();
    assert_eq!(acceptance.conversation, chat.conversation);
    assert_eq!(acceptance.receiver, Some(chat.person));
    let edit = r#"{"event_type":"edit_message","payload":{"timestamp":1500000001,"msgid":"m","conversation_id":"c","message":{"type":"text","text":"second","delivery_status":{"status_code":2}}}}"#;
    let (Posted::Edit(edit), raw) = posted(test, edit) else {
        panic!("an edit")
    };
    test.edit(test.connection_now().await, *edit, raw)
        .await
        .unwrap();
    let react = ReactRequest {
        conversation: ConversationRef {
            id: None,
            ref_id: Some(chat.conversation),
        },
        id: Some(acceptance.message),
        msgid: None,
        user: PersonRef {
            id: Some("u".parse().unwrap()),
            ref_id: None,
        },
        kind: ReactionKind::React,
        emoji: None,
    };
    test.react(test.connection_now().await, react)
        .await
        .unwrap();
    chat.conversation
}

async fn compare(test: &TestSystem, conversation: ConversationId) {
    let messages = test.messages_of(conversation).await;
    let [
        MessageView::In {
            received,
            raw,
            afterwards,
        },
    ] = messages.as_slice()
    else {
        panic!("one message: {messages:?}")
    };
    assert!(received.is_imported() && stored::message(received, raw).is_some());
    let (edited, raw) = afterwards.edit.as_ref().unwrap();
    let content = stored::edited(edited, raw).unwrap();
    assert_eq!(content.text().unwrap().as_str(), "second");
    assert_eq!(afterwards.status, Some(DeliveryStatus::Read));
    assert_eq!(afterwards.reactions.len(), 1);
    let view = test.whole().conversation(conversation).await;
    let state = view.unwrap().unwrap().state;
    assert_eq!(state.customer.unwrap().name.as_str(), "Grace");
    assert_eq!(state.source.unwrap().as_str(), "shop");
    assert_eq!(state.messages, 1);
    assert!(test.leads().await.is_empty());
}

#[actix::test]
async fn acknowledged_requests_survive_every_crash() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let disk = PicturedDisk::default();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.threads = threads;
        let test = setup.start().await;
        let conversation = written(&test).await;
        compare(&test, conversation).await;
        for seed in 0..6 {
            let after = Setup::on_disk(disk.crash(seed)).start_bare().unwrap();
            compare(&after, conversation).await;
        }
        test.stop().await;
    }
}

#[actix::test]
async fn repeating_every_request_changes_nothing() {
    let test = TestSystem::start().await;
    let conversation = written(&test).await;
    let before = test.counts().durable;
    assert_eq!(written(&test).await, conversation);
    compare(&test, conversation).await;
    assert_eq!(test.counts().durable, before);
    test.stop().await;
}
