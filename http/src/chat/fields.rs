//! The schemas that several bodies and paths of the chat interface share.

use switchboard_actors::domain::chat::message::ContentKind;

use crate::openapi::{Field, Schema, may};

/// The channel of a path.
pub(super) fn channel_id() -> Schema {
    Schema::text().says("Letters, digits, - and _, at most 64 of them.")
}

/// The scope of a path.
pub(super) fn scope_id() -> Schema {
    Schema::text().says("`<channel_id>_<account_id>`, as connect answers it.")
}

/// The ids of a conversation.
pub(super) fn conversation_fields() -> Vec<Field> {
    let ours = "Our id of the conversation; takes precedence over conversation_id.";
    vec![
        may(
            "conversation_id",
            Schema::line(255).says("The integration's id; needed without conversation_ref_id, and in the 2019 generation."),
        ),
        may("conversation_ref_id", Schema::uuid().says(ours)),
    ]
}

fn person_ids() -> Vec<Field> {
    vec![
        may(
            "id",
            Schema::line(255).says("The integration's id of the person; in the current generation ref_id may replace it."),
        ),
        may(
            "ref_id",
            Schema::uuid().says("Our id of the person."),
        ),
    ]
}

/// A person whom the service already knows.
pub(super) fn who() -> Schema {
    Schema::object(person_ids())
        .open()
        .needing_one_of(&["id", "ref_id"])
}

/// A person who may be new.
pub(super) fn person() -> Schema {
    let profile = Schema::object([
        may("phone", Schema::text().says("At most 64 characters.")),
        may("email", Schema::text()),
    ]);
    let mut fields = person_ids();
    fields.extend([
        may(
            "name",
            Schema::text()
                .says("1 to 255 characters; required for a person without a known name, and in the 2019 generation."),
        ),
        may(
            "avatar",
            Schema::url_or_nothing()
                .says("An address that the service reaches; needed in the 2019 generation."),
        ),
        may("profile_link", Schema::url_or_nothing()),
        may("profile", profile.open()),
    ]);
    let person = Schema::object(fields)
        .open()
        .needing_one_of(&["id", "ref_id"]);
    Schema::named("PersonGiven", person)
}

/// The entrance of the integration that something came through.
pub(super) fn source() -> Schema {
    let id = Schema::text().says("At most 40 printable characters of ASCII.");
    Schema::object([may("external_id", id)]).open()
}

/// The kinds of what a message says.
pub(super) fn kinds() -> Schema {
    Schema::choice(&ContentKind::NAMES).says("voice and audio in the current generation only.")
}
