//! The lists that a conversation is in: that of its account, and those of the users who follow or answer for it.

use std::collections::BTreeSet;

use crate::account_quota::Volume;
use crate::conversation::{
    Author, Conversation, ConversationEvent, FOLLOWERS_MAX, Mark, Origin, Received,
};
use crate::id::{AccountId, UserId};
use crate::keys;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;

impl Conversation {
    /// Returns whether the author of the next reply is a subscriber, or becomes one. A bot does not.
    pub(super) fn can_be_followed_by(&self, author: &Author) -> bool {
        let author_count = self.followers.difference(&self.mentioned).count();
        let has_room = author_count < FOLLOWERS_MAX;
        !author.is_bot && (has_room || self.followers.contains(&author.user))
    }

    /// The users who have the conversation in a list of their own.
    #[must_use]
    pub fn readers(&self) -> BTreeSet<UserId> {
        let mut readers = self.followers.clone();
        readers.extend(self.responsible);
        readers
    }

    pub(super) fn change_responsible(
        &self,
        responsible: Option<UserId>,
        entries: &mut IndexEntries,
    ) {
        let Some(origin) = &self.origin else { return };
        let mut readers = self.followers.clone();
        readers.extend(responsible);
        let account = origin.scope.account();
        self.move_in_own_lists(account, self.active_at, &readers, entries);
    }

    /// The rows of the users' own lists move to the new time of activity, and to those who have them now.
    pub(super) fn move_in_own_lists(
        &self,
        account: AccountId,
        at: UnixMillis,
        readers: &BTreeSet<UserId>,
        entries: &mut IndexEntries,
    ) {
        let moves = self.active_at != at;
        let row = |user: UserId, at| keys::activity_of_row(account, user, at, self.id);
        let before = self.readers();
        for user in before
            .iter()
            .filter(|user| moves || !readers.contains(user))
        {
            entries.delete(tables::CONVERSATIONS_OF, row(*user, self.active_at));
        }
        for user in readers
            .iter()
            .filter(|user| moves || !before.contains(user))
        {
            entries.insert(tables::CONVERSATIONS_OF, row(*user, at), Vec::new());
        }
    }

    /// Returns the time of the last activity with this message. A history that is imported silently keeps its own
    /// times, so that it does not rise above what is going on.
    pub(super) fn active_after(&self, received: &Received) -> UnixMillis {
        if received.loud {
            received.at
        } else {
            received.written_at.min(received.at).max(self.active_at)
        }
    }

    /// Returns the number of unread messages after this event.
    pub(super) fn unread_after(&self, event: &ConversationEvent) -> u64 {
        if let Some(incoming) = event.as_received() {
            return match (incoming.loud, incoming.is_imported()) {
                // An imported answer: the account has just replied elsewhere.
                (true, true) => 0,
                (true, false) => self.unread.saturating_add(1),
                (false, _) => self.unread,
            };
        }
        if let ConversationEvent::Marked(marked) = event
            && marked.mark == Mark::Unread
        {
            return self.unread.max(1);
        }
        if let ConversationEvent::Condensed(condensed) = event {
            return condensed.state.unread;
        }
        // What a bot answers, no person has read.
        let is_answered = event.as_replied().is_some_and(|it| !it.by.is_bot);
        match is_answered || matches!(event, ConversationEvent::Read(_)) {
            true => 0,
            false => self.unread,
        }
    }

    /// The conversation enters the list of those with unread messages with the first of these, and leaves it.
    pub(super) fn list_unread(
        &self,
        origin: &Origin,
        event: &ConversationEvent,
        entries: &mut IndexEntries,
    ) {
        let row = || keys::unread_row(origin.scope.account(), self.id);
        match (self.unread, self.unread_after(event)) {
            (0, 1..) => entries.put(tables::UNREAD, row(), Vec::new()),
            (1.., 0) => entries.delete(tables::UNREAD, row()),
            (0, 0) | (1.., 1..) => {}
        }
    }

    /// The messages whose failures are dismissed leave the list of failed ones.
    pub(super) fn unlist_failures(&self, origin: &Origin, mark: &Mark, entries: &mut IndexEntries) {
        let Mark::FailuresDismissed(failed) = mark else {
            return;
        };
        for out in failed {
            let row = keys::failed_row(origin.scope.account(), self.id, *out);
            entries.delete(tables::FAILED, row);
        }
    }

    /// The row of the account's list moves to the new time of activity, with what the conversation counts for quotas.
    pub(super) fn move_in_list(
        &self,
        origin: &Origin,
        at: UnixMillis,
        volume: Volume,
        readers: &BTreeSet<UserId>,
        entries: &mut IndexEntries,
    ) {
        let account = origin.scope.account();
        self.move_in_own_lists(account, at, readers, entries);
        if self.messages > 0 && self.active_at != at {
            entries.delete(
                tables::CONVERSATIONS,
                keys::activity_row(account, self.active_at, self.id),
            );
        }
        let (row, content) = (keys::activity_row(account, at, self.id), volume.to_row());
        if self.messages == 0 || self.active_at != at {
            entries.insert(tables::CONVERSATIONS, row, content);
        } else {
            entries.put(tables::CONVERSATIONS, row, content);
        }
    }
}
