//! The descriptions of the operations on notes.

use serde_json::json;
use switchboard_actors::wire::account_body::batch::Called;
use switchboard_actors::wire::account_body::items::{self, ENTRIES_MAX};
use switchboard_actors::wire::account_body::notes::{ChangedNote, NewNote, NoteAbout};
use switchboard_actors::wire::body::Body;

use super::{FILTERS, NoteMade, NoteView};
use crate::account::unkept;
use crate::openapi::{Field, Operation, Schema};

const HIDDEN: &str = "There is none that the caller may see.";
const NOT_EDITOR: &str = "The caller may not edit what the note is about.";

fn list(operation: Operation) -> Operation {
    operation
        .filtered(&FILTERS)
        .answers_page::<NoteView<'_>>("notes")
        .or_nothing()
}

fn add(operation: Operation, about: Option<Field>) -> Operation {
    let mut example = json!([{ "note_type": "common", "params": { "text": "Wants tulips." } }]);
    if about.is_some()
        && let Some(note) = example.get_mut(0).and_then(|note| note.as_object_mut())
    {
        note.insert("entity_id".to_owned(), json!(1));
    }
    let fields = about
        .into_iter()
        .chain(NewNote::fields())
        .chain(Called::fields());
    operation
        .says("The body may also be a single note, or an object of notes by number.")
        .body(items::schema(fields, ENTRIES_MAX), example)
        .answers_several::<NoteMade<'_>>(200, &unkept::NOTES.answer("On disk."), "notes")
        .refuses(403, NOT_EDITOR)
}

fn edit(operation: Operation) -> Operation {
    operation
        .path("note", Schema::number())
        .refuses(404, HIDDEN)
        .takes::<ChangedNote>(json!({ "params": { "text": "Wants roses." } }))
        .gives_hal::<NoteView<'_>>(200, &unkept::NOTES.answer("The note as it is now."))
        .refuses(403, NOT_EDITOR)
}

fn of_one(operation: Operation) -> Operation {
    operation.path("id", Schema::number()).refuses(404, HIDDEN)
}

fn about(says: &str) -> Option<Field> {
    let mut fields = NoteAbout::fields().into_iter();
    fields.next().map(|field| field.described(&[says]))
}

pub(crate) fn describe_list_all_of_leads() -> Operation {
    list(Operation::leads("listLeadNotes", "List notes about leads."))
}

pub(crate) fn describe_list_all_of_contacts() -> Operation {
    list(Operation::leads(
        "listContactNotes",
        "List notes about contacts.",
    ))
}

pub(crate) fn describe_list_of_lead() -> Operation {
    of_one(list(Operation::leads(
        "listNotesOfLead",
        "List the notes about a lead.",
    )))
}

pub(crate) fn describe_list_of_contact() -> Operation {
    let operation = Operation::leads("listNotesOfContact", "List the notes about a contact.");
    of_one(list(operation))
}

pub(crate) fn describe_post_to_leads() -> Operation {
    let operation = Operation::leads("createLeadNotes", "Create notes about leads (atomic).");
    add(operation, about("A lead that the caller may see."))
}

pub(crate) fn describe_post_to_contacts() -> Operation {
    let operation = Operation::leads(
        "createContactNotes",
        "Create notes about contacts (atomic).",
    );
    add(operation, about("A contact that the caller may see."))
}

pub(crate) fn describe_post_to_lead() -> Operation {
    let operation = Operation::leads("createNotesOfLead", "Create notes about a lead (atomic).");
    of_one(add(operation, None))
}

pub(crate) fn describe_post_to_contact() -> Operation {
    let operation = Operation::leads(
        "createNotesOfContact",
        "Create notes about a contact (atomic).",
    );
    of_one(add(operation, None))
}

pub(crate) fn describe_get_of_lead() -> Operation {
    get(Operation::leads(
        "getNoteOfLead",
        "Get a note about a lead.",
    ))
}

pub(crate) fn describe_get_of_contact() -> Operation {
    get(Operation::leads(
        "getNoteOfContact",
        "Get a note about a contact.",
    ))
}

fn get(operation: Operation) -> Operation {
    any(operation.path("id", Schema::number()))
}

fn any(operation: Operation) -> Operation {
    operation
        .path("note", Schema::number())
        .gives_entry::<NoteView<'_>>("The note.", HIDDEN)
}

pub(crate) fn describe_get_any_of_leads() -> Operation {
    let operation = Operation::leads("getLeadNote", "Get a note about any lead.");
    any(operation)
}

pub(crate) fn describe_get_any_of_contacts() -> Operation {
    let operation = Operation::leads("getContactNote", "Get a note about any contact.");
    any(operation)
}

pub(crate) fn describe_patch_of_lead() -> Operation {
    let operation = Operation::leads("updateNoteOfLead", "Update a note about a lead.");
    edit(operation.path("id", Schema::number()))
}

pub(crate) fn describe_patch_of_contact() -> Operation {
    let operation = Operation::leads("updateNoteOfContact", "Update a note about a contact.");
    edit(operation.path("id", Schema::number()))
}

pub(crate) fn describe_patch_any_of_leads() -> Operation {
    edit(Operation::leads(
        "updateLeadNote",
        "Update a note about any lead.",
    ))
}

pub(crate) fn describe_patch_any_of_contacts() -> Operation {
    edit(Operation::leads(
        "updateContactNote",
        "Update a note about any contact.",
    ))
}
