//! The users whom OAuth clients admitted: those whom a client created, or was the last to activate.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::account::user::User;
use crate::account::users::Users;
use crate::id::OauthClientId;

impl Users {
    /// The active users whom this client admitted, by number.
    pub fn admitted_by(&self, client: OauthClientId) -> impl Iterator<Item = &Arc<User>> {
        let users = self.iter();
        users.filter(move |user| admission(user) == Some(client))
    }

    /// Returns the number of active users that each client admitted; clients without one are left out.
    #[must_use]
    pub fn admissions(&self) -> BTreeMap<OauthClientId, usize> {
        let mut counts = BTreeMap::<_, usize>::new();
        for client in self.iter().filter_map(|user| admission(user)) {
            let count = counts.entry(client).or_default();
            *count = count.saturating_add(1);
        }
        counts
    }
}

/// The client that admitted a user who is active.
fn admission(user: &User) -> Option<OauthClientId> {
    let client = user.admitted_by.as_ref().filter(|_| user.active);
    client.map(|client| client.id)
}
