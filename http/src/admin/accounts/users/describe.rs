//! The operations on users, for the document.

use serde_json::json;

use super::{ChangedUser, NewPassword, NewUser};
use crate::openapi::{Operation, Schema};
use crate::users::view::UserView;

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listUsersOfAccount", "List the users of an account.")
        .path("id", Schema::uuid())
        .cursor()
        .answers_next::<UserView<'_>>("users", "A page, by number.")
        .refuses(404, "There is no such account.")
}

pub(crate) fn describe_create() -> Operation {
    let example = json!({
        "name": "Eve Hill",
        "email": "eve@example.com",
        "password": "aBcde1@345",
        "lang": "en",
        "is_admin": true,
        "group_id": 1,
    });
    Operation::operator("createUserOfAccount", "Create a user.")
        .says("A user has no rights unless a role or a flag grants them. This operation can also create administrators.")
        .path("id", Schema::uuid())
        .takes::<NewUser>(example)
        .gives::<UserView<'_>>(201, "The user.")
        .with_header(201, "Location", "Where the user is.")
        .refuses(404, "There is no such account.")
        .refuses(409, "The account has too many users.")
}

pub(crate) fn describe_get() -> Operation {
    Operation::operator("getUserOfAccount", "Get a user of an account.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .gives::<UserView<'_>>(200, "The user.")
        .refuses(404, "There is no such user.")
}

pub(crate) fn describe_update() -> Operation {
    Operation::operator("updateUserOfAccount", "Update a user.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .takes::<ChangedUser>(json!({ "name": "Eve", "is_active": true, "group_id": 1 }))
        .gives::<UserView<'_>>(200, "The user as they are now.")
        .refuses(404, "There is no such user.")
        .refuses(409, "It is the last administrator of the account.")
}

pub(crate) fn describe_update_password() -> Operation {
    Operation::operator("updateUserPassword", "Set the password of a user.")
        .says("Ends all sessions of the user.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .takes::<NewPassword>(json!({ "password": "aBcde1@345" }))
        .answers_nothing(204, "On disk.")
        .refuses(404, "There is no such user.")
        .refuses(409, "It cannot be set now.")
}
