//! The words of a message for the search.

use crate::domain::chat::message::Content;
use crate::domain::conversation::{ConversationEvent, Replied};
use crate::domain::id::{ConversationId, MessageId};
use crate::domain::keys;
use crate::system::System;
use crate::wire::chat_body::stored;
use switchboard_engine::state::Recorded;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// The text of a message in its newest version, with the name of the file or the person in it.
    /// Reads nothing else of it.
    pub(in crate::system) fn said(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Vec<String>, UnavailableError> {
        Ok(
            match self.kernel().record(keys::numbered(conversation, number))? {
                Some(Recorded {
                    event: ConversationEvent::Received(received),
                    blob,
                }) => {
                    let original =
                        || stored::message(&received, &blob).map(|parsed| parsed.content);
                    let content = self.said_since(received.id)?.or_else(original);
                    content.as_ref().map(words).unwrap_or_default()
                }
                Some(Recorded {
                    event: ConversationEvent::Replied(replied),
                    ..
                }) => {
                    let since = self.said_since(replied.id)?;
                    since.map_or_else(|| words_of_reply(&replied), |content| words(&content))
                }
                _ => Vec::new(),
            },
        )
    }

    /// The newest version of a message; `None` when it was never edited.
    fn said_since(&self, message: MessageId) -> Result<Option<Content>, UnavailableError> {
        Ok(match self.kernel().record(keys::edit(message))? {
            Some(Recorded {
                event: ConversationEvent::Edited(edited),
                blob,
            }) => stored::edited(&edited, &blob),
            _ => None,
        })
    }
}

fn words_of_reply(replied: &Replied) -> Vec<String> {
    let text = replied.content.text().to_owned();
    let file = replied.content.file();
    let name = file.map(|file| file.name.as_str().to_owned());
    [text].into_iter().chain(name).collect()
}

fn words(content: &Content) -> Vec<String> {
    let text = content.text().map(|text| text.as_str().to_owned());
    let mut words: Vec<String> = text.into_iter().collect();
    match content {
        Content::Picture { file, .. }
        | Content::Video { file, .. }
        | Content::File { file, .. } => words.push(file.name.as_str().to_owned()),
        Content::Contact { name, phone, .. } => {
            words.push(name.as_str().to_owned());
            words.extend(phone.as_ref().map(|phone| phone.as_str().to_owned()));
        }
        Content::Text { .. }
        | Content::Voice { .. }
        | Content::Audio { .. }
        | Content::Sticker { .. }
        | Content::Location { .. } => {}
    }
    words
}
