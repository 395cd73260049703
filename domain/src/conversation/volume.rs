//! The volume of the messages of a conversation for the quotas of its account. The row of the conversation in the list
//! of the account has it too, so that the account's sum needs no look at conversations.

use crate::account_quota::Volume;
use crate::chat::fetch::FetchResult;
use crate::conversation::{Conversation, ConversationEvent};
use crate::keys;
use crate::tables;
use switchboard_engine::entries::IndexEntries;

impl Conversation {
    /// Returns the volume after an event.
    pub(super) fn volume_after(&self, event: &ConversationEvent) -> Volume {
        let mut volume = self.volume;
        if let Some(incoming) = event.as_received() {
            volume.count(incoming.at, 0);
        } else if let Some(replied) = event.as_replied() {
            let file = replied.content.file();
            volume.count(replied.at, file.map_or(0, |file| file.size.bytes()));
            if replied.by.is_bot {
                volume.count_bot();
            }
        } else if let ConversationEvent::Fetched(fetched) = event {
            let result = fetched.seen.as_ref();
            volume.count_file(result.map_or(0, FetchResult::copied_bytes));
        } else if let ConversationEvent::Condensed(condensed) = event {
            volume = condensed.state.volume;
        }
        volume
    }

    /// The row in the list of the account counts the copy of a file that was made.
    pub(super) fn list_copy(&self, event: &ConversationEvent, entries: &mut IndexEntries) {
        let volume = self.volume_after(event);
        if let Some(origin) = &self.origin
            && self.messages > 0
            && volume != self.volume
        {
            let row = keys::activity_row(origin.scope.account(), self.active_at, self.id);
            entries.put(tables::CONVERSATIONS, row, volume.to_row());
        }
    }
}
