//! The audit entries of users and roles. They name passwords and tokens, and never contain them.

use serde_json::{Value, json};

use crate::account::rights::granted::Rights;
use crate::account::role::{Role, RoleFields};
use crate::account::user::{Standing, User};
use crate::account::users::fields::UserFields;
use crate::audit::AuditEntry;
use crate::field::audited;

/// The entry with everything that is different of a user; `None` is before there was one.
pub(super) fn of_user(entry: AuditEntry, before: Option<&User>, after: &User) -> AuditEntry {
    let fields = before.map(UserFields::from_user);
    let entry = audited(fields.as_ref(), &UserFields::from_user(after), entry);
    let own = |user: &User| match &user.standing {
        Standing::Own(own) => rights(own),
        Standing::Administrator | Standing::Free | Standing::Role(_) => Value::Null,
    };
    let mut entry = entry.change("rights", before.map_or(Value::Null, own), own(after));
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
    let fields = |role: Option<&Role>| role.map(RoleFields::from_role).unwrap_or_default();
    let rights_value = |role: Option<&Role>| role.map_or(Value::Null, |role| rights(&role.rights));
    audited(Some(&fields(before)), &fields(after), entry).change(
        "rights",
        rights_value(before),
        rights_value(after),
    )
}

/// Rights in the short form in which they are stored.
fn rights(rights: &Rights) -> Value {
    json!(rights)
}
