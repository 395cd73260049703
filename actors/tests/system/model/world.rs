//! The system and the reference side by side: every step is done to both, and both must answer the same.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::chat::delivery::{
    DeliveryError, DeliveryErrorCode, DeliveryStatus,
};
use switchboard_actors::domain::conversation::reply::ReplyRejection;
use switchboard_actors::domain::conversation::report_delivery::{ReportEffect, ReportRejection};
use switchboard_actors::domain::id::{ContactId, ConversationId, MessageId, PersonId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::{ConnectedScopeError, SendRejection};
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::user_access::AnswerRejection;
use switchboard_worlds::{FaultyDisk, IntegrationError, Setup, TestMessage, TestSystem};

use super::reference::{Line, ModelRejection, Post, Reference, Status, Taken};

pub(crate) struct World {
    test: TestSystem,
    disk: FaultyDisk,
    reference: Reference,
    /// The service's ids of the conversations, people and answers of the reference, by their places.
    conversations: Vec<ConversationId>,
    people: Vec<PersonId>,
    outs: Vec<MessageId>,
    /// The service's ids of all messages, by conversation and line.
    messages: BTreeMap<(usize, usize), MessageId>,
    test_messages: Vec<(Post, TestMessage)>,
    history: History,
}

/// The steps so far; printed when a test fails.
struct History(Vec<String>);

impl Drop for History {
    fn drop(&mut self) {
        if std::thread::panicking() {
            #[expect(
                clippy::print_stdout,
                reason = "the test harness shows it when the test fails"
            )]
            {
                println!("the history that failed: {:#?}", self.0);
            }
        }
    }
}

impl World {
    pub(crate) async fn new(seed: u64) -> Self {
        let disk = FaultyDisk::new();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.idle_after = Duration::from_secs(60);
        // Small, so that some histories go through checkpoints.
        setup.config.checkpoint_records = 4 + seed % 40;
        let test = setup.start().await;
        test.disconnect(&test.scope).await.unwrap();
        Self {
            test,
            disk,
            reference: Reference::default(),
            conversations: Vec::new(),
            people: Vec::new(),
            outs: Vec::new(),
            messages: BTreeMap::new(),
            test_messages: Vec::new(),
            history: History(vec![format!(
                "SEED={seed} cargo test --workspace --test system short_histories_1"
            )]),
        }
    }

    pub(crate) fn note(&mut self, step: String) {
        self.history.0.push(step);
    }

