//! Events about the team: what it writes besides messages, and who is here.

use switchboard_actors::domain::account::presence::Presence;
use switchboard_actors::domain::conversation::Mentioned;
use switchboard_actors::domain::drafts::draft::DraftKind;
use switchboard_actors::domain::id::{CannedReplyId, ConversationId, SavedViewId, UserId};
use switchboard_actors::domain::scheduled::ScheduledChange;

use crate::inbox::scheduled_replies::ScheduledReplyView;
use crate::inbox::team_notes::NoteView;

view! {
    pub(super) struct EventNote<'e>(conversation: ConversationId, note: NoteView<'e>) {
        conversation_id: ConversationId = conversation,
        note: NoteView<'e> = note,
    }

    pub(super) struct EventScheduledReply<'e>(
        conversation: ConversationId,
        change: ScheduledChange,
        reply: ScheduledReplyView<'e>
    ) {
        conversation_id: ConversationId = conversation,
        change: ScheduledChange = change,
        scheduled_reply: ScheduledReplyView<'e> = reply,
    }

    /// A note of the team mentions the listener.
    pub(super) struct EventMention(conversation: ConversationId, mentioned: &Mentioned) {
        conversation_id: ConversationId = conversation,
        /// The number of the note.
        note_number: Option<u64> = mentioned.note,
        /// The writer of the note.
        user_id: UserId = mentioned.by,
    }

    pub(super) struct EventDraft(conversation: ConversationId, kind: DraftKind, number: u64) {
        conversation_id: ConversationId = conversation,
        #[schemars(with = "&str", extend("enum" = ["reply", "note"]))]
        kind: DraftKind = kind,
        /// The number of the version that is stored.
        number: u64 = number,
    }

    /// A user is here, or away. A page that was away for a while reads the users again.
    pub(super) struct EventPresence(user: UserId, presence: Presence) {
        user_id: UserId = user,
        presence: Presence = presence,
    }

    /// Read it again: one that is gone, or no longer the caller's, is a 404 then.
    pub(super) struct EventCannedReply(id: CannedReplyId) {
        canned_reply_id: CannedReplyId = id,
    }

    /// Read it again: one that is gone is a 404 then.
    pub(super) struct EventView(id: SavedViewId) {
        view_id: SavedViewId = id,
    }
}
