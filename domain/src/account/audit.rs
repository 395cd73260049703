//! The audit entries of users and roles. They name passwords and tokens, and never contain them.

use serde_json::{Value, json};

use crate::account::presence::Presence;
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
    let wanted = |user: &User| json!(user.notifications);
    let entry = entry.change(
        "notifications",
        before.map_or(Value::Null, wanted),
        wanted(after),
    );
    // A user is here until they choose otherwise.
    let presence = |user: &User| user.chosen_presence().as_str();
    let earlier = before.map_or(Presence::Here.as_str(), presence);
    entry.change("presence", earlier, presence(after))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::By;
    use crate::id::RoleId;
    use crate::time::UnixMillis;
    use switchboard_engine::state::Moment;

    fn role(name: &str) -> Role {
        Role {
            id: RoleId(1),
            name: name.parse().unwrap(),
            rights: Rights::all(),
        }
    }

    /// The audited changes between two states of a role.
    fn changes(before: Option<&Role>, after: Option<&Role>) -> Value {
        let mut bytes = || [1; 16];
        let mut moment = Moment::<()> {
            now: UnixMillis::from_secs(7),
            random: &mut bytes,
            earlier: &[],
        };
        let entry = AuditEntry::new(By::Operator, "role.update", "1", &mut moment);
        json!(of_role(entry, before, after))["changes"].take()
    }

    #[test]
    fn a_renamed_role_is_audited_with_both_names() {
        let (before, after) = (role("Sellers"), role("Agents"));
        let change = json!([{ "field": "name", "before": "Sellers", "after": "Agents" }]);
        assert_eq!(changes(Some(&before), Some(&after)), change);
    }

    #[test]
    fn a_new_and_a_deleted_role_are_audited_with_all_fields() {
        let fields = |changes: Value| -> Vec<String> {
            let all = changes.as_array().cloned().unwrap_or_default();
            all.iter().map(|it| it["field"].to_string()).collect()
        };
        let all = ["\"name\"", "\"rights\""];
        assert_eq!(fields(changes(None, Some(&role("Sellers")))), all);
        assert_eq!(fields(changes(Some(&role("Sellers")), None)), all);
    }
}
