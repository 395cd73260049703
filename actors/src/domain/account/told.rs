//! What the audit log tells of users and roles. Passwords and tokens are named, never shown.

use serde_json::{Value, json};

use crate::domain::account::rights::granted::Rights;
use crate::domain::account::role::Role;
use crate::domain::account::user::{Standing, User};
use crate::domain::audit::AuditEntry;

/// The entry with everything that is different of a user; `None` is before there was one.
pub(super) fn of_user(entry: AuditEntry, before: Option<&User>, after: &User) -> AuditEntry {
    let fields: [(&str, fn(&User) -> Value); 9] = [
        ("name", |user| user.name.as_str().into()),
        ("email", |user| user.email.as_str().into()),
        ("lang", |user| json!(user.lang)),
        ("is_admin", |user| user.is_admin().into()),
        ("is_free", |user| (user.standing == Standing::Free).into()),
        ("is_active", |user| user.active.into()),
        ("role_id", |user| json!(user.role())),
        ("group_id", |user| json!(user.group)),
        ("rights", |user| match &user.standing {
            Standing::Own(own) => rights(own),
            Standing::Administrator | Standing::Free | Standing::Role(_) => Value::Null,
        }),
    ];
    let mut entry = fields.into_iter().fold(entry, |entry, (name, told)| {
        entry.change(name, before.map_or(Value::Null, told), told(after))
    });
    if before.and_then(|user| user.password.as_ref()) != after.password.as_ref() {
        entry = entry.secret("password");
    }
    if before.and_then(|user| user.token) != after.token {
        entry = entry.secret("token");
    }
    entry
}

/// The entry with everything that is different of a role; `None` is before there was one, and after it was deleted.
pub(super) fn of_role(
    entry: AuditEntry,
    before: Option<&Role>,
    after: Option<&Role>,
) -> AuditEntry {
    let name = |role: Option<&Role>| role.map_or(Value::Null, |role| role.name.as_str().into());
    let given = |role: Option<&Role>| role.map_or(Value::Null, |role| rights(&role.rights));
    entry
        .change("name", name(before), name(after))
        .change("rights", given(before), given(after))
}

/// Rights in the short form in which they are stored.
fn rights(rights: &Rights) -> Value {
    json!(rights)
}
