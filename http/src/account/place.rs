//! The things that the entries of one account share in answers: the base of links, the account's number, its users.

use switchboard_actors::Caller;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::custom_fields::CustomFields;
use switchboard_actors::domain::crm::predefined_field::FieldIds;
use switchboard_actors::domain::id::{AccountNumber, GroupId, UserId};

use crate::reply::problem::Problem;
use crate::state::AppState;

/// The account that the entries of an answer belong to.
pub(crate) struct Place<'p> {
    /// The beginning of links.
    pub(crate) base: &'p str,
    /// The account's number, which is `account_id` everywhere in this interface.
    pub(crate) account: AccountNumber,
    /// The numbers of the predefined fields of contacts.
    pub(crate) fields: FieldIds,
    /// The custom fields that the account defines, where the answer shows any.
    pub(crate) custom_fields: CustomFields,
    users: &'p Users,
}

impl<'p> Place<'p> {
    /// The account of this caller.
    pub(crate) fn new(
        state: &AppState,
        caller: &Caller,
        users: &'p Users,
        base: &'p str,
    ) -> Result<Self, Problem> {
        let account = state.system().account(caller.account).ok_or_else(|| {
            Problem::NotFound("the account of this token no longer exists".to_owned())
        })?;
        Ok(Self {
            base,
            account: account.number,
            fields: account.settings.field_ids(),
            custom_fields: CustomFields::default(),
            users,
        })
    }

    /// The same account, with its custom fields.
    pub(crate) fn with_fields(self, custom_fields: CustomFields) -> Self {
        Self {
            custom_fields,
            ..self
        }
    }

    /// The group of a user; the first group where there is no user, since clients expect a number.
    pub(crate) fn group(&self, user: Option<UserId>) -> GroupId {
        let user = user.and_then(|user| self.users.get(user));
        user.map_or(Group::DEFAULT, |user| user.group)
    }
}

/// The number of the responsible user; 0 for none, since clients expect a number.
pub(crate) fn responsible(user: Option<UserId>) -> u64 {
    user.map_or(0, |user| user.0)
}
