//! The time window of a channel: account users write freely for some hours after the customer wrote.

use crate::conversation::{Conversation, ConversationEvent};
use crate::installation::channels::settings::WindowHours;
use crate::time::UnixMillis;

impl Conversation {
    /// Takes in a message of the customer. Imported and silent ones are history: they open no window, and hold no scheduled
    /// reply.
    pub(super) fn apply_to_window(&mut self, event: &ConversationEvent) {
        let message = event.as_received();
        if let Some(message) = message.filter(|it| it.loud && !it.is_imported()) {
            self.heard = Some(message.number);
            self.heard_at = Some(message.at);
        }
    }

    /// Returns the time at which a window of so many hours closes; 0 when the customer has never written.
    #[must_use]
    pub fn window_closes_at(&self, hours: WindowHours) -> UnixMillis {
        let heard_at = self.heard_at;
        heard_at.map_or(UnixMillis::ZERO, |at| at.plus(hours.duration()))
    }

    /// Returns whether a window of so many hours is closed.
    #[must_use]
    pub fn is_outside_window(&self, hours: WindowHours, now: UnixMillis) -> bool {
        self.window_closes_at(hours) <= now
    }
}
