//! Ids that were chosen for a world, so that a program that carries them finds what it knows.

use std::collections::BTreeMap;
use std::error::Error;

use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::crm::predefined_field::FieldIds;
use switchboard_actors::domain::id::{AccountId, ChannelId, UserId};
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::accounts::subdomain::Subdomain;
use switchboard_actors::domain::text::Name;

use crate::fixtures::{self, Furniture};
use crate::world::secrets::Secrets;

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
    /// Returns the entities of a world with these secrets when it begins.
    pub(super) fn furniture(&self, secrets: &Secrets) -> Result<Furniture, Box<dyn Error>> {
        // Those with chosen numbers come first: what is left is Ada's.
        let others = self
            .users
            .keys()
            .map(String::as_str)
            .filter(|name| !name.eq_ignore_ascii_case("ada"));
        let users = others.chain(["Ada"]).map(|name| {
            Ok(DeclareUser {
                id: self.user(name),
                ..fixtures::administrator(name, &secrets.token(name))?
            })
        });
        Ok(Furniture {
            account: self.account(secrets.account(), "Account".parse()?),
            pipelines: self.pipelines.clone(),
            users: users.collect::<Result<_, Box<dyn Error>>>()?,
            channel: secrets.channel(),
        })
    }

    /// The account with these ids.
    fn account(&self, id: AccountId, name: Name) -> DeclareAccount {
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
    fn user(&self, name: &str) -> Option<UserId> {
        let mut users = self.users.iter();
        let user = users.find(|(known, _)| known.eq_ignore_ascii_case(name));
        user.map(|(_, id)| *id)
    }
}

#[cfg(test)]
mod tests {
    use switchboard_actors::domain::crm::pipelines::{ChosenPipeline, ChosenStage, pipelines};
    use switchboard_actors::domain::id::{FieldId, PipelineId, StageId};

    use super::*;
    use crate::world::{World, WorldConfig};

    fn chosen() -> ChosenPipeline {
        ChosenPipeline {
            id: PipelineId(7),
            name: "Sales".parse().unwrap(),
            unsorted: StageId(50),
            stages: vec![ChosenStage {
                id: StageId(60),
                name: "Talks".parse().unwrap(),
            }],
        }
    }

    #[test]
    fn a_world_begins_with_the_ids_that_were_chosen() {
        let ids = OwnIds {
            subdomain: Some("shop".parse().unwrap()),
            channel: Some("built-in".parse().unwrap()),
            fields: FieldIds {
                phone: FieldId(264_911),
                ..FieldIds::default()
            },
            pipelines: pipelines(&[chosen()]).unwrap(),
            users: BTreeMap::from([("bo".to_owned(), UserId(1)), ("Ada".to_owned(), UserId(9))]),
        };
        let world = World::with(WorldConfig {
            ids,
            ..WorldConfig::default()
        });
        world.customer("cy").says("Hi");
        assert_eq!(world.leads()[0].stage, StageId(50));
        let account = world
            .run(async |system| system.account_of_subdomain("shop"))
            .unwrap();
        assert_eq!(account.id, world.account());
        assert_eq!(account.settings.phone_field_id, FieldId(264_911));
        assert_eq!(world.scope().channel().as_str(), "built-in");
        // Both are there, with their numbers.
        world.user("bo").replies("Hello");
        world.user("ada").replies("Hello again");
        assert_eq!(world.texts("cy"), ["Hi", "Hello", "Hello again"]);
    }
}
