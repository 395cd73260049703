//! A note about a lead or a contact.

use serde::Serialize;

use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::note::{Note, NoteType};
use crate::domain::text::Name;
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::writer::FormWriter;

/// The counterpart's number of a note that a user typed, and of one that a service says.
const TEXT: u8 = 4;
const SERVICE: u8 = 25;
/// The counterpart's number of the way a note came: a user wrote it.
const WRITTEN: u8 = 1;

/// A new note.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoteItem<'r> {
    pub(super) note: &'r Note,
    /// The name of the user who wrote it.
    pub(super) author: Option<&'r Name>,
}

/// The `metadata` of a note: JSON in a text.
#[derive(Serialize)]
struct Metadata<'n> {
    event_source: EventSource<'n>,
}

#[derive(Serialize)]
struct EventSource<'n> {
    r#type: u8,
    author_name: &'n str,
}

impl NoteItem<'_> {
    pub(super) fn write(&self, account: &HookAccount<'_>, form: &mut FormWriter) {
        let note = self.note;
        form.within("note", |form| {
            form.put("text", &note.content.text);
            // The counterpart spells it so.
            form.put("attachement", "");
            form.put("note_type", type_number(note.content.kind.note_type()));
            form.put("element_type", element_number(note.about.kind));
            form.put("element_id", note.about.id);
            form.put("account_id", account.number);
            form.put("metadata", self.metadata());
            form.put("id", note.id);
            form.put("created_at", note.authorship.created_at.secs());
            form.put("updated_at", note.authorship.updated_at.secs());
        });
    }

    /// The author as receivers know them: the service that says it, else the integration that acted for a user, else the user.
    fn metadata(&self) -> String {
        let client = self.note.authorship.created_by_client.as_ref();
        let service = self.note.content.kind.service();
        let name_of_client = client.map(|client| &client.name);
        let author = service.or(name_of_client).or(self.author);
        let metadata = Metadata {
            event_source: EventSource {
                r#type: WRITTEN,
                author_name: author.map_or("", Name::as_str),
            },
        };
        serde_json::to_string(&metadata).unwrap_or_default()
    }
}

fn type_number(note_type: NoteType) -> u8 {
    match note_type {
        NoteType::Common => TEXT,
        NoteType::ServiceMessage | NoteType::ExtendedServiceMessage => SERVICE,
    }
}

/// The counterpart's number of a kind of entry.
pub(super) fn element_number(kind: EntityKind) -> u8 {
    match kind {
        EntityKind::Contacts => 1,
        EntityKind::Leads => 2,
    }
}
