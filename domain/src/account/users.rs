//! The users of an account, with the roles that they may hold.
//!
//! The state also holds a copy of the account's roles: their owner hands over each change of them in the same group
//! (see [`crate::account::roles`]). So one state decides who may do what, no user holds a role that does not
//! exist, and a deleted role leaves all its holders at once.
//!
//! Copies are cheap, whatever the number of users. Events are small too: a few hundred bytes for each change. A
//! snapshot has some 400 bytes per user; checkpoints write it only when users have changed.

pub mod activate;
pub mod admitted;
pub mod create;
pub mod declare;
pub mod delete_group;
mod event;
pub mod fields;
pub mod groups;
pub mod rule;
pub mod take_roles;
pub mod token;
pub mod update;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::event::{Declared, RolesTaken, UsersEvent};
pub use self::token::TokenHash;
use crate::account::emails::Emails;
use crate::account::group::Group;
use crate::account::holder::Holder;
use crate::account::pages::Pages;
use crate::account::rights::calculation::Source;
use crate::account::role::Role;
use crate::account::roles::RolesChange;
use crate::account::user::{Standing, User};
use crate::id::{AccountId, GroupId, RoleId, UserId};
use crate::keys::people::{SecretKind, email_row, secret_row};
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use crate::text::email::Email;
use switchboard_engine::collections::shared_map::SharedMap;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;
use switchboard_engine::table::Table;

/// The users of one account. Cheap to copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredUsers")]
pub struct Users {
    account: AccountId,
    /// In the order in which they came: users are never taken away. The user with the number n is at the place n − 1,
    /// unless numbers were chosen.
    users: Pages<User>,
    /// The places of those who are not at the place of their number.
    #[serde(skip)]
    places: SharedMap<UserId, usize>,
    /// The largest number of a user.
    #[serde(skip)]
    last: u64,
    #[serde(serialize_with = "shared")]
    roles: Arc<BTreeMap<RoleId, Role>>,
    #[serde(serialize_with = "shared")]
    groups: Arc<BTreeMap<GroupId, Group>>,
    /// The number of the last group that was ever made: none is used twice.
    last_group: u64,
    #[serde(skip)]
    emails: Emails,
    /// The addresses under which the configuration declared users; a user may have another one by now.
    #[serde(skip)]
    declared: Emails,
}

#[derive(Deserialize)]
struct StoredUsers {
    account: AccountId,
    users: Pages<User>,
    roles: BTreeMap<RoleId, Role>,
    groups: BTreeMap<GroupId, Group>,
    last_group: u64,
}

impl From<StoredUsers> for Users {
    fn from(stored: StoredUsers) -> Self {
        let (mut emails, mut declared) = (Emails::default(), Emails::default());
        let (mut places, mut last) = (SharedMap::default(), 0);
        for (place, user) in stored.users.iter().enumerate() {
            if usual_place(user.id) != Some(place) {
                places.insert(user.id, place);
            }
            last = last.max(user.id.0);
            emails.insert(&user.email, user.id);
            if let Some(email) = user.declared_email() {
                declared.insert(email, user.id);
            }
        }
        let last_group = stored.groups.keys().last().map_or(0, |id| id.0);
        Self {
            account: stored.account,
            users: stored.users,
            places,
            last,
            roles: Arc::new(stored.roles),
            groups: Arc::new(stored.groups),
            last_group: last_group.max(stored.last_group),
            emails,
            declared,
        }
    }
}

fn shared<T: Serialize, S: serde::Serializer>(
    shared: &Arc<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    shared.as_ref().serialize(serializer)
}

impl Users {
    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// Returns the number of users, with those who are switched off.
    #[must_use]
    pub fn count(&self) -> usize {
        self.users.len()
    }

    /// The user with this number.
    #[must_use]
    pub fn get(&self, id: UserId) -> Option<&Arc<User>> {
        self.users.get(self.place(id)?)
    }

    /// The place of the user with this number.
    fn place(&self, id: UserId) -> Option<usize> {
        let usual = usual_place(id).filter(|place| {
            let user = self.users.get(*place);
            user.is_some_and(|user| user.id == id)
        });
        usual.or_else(|| self.places.get(&id).copied())
    }

