//! An administrator adds users, all of them or none.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::Decision;
use crate::account::audit;
use crate::account::emails::Emails;
use crate::account::password::PasswordHash;
use crate::account::user::{Standing, User};
use crate::account::users::{Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::{GroupId, RoleId, UserId};
use crate::installation::accounts::{Lang, Plan};
use crate::text::UserName;
use crate::text::email::Email;
use crate::violation::{Violation, ViolationCode, Violations};
use switchboard_engine::state::{Command, Moment};

/// The highest number of users in one request.
pub const BATCH_MAX: usize = 10;
/// The number of users above which an account adds no more; the Enterprise plan has no such limit. With exactly so many
/// users, one more request passes.
pub const USERS_MAX_BASE: usize = 100;

/// Users to be added.
#[derive(Clone, Debug)]
pub struct CreateUsers {
    /// The actor, for the audit log.
    pub by: By,
    /// The plan of the account, which limits the number of users.
    pub plan: Plan,
    /// The users, at most [`BATCH_MAX`].
    pub users: Vec<NewUser>,
}

/// A user to be added.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// The full name.
    pub name: UserName,
    /// The e-mail address.
    pub email: Email,
    /// The language.
    pub lang: Lang,
    /// The source of the rights.
    pub standing: Standing,
    /// The group.
    pub group: GroupId,
    /// The hash of the password; without one, the user cannot sign in.
    pub password: Option<PasswordHash>,
}

/// The reason not to add users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateUsersRejection {
    /// The account has too many for its plan.
    TooMany,
    /// These of them are wrong, by their places in the batch.
    Wrong(Vec<(usize, Violations)>),
}

impl fmt::Display for CreateUsersRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(
                f,
                "the account has more than {USERS_MAX_BASE} users; more can be added on the Enterprise plan only"
            ),
            Self::Wrong(items) => write!(f, "{} of the users cannot be added", items.len()),
        }
    }
}

impl std::error::Error for CreateUsersRejection {}

/// Checks what the users of a batch refer to, one user after the other.
#[derive(Debug)]
pub struct ReferenceCheck<'u> {
    users: &'u Users,
    emails: BTreeSet<String>,
}

impl<'u> ReferenceCheck<'u> {
    /// A check that has seen no user of the batch yet.
    #[must_use]
    pub fn to(users: &'u Users) -> Self {
        Self {
            users,
            emails: BTreeSet::new(),
        }
    }

    /// Checks that more users can be added under this plan.
    ///
    /// # Errors
    /// When there are too many for this plan.
    pub fn open(&self, plan: Plan) -> Result<(), CreateUsersRejection> {
        match plan {
            Plan::Base if self.users.count() > USERS_MAX_BASE => Err(CreateUsersRejection::TooMany),
            Plan::Base | Plan::Enterprise => Ok(()),
        }
    }

    /// Checks that no user of the account, and no earlier one of the batch, has this address, whatever the letter case.
    ///
    /// # Errors
    /// The violation, when the address is taken.
    pub fn email(&mut self, email: &Email) -> Result<(), Violation> {
        let detail = if self.users.by_email(email).is_some() {
            "a user of the account has this e-mail address already"
        } else if self.emails.insert(Emails::folded(email)) {
            return Ok(());
        } else {
            "another user of this request has the same e-mail address"
        };
        Err(Violation {
            path: "email".to_owned(),
            code: ViolationCode::InvalidValue,
            detail: detail.to_owned(),
        })
    }

    /// The account has this role.
    ///
    /// # Errors
    /// When it has not: the same for roles of others, roles that were deleted and roles that never were.
    pub fn role(&self, role: RoleId) -> Result<(), Violation> {
        let exists = self.users.roles().contains_key(&role);
        reference(exists, "rights.role_id", "a role")
    }

    /// The account has this group.
    ///
    /// # Errors
    /// When it has not.
    pub fn group(&self, group: GroupId) -> Result<(), Violation> {
        let exists = self.users.groups().contains_key(&group);
        reference(exists, "rights.group_id", "a group")
    }
}

fn reference(known: bool, path: &str, what: &str) -> Result<(), Violation> {
    if known {
        return Ok(());
    }
    Err(Violation {
        path: path.to_owned(),
        code: ViolationCode::NotSupportedChoice,
        detail: format!("expected the id of {what} of this account"),
    })
}

impl Command for CreateUsers {
    type Of = Users;
    type Reply = Vec<Arc<User>>;
    type Rejection = CreateUsersRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, Vec<Arc<User>>>, CreateUsersRejection> {
        let mut admission = ReferenceCheck::to(state);
        admission.open(self.plan)?;
        let mut wrong = Vec::new();
        for (place, user) in self.users.iter().enumerate() {
            let mut violations = Violations::default();
            let role = match user.standing {
                Standing::Role(role) => admission.role(role),
                Standing::Administrator | Standing::Free | Standing::Own(_) => Ok(()),
            };
            let checks = [
                admission.email(&user.email),
                role,
                admission.group(user.group),
            ];
            for violation in checks.into_iter().filter_map(Result::err) {
                violations.push(violation);
            }
            if !violations.is_empty() {
                wrong.push((place, violations));
            }
        }
        if !wrong.is_empty() {
            return Err(CreateUsersRejection::Wrong(wrong));
        }
        let first = state.next_id().0;
        let new_users: Vec<User> = (first..)
            .zip(self.users)
            .map(|(number, user)| User {
                id: UserId(number),
                name: user.name,
                email: user.email,
                lang: user.lang,
                standing: user.standing,
                group: user.group,
                active: true,
                admitted_by: self.by.client().cloned(),
                sessions_ended: 0,
                password: user.password,
                token: None,
                declared: None,
                notifications: None,
                away: None,
            })
            .collect();
        let reply = new_users.iter().cloned().map(Arc::new).collect();
        let audit = new_users.iter().map(|user| {
            let entry = AuditEntry::new(self.by.clone(), "user.create", user.id, moment);
            audit::of_user(entry.of_account(state.account()), None, user)
        });
        let event = UsersEvent::Added {
            audit: audit.collect(),
            users: new_users,
        };
        Ok(Decision::event(event, reply))
    }
}
