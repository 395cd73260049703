//! A customer's message as an integration posts it: valid as it is made, changed in one respect by each test.

use std::fmt;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use switchboard_actors::domain::id::{ConversationId, PersonId};

/// The body of a customer's message. A text, aloud, unless it is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestMessage {
    msgid: String,
    conversation: String,
    sender: String,
    name: Option<String>,
    text: String,
    silent: bool,
    conversation_ref: Option<ConversationId>,
    sender_ref: Option<PersonId>,
    phone: Option<String>,
    written: u64,
}

impl TestMessage {
    /// A text with the integration's id `msgid`, in the conversation `c-1`, by the person `u-1`.
    #[must_use]
    pub fn new(msgid: &str, text: &str) -> Self {
        Self {
            msgid: msgid.to_owned(),
            conversation: "c-1".to_owned(),
            sender: "u-1".to_owned(),
            name: None,
            text: text.to_owned(),
            silent: false,
            conversation_ref: None,
            sender_ref: None,
            phone: None,
            written: 1_700_000_000,
        }
    }

    /// A text of the customer with this name, who has a conversation of their own: the name is part of the ids of both, and
    /// the sender is called by it.
    #[must_use]
    pub fn from_customer(customer: &str, msgid: &str, text: &str) -> Self {
        Self::new(msgid, text)
            .in_conversation(&format!("c-{customer}"))
            .by(&format!("u-{customer}"))
            .named(customer)
    }

    /// The integration's id of it.
    #[must_use]
    pub fn msgid(&self) -> &str {
        &self.msgid
    }

    /// In this conversation, by the integration's id.
    #[must_use]
    pub fn in_conversation(mut self, id: &str) -> Self {
        id.clone_into(&mut self.conversation);
        self
    }

    /// By this person, by the integration's id.
    #[must_use]
    pub fn by(mut self, id: &str) -> Self {
        id.clone_into(&mut self.sender);
        self
    }

    /// By a person of this name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Imported history: no user is notified, and no lead is opened.
    #[must_use]
    pub fn silent(mut self) -> Self {
        self.silent = true;
        self
    }

    /// With `conversation_ref_id`: in this conversation of the service, whatever the integration calls it.
    #[must_use]
    pub fn bound_to(mut self, conversation: ConversationId) -> Self {
        self.conversation_ref = Some(conversation);
        self
    }

    /// With `sender.ref_id`: by this person of the service, whatever the integration calls them.
    #[must_use]
    pub fn by_person(mut self, person: PersonId) -> Self {
        self.sender_ref = Some(person);
        self
    }

    /// With a phone number in the sender's profile.
    #[must_use]
    pub fn with_phone(mut self, phone: &str) -> Self {
        self.phone = Some(phone.to_owned());
        self
    }

    /// Written at this second of Unix time.
    #[must_use]
    pub fn written_at(mut self, seconds: u64) -> Self {
        self.written = seconds;
        self
    }

    /// Returns whether the other one is a retry of it: the same person says the same under the same ids. Everything
    /// else may differ.
    #[must_use]
    pub fn is_retried_by(&self, other: &Self) -> bool {
        let content = |message: &Self| {
            (
                message.msgid.clone(),
                message.conversation.clone(),
                message.sender.clone(),
                message.sender_ref,
                message.text.clone(),
            )
        };
        content(self) == content(other)
    }

    /// The body, byte by byte as it is signed; the same letter always has the same bytes.
    #[must_use]
    pub fn body(&self) -> Bytes {
        let mut sender = Map::new();
        sender.insert("id".to_owned(), json!(self.sender));
        let name = self
            .name
            .clone()
            .unwrap_or_else(|| format!("Name of {}", self.sender));
        sender.insert("name".to_owned(), json!(name));
        sender.insert("avatar".to_owned(), json!("https://example.com/a.png"));
        if let Some(person) = self.sender_ref {
            sender.insert("ref_id".to_owned(), json!(person.to_string()));
        }
        if let Some(phone) = &self.phone {
            sender.insert("profile".to_owned(), json!({ "phone": phone }));
        }
        let mut payload = Map::new();
        payload.insert("timestamp".to_owned(), json!(self.written));
        payload.insert("msgid".to_owned(), json!(self.msgid));
        payload.insert("conversation_id".to_owned(), json!(self.conversation));
        if let Some(conversation) = self.conversation_ref {
            let id = json!(conversation.to_string());
            payload.insert("conversation_ref_id".to_owned(), id);
        }
        payload.insert("sender".to_owned(), Value::Object(sender));
        let message = json!({ "type": "text", "text": self.text });
        payload.insert("message".to_owned(), message);
        payload.insert("silent".to_owned(), json!(self.silent));
        let body = json!({ "event_type": "new_message", "payload": payload });
        Bytes::from(body.to_string())
    }
}

impl fmt::Display for TestMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let silent = if self.silent { ", silently" } else { "" };
        write!(f, "{:?} ({}{silent})", self.text, self.msgid)
    }
}
