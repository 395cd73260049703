//! The operations on users, for the document.

use serde_json::json;
use switchboard_actors::domain::installation::accounts::Lang;

use crate::http::openapi::{Asker, Field, Operation, Schema, Tag, may, must};
use crate::http::users::view::schema;

pub(crate) fn describe_list() -> Operation {
    let list = Schema::object([
        must("total", Schema::count()),
        must("next_page", Schema::number().or_null()),
        must("users", Schema::list(schema())),
    ]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listAccountUsers",
        "Lists the users of an account, by number.",
    )
    .path("id", Schema::uuid())
    .pages()
    .answers(200, "A page.", list)
    .refuses(404, "There is no such account.")
}

pub(crate) fn describe_create() -> Operation {
    let mut fields = standing();
    fields.extend([
        must("name", Schema::line(255)),
        must("email", email_schema()),
        may("password", password_schema()),
        may(
            "lang",
            Schema::choice(&Lang::NAMES).says("The account's if it is left out."),
        ),
    ]);
    let example = json!({
        "name": "Eve Hill",
        "email": "eve@example.com",
        "password": "aBcde1@345",
        "lang": "en",
        "is_admin": true,
        "group_id": 1,
    });
    let summary = "Makes a user, also an administrator. Nothing is allowed unless a role or a flag says otherwise.";
    Operation::new(Tag::Operator, Asker::Operator, "createUser", summary)
        .path("id", Schema::uuid())
        .body(Schema::object(fields), example)
        .answers(201, "The user.", schema())
        .with_header(201, "Location", "Where the user is.")
        .refuses(404, "There is no such account.")
        .refuses(409, "The account has too many users.")
}

pub(crate) fn describe_show() -> Operation {
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "showUser",
        "Tells one user.",
    )
    .path("id", Schema::uuid())
    .path("user", Schema::number())
    .answers(200, "The user.", schema())
    .refuses(404, "There is no such user.")
}

pub(crate) fn describe_change() -> Operation {
    let mut fields = standing();
    fields.extend([
        may("name", Schema::line(255)),
        may("email", email_schema()),
        may("lang", Schema::choice(&Lang::NAMES)),
        may("is_active", Schema::boolean()),
    ]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "changeUser",
        "Changes what is named and leaves the rest.",
    )
    .path("id", Schema::uuid())
    .path("user", Schema::number())
    .body(
        Schema::object(fields),
        json!({ "name": "Eve", "is_active": true, "group_id": 1 }),
    )
    .answers(200, "The user as they are now.", schema())
    .refuses(404, "There is no such user.")
    .refuses(409, "It is the last administrator of the account.")
}

pub(crate) fn describe_password() -> Operation {
    let summary = "Gives a user another password, which ends all their sessions.";
    Operation::new(Tag::Operator, Asker::Operator, "setPassword", summary)
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .body(
            Schema::object([must("password", password_schema())]),
            json!({ "password": "aBcde1@345" }),
        )
        .answers_nothing(204, "On disk.")
        .refuses(404, "There is no such user.")
        .refuses(409, "It cannot be set now.")
}

fn email_schema() -> Schema {
    Schema::text().says("Unique in the account, whatever the case of its letters.")
}

fn password_schema() -> Schema {
    Schema::text().says("At least 6 characters and at most 1,024 bytes, with a digit, a lower-case and an upper-case letter.")
}

/// Where a user's rights come from: at most one of the first three.
fn standing() -> Vec<Field> {
    vec![
        may("is_admin", Schema::boolean()),
        may("is_free", Schema::boolean()),
        may("role_id", Schema::number()),
        may("group_id", Schema::number()),
    ]
}
