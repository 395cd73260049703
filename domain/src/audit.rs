//! The audit log: who changed what, and when.
//!
//! An entry is a part of the event that makes the change, so neither is ever stored without the other. A state that
//! audits its changes puts an [`AuditEntry`] into its events and calls [`AuditEntry::index`] in its `index`; the log
//! is then found through [`tables::AUDIT`], for the installation as a whole and for each account. An action that
//! changes no state of its own is noted with [`crate::operator::note::Note`].

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{AccountId, AuditId, UserId};
use crate::keys;
use crate::oauth::acting_client::ActingClient;
use crate::tables;
use crate::text::Name;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::Moment;

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its id.
    pub id: AuditId,
    /// The time of the action.
    pub at: UnixMillis,
    /// The actor.
    pub by: By,
    /// The action, as in `channel.pause`: the kind of object, a full stop, a verb.
    pub action: String,
    /// The id of the object.
    pub object: String,
    /// The account that it concerns; `None` when it concerns the installation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// The differences that the action made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Difference>,
}

/// The actor of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum By {
    /// The holder of the operator's token.
    Operator,
    /// The configuration, at a start of the service.
    Configuration,
    /// The service itself, for something that it met and that no person did here.
    Service,
    /// An account user.
    User {
        /// The user's account.
        account: AccountId,
        /// The user's number.
        user: UserId,
        /// The user's name at the time.
        name: Name,
        /// The OAuth client that acted for the user; `None` when the user acted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<ActingClient>,
    },
}

impl By {
    /// The account user, if one acted.
    #[must_use]
    pub fn user(&self) -> Option<UserId> {
        match self {
            Self::Operator | Self::Configuration | Self::Service => None,
            Self::User { user, .. } => Some(*user),
        }
    }

    /// The account of a user.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Self::Operator | Self::Configuration | Self::Service => None,
            Self::User { account, .. } => Some(*account),
        }
    }

    /// The OAuth client that acted for a user, if one did.
    #[must_use]
    pub fn client(&self) -> Option<&ActingClient> {
        match self {
            Self::Operator | Self::Configuration | Self::Service => None,
            Self::User { client, .. } => client.as_ref(),
        }
    }
}

/// One field that is different since. Never holds a secret: of those only the name is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The field.
    pub field: String,
    /// The earlier value; null for nothing, and for a secret.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub before: Value,
    /// The new value; null for nothing, and for a secret.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub after: Value,
}

impl Difference {
    /// Returns a field that has this value now, and had none.
    #[must_use]
    pub fn set(field: &str, after: impl Into<Value>) -> Self {
        Self {
            field: field.to_owned(),
            before: Value::Null,
            after: after.into(),
        }
    }
}

impl AuditEntry {
    /// An entry for an action that `by` takes now.
    #[must_use]
    pub fn new<E>(by: By, action: &str, object: impl Display, moment: &mut Moment<'_, E>) -> Self {
        Self {
            id: AuditId::from_random((moment.random)()),
            at: moment.now,
            by,
            action: action.to_owned(),
            object: object.to_string(),
            account: None,
            changes: Vec::new(),
        }
    }

    /// It concerns this account.
    #[must_use]
    pub fn of_account(mut self, account: AccountId) -> Self {
        self.account = Some(account);
        self
    }

    /// A field of it changes; nothing is noted when it does not.
    #[must_use]
    pub fn change(
        mut self,
        field: &str,
        before: impl Into<Value>,
        after: impl Into<Value>,
    ) -> Self {
        let (before, after) = (before.into(), after.into());
        if before != after {
            self.changes.push(Difference {
                field: field.to_owned(),
                before,
                after,
            });
        }
        self
    }

    /// A secret of it changes: that is noted, and no more.
    #[must_use]
    pub fn secret(mut self, field: &str) -> Self {
        self.changes.push(Difference {
            field: field.to_owned(),
            before: Value::Null,
            after: Value::Null,
        });
        self
    }

    /// Puts the entry into the log, and into that of its account. To be called by the `index` of the state whose event
    /// holds it.
    pub fn index(&self, entries: &mut IndexEntries) {
        #[expect(
            clippy::expect_used,
            reason = "structs of text, numbers and JSON always have a JSON form"
        )]
        let row = serde_json::to_vec(self).expect("an audit entry becomes JSON");
        for log in [None, self.account] {
            entries.put(
                tables::AUDIT,
                keys::audit_row(log, self.at, self.id),
                row.clone(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::OauthClientId;

    fn entry(random: u8) -> AuditEntry {
        let mut bytes = || [random; 16];
        let mut moment = Moment::<()> {
            now: UnixMillis::from_secs(7),
            random: &mut bytes,
            earlier: &[],
        };
        AuditEntry::new(By::Operator, "channel.update", "messenger", &mut moment)
    }

    #[test]
    fn unchanged_fields_are_not_audited_and_secrets_only_by_name() {
        let entry = entry(1)
            .change("name", "A", "A")
            .change("webhook_v1", Value::Null, "https://example.com")
            .secret("secret");
        let value = serde_json::to_value(&entry).unwrap();
        let changes = serde_json::json!([
            { "field": "webhook_v1", "after": "https://example.com" },
            { "field": "secret" },
        ]);
        assert_eq!(value["changes"], changes);
        assert_eq!(value["by"], serde_json::json!({ "kind": "operator" }));
        let back: AuditEntry = serde_json::from_value(value).unwrap();
        assert_eq!(back, entry);
    }

    #[test]
    fn the_client_that_acted_for_a_user_is_their_own() {
        let client = ActingClient {
            id: OauthClientId::from_random([3; 16]),
            name: "Mobile".parse().unwrap(),
        };
        let user = |client| By::User {
            account: AccountId::from_random([9; 16]),
            user: UserId(1),
            name: "Ada".parse().unwrap(),
            client,
        };
        assert_eq!(user(Some(client.clone())).client(), Some(&client));
        assert_eq!(user(None).client(), None);
        assert_eq!(By::Operator.client(), None);
    }

    #[test]
    fn an_audit_entry_is_in_the_global_log_and_in_its_accounts() {
        let account = AccountId::from_random([9; 16]);
        let rows = |entry: AuditEntry| {
            let mut entries = IndexEntries::default();
            entry.index(&mut entries);
            let mut keys: Vec<_> = entries.rows.into_iter().map(|row| row.key).collect();
            keys.dedup();
            keys
        };
        assert_eq!(rows(entry(1)).len(), 1);
        let both = rows(entry(1).of_account(account));
        assert!(both[0].starts_with(&keys::audit_prefix(None)));
        assert!(both[1].starts_with(&keys::audit_prefix(Some(account))));
        assert!(!both[0].starts_with(&keys::audit_prefix(Some(account))));
    }
}
