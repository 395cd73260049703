//! Ids that were chosen for a world, so that a program that carries them finds what it knows.

use std::collections::BTreeMap;

use crate::domain::crm::Pipeline;
use crate::domain::crm::custom_field::FieldIds;
use crate::domain::id::{AccountId, ChannelId, UserId};
use crate::domain::installation::accounts::declare::DeclareAccount;
use crate::domain::installation::accounts::settings::AccountSettings;
use crate::domain::installation::accounts::subdomain::Subdomain;
use crate::domain::text::Name;

/// Ids that a world has instead of the usual ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnIds {
    /// The subdomain of the account.
    pub subdomain: Option<Subdomain>,
    /// The channel.
    pub channel: Option<ChannelId>,
    /// The fields of contacts.
    pub fields: FieldIds,
    /// The pipelines; the usual one if there are none.
    pub pipelines: Vec<Pipeline>,
    /// Users who are there from the beginning, besides `ada`, with their numbers.
    pub users: BTreeMap<String, UserId>,
}

impl OwnIds {
    /// The account with these ids.
    pub(crate) fn account(&self, id: AccountId, name: Name) -> DeclareAccount {
        DeclareAccount {
            id,
            settings: AccountSettings {
                subdomain: self.subdomain.clone(),
                phone_field_id: self.fields.phone,
                email_field_id: self.fields.email,
                ..AccountSettings::new(name)
            },
        }
    }

    /// The number that was chosen for the user with this name.
    pub(crate) fn user(&self, name: &str) -> Option<UserId> {
        let mut users = self.users.iter();
        let user = users.find(|(known, _)| known.eq_ignore_ascii_case(name));
        user.map(|(_, id)| *id)
    }

    /// The part of them that makes the secrets of a world its own: worlds for different hosts or channels have nothing in common.
    pub(crate) fn purpose(&self) -> String {
        let subdomain = self.subdomain.as_ref().map_or("", Subdomain::as_str);
        let channel = self.channel.as_ref().map_or("", ChannelId::as_str);
        format!("world {subdomain} {channel}")
    }
}
