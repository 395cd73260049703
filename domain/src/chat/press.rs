//! Presses: a customer presses a button of a message, or chooses a row of its list.
//!
//! The integration posts an ordinary message. It is a press when it has the text of a button, or the value of a row, of the
//! newest message with markup.

use serde::{Deserialize, Serialize};

use crate::chat::message::{Announce, Content, PostedMessage};
use crate::conversation::Replied;
use crate::id::MessageId;
use crate::text::{ButtonText, CallbackData};

/// The press that a customer's message is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Press {
    /// The outgoing message with the button.
    pub message: MessageId,
    /// The text of the button, or the title of the row.
    pub text: ButtonText,
}

/// The parts of a customer's message that may be a press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressClue {
    /// The whole text, when it is short enough for a button.
    pub text: Option<ButtonText>,
    /// The value of the row of a list.
    pub row: Option<CallbackData>,
}

impl PressClue {
    /// The clue in a message of a customer; `None` when the message is imported, silent, or has neither.
    #[must_use]
    pub fn from_message(message: &PostedMessage) -> Option<Self> {
        let is_ordinary = message.receiver.is_none() && message.announce == Announce::Aloud;
        let text = match &message.content {
            Content::Text { text } => text.as_str().parse().ok(),
            Content::Picture { .. }
            | Content::Video { .. }
            | Content::File { .. }
            | Content::Voice { .. }
            | Content::Audio { .. }
            | Content::Sticker { .. }
            | Content::Contact { .. }
            | Content::Location { .. } => None,
        };
        let row = message.callback_data.clone();
        let has_any = text.is_some() || row.is_some();
        (is_ordinary && has_any).then_some(Self { text, row })
    }

    /// The press of this message; `None` when none of its buttons and rows is meant.
    #[must_use]
    pub fn press_of(&self, replied: &Replied) -> Option<Press> {
        let mut buttons = replied.buttons().iter();
        let is_pressed = |text: &ButtonText| Some(text) == self.text.as_ref();
        let button = buttons.find(|it| it.url.is_none() && is_pressed(&it.text));
        let row = || {
            let mut rows = replied.shown_list()?.rows();
            let row = rows.find(|row| Some(&row.callback_data) == self.row.as_ref())?;
            row.title.as_str().parse().ok()
        };
        let text = button.map(|button| button.text.clone()).or_else(row)?;
        Some(Press {
            message: replied.id,
            text,
        })
    }
}
