//! The bodies of `POST /api/v4/users` and `PATCH /api/v4/users/{id}`.

use crate::domain::account::group::Group;
use crate::domain::account::password::Password;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::user::{Standing, User};
use crate::domain::account::users::Users;
use crate::domain::account::users::add::{BATCH_MAX, ReferenceCheck};
use crate::domain::account::users::change::UserChange;
use crate::domain::account::users::fields::UserFields;
use crate::domain::crm::Pipeline;
use crate::domain::field::When;
use crate::domain::id::{GroupId, RoleId};
use crate::domain::installation::accounts::Lang;
use crate::domain::text::UserName;
use crate::domain::text::email::Email;
use crate::domain::violation::{Violation, ViolationCode};
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::rights::{self, Presence};
use crate::wire::json::fields::BodyFields;
use crate::wire::json::object::{Nulls, ObjectReader};

/// The fields of a user that stand beside `rights`; the others stand in it.
pub const OUTSIDE_RIGHTS: [&str; 3] = ["name", "email", "lang"];

/// A user to be added.
#[derive(Clone, Debug)]
pub struct UserBody {
    /// The full name.
    pub name: UserName,
    /// The e-mail address.
    pub email: Email,
    /// The password.
    pub password: Password,
    /// The language.
    pub lang: Option<Lang>,
    /// Where the rights come from.
    pub standing: Standing,
    /// The group.
    pub group: GroupId,
    /// What the client calls the user in this request.
    pub request_id: Option<String>,
}

/// Reads the body for an account with these users, roles and pipelines.
///
/// # Errors
/// With everything that is wrong with any of the users.
pub fn parse(
    body: &[u8],
    users: &Users,
    pipelines: &[Pipeline],
) -> Result<Vec<UserBody>, BatchError> {
    let root = batch::parse(body)?;
    let items = batch::items(&root, "users", BATCH_MAX)?;
    let mut admission = ReferenceCheck::to(users);
    batch::read_items(items, |item| user(item, &mut admission, pipelines))
}

fn user(
    body: &ObjectReader<'_, '_>,
    admission: &mut ReferenceCheck<'_>,
    pipelines: &[Pipeline],
) -> Option<UserBody> {
    let outside = BodyFields::of(body, When::New).only(&OUTSIDE_RIGHTS);
    let UserFields {
        name, email, lang, ..
    } = UserFields::read(&mut { outside });
    let email = email.filter(|email| accepted(body, "email", admission.email(email)));
    let password = body.required_parsed("password");
    let request_id = batch::request_id(body);
    let access = match body.raw("rights") {
        None => Some(denied(pipelines)),
        Some(_) => body
            .optional_object("rights")
            .and_then(|rights| access(&rights, admission, pipelines)),
    };
    let (standing, group) = access?;
    Some(UserBody {
        name: name?,
        email: email?,
        password: password?,
        lang,
        standing,
        group,
        request_id: request_id.ok()?,
    })
}

/// Reads what is to change of the user `current`. Fields that the body does not name stay.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(
    body: &[u8],
    current: &User,
    users: &Users,
    pipelines: &[Pipeline],
) -> Result<UserChange, BatchError> {
    let root = batch::parse(body)?;
    batch::one(&root, |body| change(body, current, users, pipelines))
}

fn change(
    body: &ObjectReader<'_, '_>,
    current: &User,
    users: &Users,
    pipelines: &[Pipeline],
) -> Option<UserChange> {
    let outside = BodyFields::of(body, When::Later).only(&OUTSIDE_RIGHTS);
    let fields = UserFields::read(&mut { outside });
    let password = body.optional_parsed("password");
    let rights = body.optional_object("rights");
    let (standing, group) = match rights {
        Some(rights) => changed_access(&rights, current, users, pipelines),
        None => (None, None),
    };
    Some(UserChange {
        fields: UserFields {
            group_id: group,
            ..fields
        },
        standing,
        password,
    })
}

/// Where the rights come from, and the group, as far as either is to change.
fn changed_access(
    rights: &ObjectReader<'_, '_>,
    current: &User,
    users: &Users,
    pipelines: &[Pipeline],
) -> (Option<Standing>, Option<GroupId>) {
    let lenient = rights.with_nulls(Nulls::Absent);
    if lenient
        .optional_bool("is_admin")
        .is_some_and(|is_admin| is_admin != current.is_admin())
    {
        let detail = "the operator makes and unmakes administrators".to_owned();
        rights.reject("is_admin", ViolationCode::InvalidValue, detail);
    }
    let admission = ReferenceCheck::to(users);
    let group = reference(rights, "group_id").ok().flatten().map(GroupId);
    let group = group.filter(|id| accepted(rights, "group_id", admission.group(*id)));
    if lenient.optional_bool("is_free") == Some(true) {
        return (Some(Standing::Free), group);
    }
    let ends_free =
        lenient.optional_bool("is_free") == Some(false) && current.standing == Standing::Free;
    let standing = match reference(rights, "role_id") {
        Ok(Some(id)) => {
            let role = RoleId(id);
            accepted(rights, "role_id", admission.role(role)).then_some(Standing::Role(role))
        }
        Err(()) => None,
        Ok(None) => {
            let leaves_role = rights.has("role_id") && current.role().is_some();
            own_rights(
                rights,
                (current, users),
                pipelines,
                leaves_role || ends_free,
            )
        }
    };
    (standing, group)
}

