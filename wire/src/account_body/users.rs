//! The bodies of `POST /api/v4/users` and `PATCH /api/v4/users/{id}`.

use crate::account_body::batch::{self, BatchError, Called};
use crate::account_body::rights::{self, Presence, Reference, RightsBody};
use crate::body;
use crate::body::Body;
use crate::body::value::{OrWrong, Unread};
use crate::domain::account::group::Group;
use crate::domain::account::password::Password;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::user::{Standing, User};
use crate::domain::account::users::Users;
use crate::domain::account::users::create::{BATCH_MAX, ReferenceCheck};
use crate::domain::account::users::fields::UserFields;
use crate::domain::account::users::update::UserChange;
use crate::domain::crm::Pipeline;
use crate::domain::id::{GroupId, RoleId};
use crate::domain::installation::accounts::Lang;
use crate::domain::text::UserName;
use crate::domain::text::email::Email;
use crate::domain::violation::{Violation, ViolationCode};
use crate::json::object::{Nulls, ObjectReader};

/// The fields of a user that stand beside `rights`; the others stand in it.
static OUTSIDE_RIGHTS: [&str; 3] = ["name", "email", "lang"];

body!(
    /// A user to be added.
    #[body(open)]
    pub struct NewUserBody {
        #[body(given(New, OUTSIDE_RIGHTS))]
        fields: UserFields,
        #[body(needed)]
        password: Option<Password>,
        /// Everything is denied if it is left out.
        rights: Option<Unread<AccessBody>>,
        #[body(flatten)]
        called: Called,
    }

    /// A change of a user.
    #[body(open)]
    pub struct ChangedUserBody {
        #[body(given(Update, OUTSIDE_RIGHTS))]
        fields: UserFields,
        /// Ends all sessions of the user. Not for OAuth clients.
        password: Option<Password>,
        rights: Option<Unread<AccessBody>>,
    }

    /// The rights of a user: their own, or where they come from. What the flags and the role make meaningless is not read.
    #[body(open)]
    pub struct AccessBody {
        #[body(flatten)]
        rights: RightsBody,
        #[body(flatten)]
        flags: Flags,
        #[body(flatten)]
        role: RoleNumber,
        #[body(flatten)]
        group: GroupNumber,
    }

    /// The flags of a user.
    #[body(open)]
    pub struct Flags {
        /// The operator makes and unmakes administrators.
        is_admin: Option<bool>,
        /// Everything is denied; the other rights are ignored.
        #[body(null)]
        is_free: Option<bool>,
    }

    /// The role of a user.
    #[body(open)]
    pub struct RoleNumber {
        /// A role of the account; the other rights are ignored.
        #[body(null)]
        role_id: Option<OrWrong<Reference>>,
    }

    /// The group of a user.
    #[body(open)]
    pub struct GroupNumber {
        /// A group of the account.
        #[body(null)]
        group_id: Option<OrWrong<Reference>>,
    }
);

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
    /// The source of the rights.
    pub standing: Standing,
    /// The group.
    pub group: GroupId,
    /// The client's id of the user in this request.
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
    let NewUserBody {
        fields,
        password,
        called,
        ..
    } = NewUserBody::take(body)?;
    let UserFields {
        name, email, lang, ..
    } = fields;
    let email = email.filter(|email| accepted(body, "email", admission.email(email)));
    let access = match body.raw("rights") {
        None => Some(denied(pipelines)),
        Some(_) => body
            .inner("rights")
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
        request_id: called.name(),
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
    let ChangedUserBody {
        fields, password, ..
    } = ChangedUserBody::take(body)?;
    let (standing, group) = match body.inner("rights") {
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

/// Reads the source of the rights, and the group, as far as either is to change.
fn changed_access(
    rights: &ObjectReader<'_, '_>,
    current: &User,
    users: &Users,
    pipelines: &[Pipeline],
) -> (Option<Standing>, Option<GroupId>) {
    // All may be null: clients send back what they got.
    let flags = Flags::take(&rights.with_nulls(Nulls::Absent));
    let (is_admin, is_free) = flags.map_or((None, None), |it| (it.is_admin, it.is_free));
    if is_admin.is_some_and(|is_admin| is_admin != current.is_admin()) {
        let detail = "the operator makes and unmakes administrators".to_owned();
        rights.reject("is_admin", ViolationCode::InvalidValue, detail);
    }
    let admission = ReferenceCheck::to(users);
    let group = GroupNumber::take(rights)
        .and_then(|it| right(it.group_id))
        .map(GroupId)
        .filter(|id| accepted(rights, "group_id", admission.group(*id)));
    if is_free == Some(true) {
        return (Some(Standing::Free), group);
    }
    let ends_free = is_free == Some(false) && current.standing == Standing::Free;
    let role = RoleNumber::take(rights).and_then(|it| it.role_id);
    let standing = match role {
        Some(OrWrong::Right(Reference(id))) => {
            let role = RoleId(id);
            accepted(rights, "role_id", admission.role(role)).then_some(Standing::Role(role))
        }
        Some(OrWrong::Wrong) => None,
        None => {
            let leaves_role = rights.has("role_id") && current.role().is_some();
            own_rights(rights, current, users, pipelines, leaves_role || ends_free)
        }
    };
    (standing, group)
}

/// Rights of the user's own: what they may do now, with the changes of the body.
fn own_rights(
    rights: &ObjectReader<'_, '_>,
    current: &User,
    users: &Users,
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

/// The access of a user without `rights`: everything is denied.
fn denied(pipelines: &[Pipeline]) -> (Standing, GroupId) {
    let rights = Rights::denied(pipelines);
    (Standing::Own(Box::new(rights)), Group::DEFAULT)
}

/// Reads the source of the rights, and the group.
fn access(
    rights: &ObjectReader<'_, '_>,
    admission: &ReferenceCheck<'_>,
    pipelines: &[Pipeline],
) -> Option<(Standing, GroupId)> {
    let Flags { is_admin, is_free } = Flags::take(rights)?;
    if is_admin == Some(true) {
        let detail = "administrators are made by the operator only".to_owned();
        rights.reject("is_admin", ViolationCode::InvalidValue, detail);
    }
    // With `is_free`, all other rights, `role_id` and `group_id` are ignored.
    if is_free == Some(true) {
        return Some((Standing::Free, Group::DEFAULT));
    }
    let group = GroupNumber::take(rights).and_then(|it| it.group_id);
    let role = RoleNumber::take(rights).and_then(|it| it.role_id);
    let group = match group {
        None => Some(Group::DEFAULT),
        Some(OrWrong::Right(Reference(id))) => {
            let id = GroupId(id);
            accepted(rights, "group_id", admission.group(id)).then_some(id)
        }
        Some(OrWrong::Wrong) => None,
    };
    let standing = match role {
        // Dependency 1: «A valid `role_id` makes leads, tasks, contacts, companies, status_rights, mail_access and
        // catalog_access in the request ignored.»
        Some(OrWrong::Right(Reference(id))) => {
            let id = RoleId(id);
            accepted(rights, "role_id", admission.role(id)).then_some(Standing::Role(id))
        }
        Some(OrWrong::Wrong) => None,
        None => {
            let base = Rights::denied(pipelines);
            let patch = rights::read(rights, &base, pipelines, Presence::Required);
            patch.over(&base).ok().map(Box::new).map(Standing::Own)
        }
    };
    Some((standing?, group?))
}

fn right(reference: Option<OrWrong<Reference>>) -> Option<u64> {
    match reference? {
        OrWrong::Right(Reference(id)) => Some(id),
        OrWrong::Wrong => None,
    }
}

/// Returns whether the account accepts a value; reports it under `key` if not.
fn accepted(reader: &ObjectReader<'_, '_>, key: &str, checked: Result<(), Violation>) -> bool {
    match checked {
        Ok(()) => true,
        Err(Violation { code, detail, .. }) => {
            reader.reject(key, code, detail);
            false
        }
    }
}