    /// The user with this e-mail address, in whatever case.
    #[must_use]
    pub fn by_email(&self, email: &Email) -> Option<&Arc<User>> {
        self.get(self.emails.get(email)?)
    }

    /// The user whom the configuration declared with this e-mail address, whatever address they have by now; else the user
    /// with this address.
    #[must_use]
    pub fn declared_as(&self, email: &Email) -> Option<&Arc<User>> {
        let declared = self.declared.get(email).and_then(|id| self.get(id));
        declared.or_else(|| self.by_email(email))
    }

    /// All users, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<User>> {
        self.users.iter()
    }

    /// The users in the order in which they came, without the first `skip`.
    pub fn iter_from(&self, skip: usize) -> impl Iterator<Item = &Arc<User>> {
        self.users.iter_from(skip)
    }

    /// The roles of the account, by number.
    #[must_use]
    pub fn roles(&self) -> &BTreeMap<RoleId, Role> {
        &self.roles
    }

    /// The groups of the account, by number.
    #[must_use]
    pub fn groups(&self) -> &BTreeMap<GroupId, Group> {
        &self.groups
    }

    /// The holders of each role, by number. A role without holders is left out.
    #[must_use]
    pub fn holders(&self) -> BTreeMap<RoleId, Vec<UserId>> {
        let mut holders = BTreeMap::<RoleId, Vec<UserId>>::new();
        for user in self.users.iter() {
            if let Some(role) = user.role() {
                holders.entry(role).or_default().push(user.id);
            }
        }
        holders
    }

    /// Returns the source of the rights of one of these users.
    #[must_use]
    pub fn source<'u>(&'u self, user: &'u User) -> Source<'u> {
        if !user.active {
            return Source::Inactive;
        }
        match &user.standing {
            Standing::Administrator => Source::Administrator,
            Standing::Free => Source::Free,
            Standing::Own(rights) => Source::Own(rights),
            // A role that does not exist grants nothing; no user holds one.
            Standing::Role(role) => self
                .roles
                .get(role)
                .map_or(Source::Inactive, |held| Source::Role(held.id, &held.rights)),
        }
    }

    /// Returns the id of the next user.
    #[must_use]
    pub fn next_id(&self) -> UserId {
        UserId(self.last.saturating_add(1))
    }

    fn next_group(&self) -> GroupId {
        GroupId(self.last_group.saturating_add(1))
    }

    fn put(&mut self, user: User) {
        if let Some(before) = self.get(user.id).cloned() {
            self.emails.remove(&before.email, user.id);
            if let Some(email) = before.declared_email() {
                self.declared.remove(email, user.id);
            }
        }
        self.emails.insert(&user.email, user.id);
        if let Some(email) = user.declared_email() {
            self.declared.insert(email, user.id);
        }
        if let Some(place) = self.place(user.id) {
            self.users.replace(place, user);
            return;
        }
        let place = self.users.len();
        if usual_place(user.id) != Some(place) {
            self.places.insert(user.id, place);
        }
        self.last = self.last.max(user.id.0);
        self.users.push(user);
    }

    /// Changes something but the address of every user for whom `change` gives something.
    fn change(&mut self, change: impl Fn(&User) -> Option<User>) {
        let new_users: Vec<User> = self.users.iter().filter_map(|user| change(user)).collect();
        for user in new_users {
            if let Some(place) = self.place(user.id) {
                self.users.replace(place, user);
            }
        }
    }

    fn take_roles(&mut self, change: &RolesChange) {
        let mut roles = self.roles.as_ref().clone();
        match change {
            RolesChange::Set(set) => {
                roles.extend(set.iter().map(|role| (role.id, role.clone())));
            }
            RolesChange::Deleted(id) => {
                if let Some(role) = roles.remove(id) {
                    // Holders keep exactly the rights that the role gave them.
                    self.change(|user| {
                        (user.role() == Some(*id)).then(|| User {
                            standing: Standing::Own(Box::new(role.rights.clone())),
                            ..user.clone()
                        })
                    });
                }
            }
        }
        self.roles = Arc::new(roles);
    }
}

