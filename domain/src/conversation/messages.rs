//! The effect of messages on a conversation.

use crate::conversation::{Conversation, ConversationEvent, Received, Replied};
use crate::keys;
use switchboard_engine::entries::IndexEntries;

impl Conversation {
    /// Takes in a message of the customer, or one that the integration imported.
    pub(super) fn apply_received(&mut self, received: &Received, event: &ConversationEvent) {
        self.messages = received.number;
        if received.loud {
            self.spoken = received.number;
        }
        self.unread = self.unread_after(event);
        self.active_at = self.active_after(received);
        if received.is_imported() {
            self.answers.note(received.number, None);
        }
        if let Some(source) = &received.source {
            self.source = Some(source.clone());
        }
        if let Some(post) = &received.post {
            self.post = Some(post.clone());
        }
        if let Some(origin) = &received.origin {
            self.origin = Some(origin.clone());
        }
        if let Some(customer) = &received.customer {
            self.customer = Some(customer.clone());
        }
    }

    /// Makes a message of the customer, or an imported one, findable.
    pub(super) fn index_received(
        &self,
        received: &Received,
        event: &ConversationEvent,
        entries: &mut IndexEntries,
    ) {
        entries.key(keys::msgid(self.id, &received.msgid));
        entries.key(keys::message(received.id));
        entries.key(keys::numbered(self.id, received.number));
        if let Some(press) = &received.pressed {
            entries.key(keys::pressed(press.message));
        }
        let Some(origin) = received.origin.as_ref().or(self.origin.as_ref()) else {
            return;
        };
        if let Some(customer) = received.customer.as_ref().or(received.to.as_deref()) {
            entries.key(keys::person(&origin.scope, customer.person));
        }
        if let Some(customer) = &received.customer {
            self.list_addresses(origin.scope.account(), customer, entries);
        }
        let at = self.active_after(received);
        let volume = self.volume_after(event);
        self.move_in_list(origin, at, volume, &self.readers(), entries);
        self.list_unread(origin, event, entries);
        self.list_files(origin, received, entries);
    }

    /// Takes in a message of an account user or a program.
    pub(super) fn apply_replied(&mut self, replied: &Replied, event: &ConversationEvent) {
        self.messages = replied.number;
        self.spoken = replied.number;
        self.outgoing = replied.out;
        self.unread = self.unread_after(event);
        self.active_at = replied.at;
        self.answers.note(replied.number, replied.by.person_user());
        if self.origin.is_none() {
            self.origin = Some(replied.origin());
            self.customer = Some(replied.to.clone());
        }
        if self.can_be_followed_by(&replied.by) {
            self.followers.insert(replied.by.user);
        }
    }
}
