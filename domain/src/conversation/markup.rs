//! The newest outgoing message with markup: only its buttons and rows can be pressed.

use crate::chat::press::{Press, PressClue};
use crate::conversation::{Conversation, ConversationEvent};
use crate::keys;
use switchboard_engine::entries::Key;
use switchboard_engine::state::Moment;

impl Conversation {
    /// Takes in an outgoing message with markup.
    pub(super) fn apply_to_markup(&mut self, event: &ConversationEvent) {
        if let Some(replied) = event.as_replied().filter(|replied| replied.has_markup()) {
            self.markup = Some(replied.number);
        }
    }

    /// The key of the message whose buttons a customer's message with this clue may press.
    pub(super) fn pressable(&self, clue: Option<&PressClue>) -> Option<Key> {
        let number = self.markup.filter(|_| clue.is_some())?;
        Some(keys::numbered(self.id, number))
    }

    /// The press that a customer's message with this clue is; the last of the required records is that of
    /// [`Self::pressable`].
    pub(super) fn press(
        &self,
        clue: Option<&PressClue>,
        moment: &Moment<'_, ConversationEvent>,
    ) -> Option<Box<Press>> {
        self.pressable(clue)?;
        let record = moment.earlier.last()?.as_ref()?;
        let replied = record.event.as_replied()?;
        clue?.press_of(replied).map(Box::new)
    }
}

#[cfg(test)]
mod tests;
