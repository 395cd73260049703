//! The people of a world.

use std::error::Error;

use hyper::StatusCode;
use serde_json::{Value, json};
use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::domain::text::MessageText;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::inbox::MessageView;

use super::Host;
use crate::dev::worlds::error::DevError;
use crate::world::PersonError;
use crate::{fixtures, text_of};

/// The longest name of a customer.
const NAME_MAX: usize = 64;

impl Host {
    pub(super) fn say(&mut self, customer: &str, text: &str) -> Result<Value, DevError> {
        check_name(customer)?;
        check_text(text)?;
        let who = self.world.customer(customer);
        let message = who.message(text);
        let receipt = who.try_posts(&message).map_err(|why| unsaid(&why))?;
        Ok(json!({
            "msgid": message.msgid(),
            "message_id": receipt.message,
            "conversation_id": receipt.conversation,
        }))
    }

    pub(super) fn reply(
        &mut self,
        user: &str,
        customer: Option<&str>,
        text: &str,
    ) -> Result<Value, DevError> {
        check_text(text)?;
        check_user(user)?;
        let conversation = self.conversation(customer).ok_or_else(|| {
            DevError::wrong(match customer {
                Some(customer) => format!("the customer {customer} has written nothing yet"),
                None => "no customer has written anything yet".to_owned(),
            })
        })?;
        self.knows(user);
        let receipt = self
            .world
            .user(user)
            .try_replies(conversation, text)
            .map_err(|why| unsaid(&why))?;
        Ok(json!({
            "message_id": receipt.message,
            "conversation_id": receipt.conversation,
        }))
    }

    pub(super) fn messages(&self, customer: &str) -> Result<Value, DevError> {
        let conversation = self.conversation(Some(customer));
        let messages: Vec<_> = conversation
            .map(|id| self.world.messages_in(id))
            .iter()
            .flatten()
            .map(|message| {
                json!({
                    "id": message.id(),
                    "direction": match message {
                        MessageView::In { .. } => "in",
                        MessageView::Out { .. } => "out",
                    },
                    "text": text_of(message),
                })
            })
            .collect();
        Ok(json!({ "messages": messages }))
    }
}

impl Host {
    /// A user acts, perhaps for the first time.
    pub(super) fn knows(&mut self, user: &str) {
        if !self.users.iter().any(|known| known == user) {
            self.users.push(user.to_owned());
            self.is_named_by(user);
        }
    }

    /// The conversation of a customer, or the one with this id of the integration; `None`: the one in which a customer wrote
    /// last.
    pub(super) fn conversation(&self, customer: Option<&str>) -> Option<ConversationId> {
        if let Some(conversation) = customer.and_then(|customer| self.world.conversation(customer))
        {
            return Some(conversation);
        }
        // The program that is tested has posted it.
        let conversations = self.newest_conversations()?;
        let conversation = conversations.iter().find(|it| {
            let id = it.get("client_id").and_then(Value::as_str);
            customer.is_none_or(|customer| id == Some(customer))
        })?;
        id_of(conversation)
    }

    /// The conversations of the world, the newest ones.
    pub(super) fn conversations(&self) -> Vec<ConversationId> {
        let conversations = self.newest_conversations().unwrap_or_default();
        conversations.iter().filter_map(id_of).collect()
    }

    fn newest_conversations(&self) -> Option<Vec<Value>> {
        let mut list = self
            .world
            .request("GET", "/inbox/v1/conversations?limit=250")
            .user("ada")
            .try_send()?
            .json();
        let conversations = list.get_mut("conversations")?.as_array_mut()?;
        Some(std::mem::take(conversations))
    }
}

fn id_of(conversation: &Value) -> Option<ConversationId> {
    conversation.get("id")?.as_str()?.parse().ok()
}

pub(super) fn check_user(name: &str) -> Result<(), DevError> {
    let user = fixtures::administrator(name, "a token").map(drop);
    user.map_err(|why| DevError::wrong(format!("«{name}» is no name of a user: {why}")))
}

/// The name is part of ids.
pub(super) fn check_name(name: &str) -> Result<(), DevError> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
    if !name.is_empty() && name.len() <= NAME_MAX && name.chars().all(is_plain) {
        return Ok(());
    }
    let why = format!(
        "a customer's name has 1 to {NAME_MAX} letters, digits, dots, hyphens or underscores, not «{name}»"
    );
    Err(DevError::wrong(why))
}

fn check_text(text: &str) -> Result<(), DevError> {
    let text = text.parse::<MessageText>().map(drop);
    text.map_err(|why| DevError::wrong(format!("text: {why}")))
}

fn unsaid<R: Error>(why: &PersonError<R>) -> DevError {
    let status = match why {
        PersonError::Refused(CommandError::Rejected(_)) => StatusCode::CONFLICT,
        PersonError::Refused(CommandError::Unavailable(_)) | PersonError::NoAnswer => {
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    DevError::new(status, format!("the world did not take it: {why}"))
}
