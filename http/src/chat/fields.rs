//! The schemas that several bodies and paths of the chat interface share.

use switchboard_actors::domain::chat::message::ContentKind;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::chat_body::target::KnownPerson;

use crate::openapi::{Schema, may};

/// The channel of a path.
pub(super) fn channel_id() -> Schema {
    Schema::text().says("Letters, digits, - and _, at most 64 of them.")
}

/// The scope of a path.
pub(super) fn scope_id() -> Schema {
    Schema::text().says("`<channel_id>_<account_id>`, as connect answers it.")
}

/// A person who may be new.
pub(super) fn person() -> Schema {
    let profile = Schema::object([
        may("phone", Schema::text().says("At most 64 characters.")),
        may("email", Schema::text()),
    ]);
    let mut fields = KnownPerson::fields();
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