    /// Returns the numbers of conversations, people and answers.
    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        let reference = &self.reference;
        (reference.threads.len(), reference.people(), self.outs.len())
    }

    pub(crate) fn test_messages(&self) -> usize {
        self.test_messages.len()
    }

    pub(crate) async fn connect(&mut self) {
        let request = TestSystem::connect_request();
        let connected = self.test.connect(&TestSystem::channel_id(), request).await;
        assert_eq!(connected.unwrap().0, self.test.scope);
        self.reference.connected = true;
    }

    pub(crate) async fn disconnect(&mut self) {
        self.test.disconnect(&self.test.scope).await.unwrap();
        self.reference.connected = false;
    }

    pub(crate) async fn receive(&mut self, post: Post) {
        let test_message = self.message(post);
        self.test_messages.push((post, test_message));
        self.repeat(self.test_messages.len() - 1).await;
    }

    pub(crate) async fn repeat(&mut self, test_message: usize) {
        let (post, test_message) = self.test_messages[test_message].clone();
        let answer = self.test.post(&test_message).await;
        let model_answer = self.reference.receive(post);
        match (answer, model_answer) {
            (Ok(accepted), Ok(taken)) => {
                self.know(
                    taken,
                    (accepted.conversation, accepted.sender, accepted.message),
                );
            }
            (
                Err(CommandError::Rejected(IntegrationError::NotConnected(_))),
                Err(ModelRejection::NotConnected),
            ) => {}
            (
                Err(CommandError::Rejected(IntegrationError::Said(SendRejection::AlreadyExists))),
                Err(ModelRejection::AlreadyExists),
            ) => {}
            (answered, expected) => panic!("{answered:?} is not {expected:?}"),
        }
    }

    /// New ids are learnt, known ones must be the same.
    fn know(&mut self, taken: Taken, ids: (ConversationId, PersonId, MessageId)) {
        let (conversation, person, message) = ids;
        if taken.conversation == self.conversations.len() {
            self.conversations.push(conversation);
        }
        if taken.person == self.people.len() {
            self.people.push(person);
        }
        assert_eq!(self.conversations[taken.conversation], conversation);
        assert_eq!(self.people[taken.person], person);
        let place = (taken.conversation, taken.line);
        assert_eq!(*self.messages.entry(place).or_insert(message), message);
    }

    pub(crate) async fn reply(&mut self, thread: usize) {
        let conversation = self.conversations[thread];
        let text = format!("answer {}", self.outs.len());
        let answer = self.test.ada().replies(conversation, &text).await;
        match (answer, self.reference.reply(thread)) {
            (Ok(replied), Ok(out)) => {
                assert_eq!(out, self.outs.len());
                self.outs.push(replied.id);
                self.messages.insert(self.reference.outs[out], replied.id);
            }
            (
                Err(CommandError::Rejected(AnswerRejection::Reply(ReplyRejection::NotConnected))),
                Err(ModelRejection::NotConnected),
            ) => {}
            (answered, expected) => panic!("{answered:?} is not {expected:?}"),
        }
    }

    pub(crate) async fn report(&mut self, out: usize, status: Status) {
        let test = &self.test;
        let reported = test.reports(self.outs[out], stored(status)).await;
        match (reported, self.reference.report(out, status)) {
            (Ok(effect), Ok(changes)) => assert_eq!(effect == ReportEffect::Changed, changes),
            (
                Err(CommandError::Rejected(IntegrationError::NotConnected(_))),
                Err(ModelRejection::NotConnected),
            ) => {}
            (reported, expected) => panic!("{reported:?} is not {expected:?}"),
        }
    }

    /// Neither a message that never was nor a customer's message can be reported on.
    pub(crate) async fn report_on_unknown(&mut self) {
        let customers = self
            .messages
            .iter()
            .find(|(place, _)| !self.reference.outs.contains(place));
        let never = MessageId::from_random([7; 16]);
        let message = customers.map_or(never, |(_, message)| *message);
        let test = &self.test;
        let reported = test.reports(message, DeliveryStatus::Read).await;
        let reason = if self.reference.connected {
            IntegrationError::Said(ReportRejection::MessageNotFound)
        } else {
            IntegrationError::NotConnected(ConnectedScopeError)
        };
        assert_eq!(reported, Err(CommandError::Rejected(reason)));
    }

    pub(crate) async fn bind_to_unknown(&mut self) {
        let test_message =
            TestMessage::new("m-x", "hello").bound_to(ConversationId::from_random([9; 16]));
        let answer = self.test.post(&test_message).await;
        let reason = if self.reference.connected {
            IntegrationError::Said(SendRejection::UnknownConversation)
        } else {
            IntegrationError::NotConnected(ConnectedScopeError)
        };
        assert_eq!(answer, Err(CommandError::Rejected(reason)));
    }

    /// So much time passes that every actor has left memory.
    pub(crate) async fn idle(&mut self) {
        for _ in 0..3 {
            self.test.setup.clock.advance(Duration::from_secs(61));
            tokio::task::yield_now().await;
        }
    }

    pub(crate) async fn restart(mut self) -> Self {
        self.test = self.test.restart().await;
        self
    }

    /// The power goes; nothing is in progress.
    pub(crate) fn crash(mut self, seed: u64) -> Self {
        self.disk = self.disk.crash(seed);
        let mut setup = self.test.setup.clone();
        setup.disk = Arc::new(self.disk.clone());
        drop(self.test);
        self.test = setup.start_bare().unwrap();
        self
    }

    pub(crate) async fn end(self) {
        self.test.stop().await;
    }

    fn message(&self, post: Post) -> TestMessage {
        let mut test_message =
            TestMessage::new(&format!("m-{}", post.msgid), &format!("text {}", post.text))
                .in_conversation(&format!("c-{}", post.conversation))
                .by(&format!("u-{}", post.sender));
        if !post.loud {
            test_message = test_message.silent();
        }
        if let Some(thread) = post.conversation_ref {
            test_message = test_message.bound_to(self.conversations[thread]);
        }
        if let Some(person) = post.sender_ref {
            test_message = test_message.by_person(self.people[person]);
        }
        test_message
    }

    /// Everything that can be seen is as the reference has it.
    pub(crate) async fn compare(&self) {
        let (test, reference) = (&self.test, &self.reference);
        let connection = test.connection(&test.scope).await.unwrap();
        assert_eq!(connection.is_some(), reference.connected);

        let conversations = test.whole().conversations().await.unwrap();
        assert_eq!(conversations.len(), reference.threads.len());
        for (place, thread) in reference.threads.iter().enumerate() {
            let id = self.conversations[place];
            let view = conversations
                .iter()
                .find(|view| view.state.id == id)
                .unwrap();
            assert_eq!(view.state.unread, thread.unread);
            let messages = test.messages_of(id).await;
            assert_eq!(messages.len(), thread.lines.len());
            for (at, (message, line)) in messages.iter().zip(&thread.lines).enumerate() {
                assert_eq!(self.messages[&(place, at)], message.id());
                self.compare_line(at, message, line);
            }
            let lead = reference.leads.iter().position(|(of, _)| *of == place);
            let number = lead.map(|lead| u64::try_from(lead).unwrap() + 1);
            assert_eq!(view.lead.as_ref().map(|lead| lead.id.0), number);
        }

        let leads = test.leads().await;
        assert_eq!(leads.len(), reference.leads.len());
        for (lead, (thread, contact)) in leads.iter().zip(&reference.leads) {
            assert_eq!(lead.conversation(), Some(self.conversations[*thread]));
            let contact = ContactId(u64::try_from(*contact).unwrap() + 1);
            assert_eq!(lead.contact, Some(contact));
        }
        for (contact, person) in (1..).zip(&reference.contacts) {
            let contact = test
                .whole()
                .contact(ContactId(contact))
                .await
                .unwrap()
                .unwrap();
            assert_eq!(contact.person, Some(self.people[*person]));
        }
        self.compare_callbacks();
    }

    fn compare_line(&self, at: usize, message: &MessageView, line: &Line) {
        match (message, line) {
            (MessageView::In { received, raw, .. }, Line::In { post, person }) => {
                assert_eq!(received.number, u64::try_from(at).unwrap() + 1);
                assert_eq!(*raw, self.message(*post).body());
                assert_eq!(
                    (received.loud, received.from),
                    (post.loud, self.people[*person])
                );
            }
            (
                MessageView::Out {
                    replied,
                    afterwards,
                    ..
                },
                Line::Out {
                    number,
                    to,
                    status: expected,
                },
            ) => {
                assert_eq!(replied.number, u64::try_from(at).unwrap() + 1);
                assert_eq!(replied.content.text(), format!("answer {number}"));
                assert_eq!(replied.to.person, self.people[*to]);
                assert_eq!(afterwards.status, expected.map(stored));
            }
            (message, line) => panic!("{message:?} is not {line:?}"),
        }
    }

    /// Only answers leave, and those of one conversation for the first time in their order.
    fn compare_callbacks(&self) {
        let mut first: Vec<MessageId> = Vec::new();
        for attempt in self.test.setup.sender.attempts() {
            if !first.contains(&attempt.message) {
                first.push(attempt.message);
            }
        }
        let mut last_of_thread = BTreeMap::new();
        for message in first {
            let out = self.outs.iter().position(|out| *out == message).unwrap();
            let (thread, line) = self.reference.outs[out];
            let before = last_of_thread.insert(thread, line);
            assert!(before.is_none_or(|before| before < line));
        }
    }
}

fn stored(status: Status) -> DeliveryStatus {
    match status {
        Status::Delivered => DeliveryStatus::Delivered,
        Status::Read => DeliveryStatus::Read,
        Status::Error => {
            DeliveryStatus::Error(DeliveryError::new(DeliveryErrorCode::ServerError, None).unwrap())
        }
    }
}