/// Rights of the user's own: what they may do now, with the changes of the body.
fn own_rights(
    rights: &ObjectReader<'_, '_>,
    (current, users): (&User, &Users),
    pipelines: &[Pipeline],
    becomes_own: bool,
) -> Option<Standing> {
    let base = match &current.standing {
        Standing::Administrator | Standing::Free => Rights::denied(pipelines),
        Standing::Own(rights) => rights.as_ref().clone(),
        Standing::Role(role) => {
            let role = users.roles().get(role);
            role.map_or_else(|| Rights::denied(pipelines), |role| role.rights.clone())
        }
    };
    let names_any = OWN_RIGHTS.iter().any(|name| rights.has(name));
    let is_own = matches!(current.standing, Standing::Own(_));
    if names_any && !is_own && !becomes_own {
        let detail = "rights of their own have only users without a role, who are neither administrators nor free users; \
                      role_id null ends a role";
        for name in OWN_RIGHTS.iter().filter(|name| rights.has(name)) {
            rights.reject(name, ViolationCode::InvalidValue, detail.to_owned());
        }
        return None;
    }
    let patch = rights::read(rights, &base, pipelines, Presence::Optional);
    let own = patch.over(&base).ok().map(Box::new).map(Standing::Own);
    own.filter(|_| names_any || becomes_own)
}

/// The rights that a user without a role has.
const OWN_RIGHTS: [&str; 7] = [
    "leads",
    "contacts",
    "companies",
    "tasks",
    "mail_access",
    "catalog_access",
    "status_rights",
];

/// Interface B: `rights` is «default: all access denied».
fn denied(pipelines: &[Pipeline]) -> (Standing, GroupId) {
    let rights = Rights::denied(pipelines);
    (Standing::Own(Box::new(rights)), Group::DEFAULT)
}

/// Where the rights come from, and the group.
fn access(
    rights: &ObjectReader<'_, '_>,
    admission: &ReferenceCheck<'_>,
    pipelines: &[Pipeline],
) -> Option<(Standing, GroupId)> {
    let is_admin = rights.optional_bool("is_admin");
    if is_admin == Some(true) {
        let detail = "administrators are made by the operator only".to_owned();
        rights.reject("is_admin", ViolationCode::InvalidValue, detail);
    }
    let is_free = rights.with_nulls(Nulls::Absent).optional_bool("is_free");
    // Interface B, add-user dependency 2: «`is_free` true makes those fields plus `role_id` and `group_id` ignored».
    if is_free == Some(true) {
        return Some((Standing::Free, Group::DEFAULT));
    }
    let group = reference(rights, "group_id");
    let group = match group {
        Ok(None) => Some(Group::DEFAULT),
        Ok(Some(id)) => {
            let id = GroupId(id);
            accepted(rights, "group_id", admission.group(id)).then_some(id)
        }
        Err(()) => None,
    };
    let standing = match reference(rights, "role_id") {
        // Dependency 1: «A valid `role_id` makes leads, tasks, contacts, companies, status_rights, mail_access and
        // catalog_access in the request ignored.»
        Ok(Some(id)) => {
            let id = RoleId(id);
            accepted(rights, "role_id", admission.role(id)).then_some(Standing::Role(id))
        }
        Err(()) => None,
        Ok(None) => {
            let base = Rights::denied(pipelines);
            let patch = rights::read(rights, &base, pipelines, Presence::Required);
            patch.over(&base).ok().map(Box::new).map(Standing::Own)
        }
    };
    Some((standing?, group?))
}

/// A number of something, absent or null; `Err` when it is wrong, which was reported then.
fn reference(rights: &ObjectReader<'_, '_>, key: &str) -> Result<Option<u64>, ()> {
    let lenient = rights.with_nulls(Nulls::Absent);
    match lenient.optional_integer(key, i64::MIN..=i64::MAX) {
        // What is no number of anything is as unknown as a number of nothing.
        Some(number) => Ok(Some(u64::try_from(number).unwrap_or_default())),
        None => match lenient.raw(key) {
            None | Some(crate::wire::json::node::Node::Null) => Ok(None),
            Some(_) => Err(()),
        },
    }
}

/// Whether the account accepts a value; reports it under `key` if not.
fn accepted(reader: &ObjectReader<'_, '_>, key: &str, checked: Result<(), Violation>) -> bool {
    match checked {
        Ok(()) => true,
        Err(Violation { code, detail, .. }) => {
            reader.reject(key, code, detail);
            false
        }
    }
}