/// The place of a user with this number if none was chosen.
fn usual_place(id: UserId) -> Option<usize> {
    usize::try_from(id.0.checked_sub(1)?).ok()
}

impl State for Users {
    type Id = AccountId;
    type Event = UsersEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::USERS;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            users: Pages::default(),
            places: SharedMap::default(),
            last: 0,
            roles: Arc::default(),
            groups: Arc::new(Group::first()),
            last_group: Group::DEFAULT.0,
            emails: Emails::default(),
            declared: Emails::default(),
        }
    }

    fn apply(&mut self, event: &UsersEvent) {
        match event {
            UsersEvent::Declared(declared) => self.put(declared.user.clone()),
            UsersEvent::Added { users, .. } => users.iter().for_each(|user| self.put(user.clone())),
            UsersEvent::Switched {
                users,
                active,
                client,
                ..
            } => {
                for id in users {
                    if let Some(user) = self.get(*id).map(AsRef::as_ref).cloned() {
                        // Who comes back signs in again.
                        let sessions_ended = user.sessions_ended.saturating_add(u64::from(!active));
                        self.put(User {
                            active: *active,
                            admitted_by: user.admitted_once(*active, client.as_ref()),
                            sessions_ended,
                            ..user
                        });
                    }
                }
            }
            UsersEvent::Roles(taken) => self.take_roles(&taken.change),
            UsersEvent::Group { group, .. } => {
                Arc::make_mut(&mut self.groups).insert(group.id, group.clone());
                self.last_group = self.last_group.max(group.id.0);
            }
            UsersEvent::GroupDeleted { group, .. } => {
                Arc::make_mut(&mut self.groups).remove(group);
            }
        }
    }

    fn index(&self, event: &UsersEvent, entries: &mut IndexEntries) {
        match event {
            UsersEvent::Declared(declared) => self.find_by(&declared.user, entries),
            UsersEvent::Added { users, .. } => {
                users.iter().for_each(|user| self.find_by(user, entries));
            }
            UsersEvent::Switched { users, active, .. } => {
                for known in users.iter().filter_map(|id| self.get(*id)) {
                    let user = User {
                        active: *active,
                        ..known.as_ref().clone()
                    };
                    self.find_by(&user, entries);
                }
            }
            UsersEvent::Roles(_) | UsersEvent::Group { .. } | UsersEvent::GroupDeleted { .. } => {}
        }
        let audit = match event {
            UsersEvent::Declared(declared) => std::slice::from_ref(&declared.audit),
            UsersEvent::Added { audit, .. } | UsersEvent::Switched { audit, .. } => audit,
            UsersEvent::Roles(taken) => taken.audit.as_slice(),
            UsersEvent::Group { audit, .. } | UsersEvent::GroupDeleted { audit, .. } => {
                std::slice::from_ref(audit.as_ref())
            }
        };
        for entry in audit {
            entry.index(entries);
        }
    }
}

impl Users {
    /// The rows by which a user is found from now on take the place of those of before.
    fn find_by(&self, user: &User, entries: &mut IndexEntries) {
        let account = self.account;
        let before = self.get(user.id).map(|user| found_by(account, user));
        let (before, now) = (before.unwrap_or_default(), found_by(account, user));
        for (table, row) in before.iter().filter(|row| !now.contains(row)) {
            entries.delete(*table, row.as_slice());
        }
        for (table, row) in now.into_iter().filter(|row| !before.contains(row)) {
            entries.put(table, row, Vec::new());
        }
    }
}

/// The rows by which a user is found in all accounts: the fixed token, and, while the user is active, the e-mail address.
fn found_by(account: AccountId, user: &User) -> Vec<(Table, Vec<u8>)> {
    let holder = Holder {
        account,
        user: user.id,
    };
    let token = user.token.as_ref().map(|hash| {
        let row = secret_row(hash, SecretKind::Fixed, holder);
        (tables::SECRETS, row)
    });
    let email = user.active.then(|| {
        let row = email_row(&user.email, holder);
        (tables::USERS_BY_EMAIL, row)
    });
    token.into_iter().chain(email).collect()
}

#[cfg(test)]
mod tests;
