//! Ids that were chosen for a world, so that a program that carries them finds what it knows.

use std::collections::BTreeMap;
use std::error::Error;

use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::crm::custom_fields::create::NewCustomField;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::predefined_field::FieldIds;
use switchboard_actors::domain::id::{AccountId, ChannelId, SalesbotId, UserId};
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::accounts::subdomain::Subdomain;
use switchboard_actors::domain::salesbots::salesbot::SalesbotAction;
use switchboard_actors::domain::text::Name;
use switchboard_actors::system::System;

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
    /// Custom fields of leads, with their numbers.
    pub lead_fields: Vec<NewCustomField>,
    /// Custom fields of contacts, with their numbers.
    pub contact_fields: Vec<NewCustomField>,
    /// Salesbots, with their numbers.
    pub salesbots: Vec<OwnSalesbot>,
}

/// A salesbot that a world begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSalesbot {
    /// Its number.
    pub id: SalesbotId,
    /// Its name.
    pub name: Name,
    /// Its action.
    pub action: SalesbotAction,
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

    /// The administrator with this token defines the custom fields and the salesbots.
    pub(super) async fn define(&self, system: &System, token: &str) -> Result<(), Box<dyn Error>> {
        let caller = system.caller(token).await?;
        let access = system
            .user_access(&caller.ok_or("no user has this token")?)
            .await?;
        for (entity, fields) in [
            (EntityKind::Leads, &self.lead_fields),
            (EntityKind::Contacts, &self.contact_fields),
        ] {
            if !fields.is_empty() {
                access.create_custom_fields(entity, fields.clone()).await?;
            }
        }
        for OwnSalesbot { id, name, action } in self.salesbots.clone() {
            access.create_salesbot(Some(id), name, action).await?;
        }
        Ok(())
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
    use switchboard_actors::domain::crm::custom_fields::FieldType;
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

    fn field(id: u64, name: &str) -> NewCustomField {
        NewCustomField {
            id: Some(FieldId(id)),
            name: name.parse().unwrap(),
            kind: FieldType::Text,
            code: None,
            sort: None,
            api_only: false,
            enums: Vec::new(),
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
            lead_fields: vec![field(700, "Answer")],
            contact_fields: vec![field(600, "City")],
            salesbots: vec![OwnSalesbot {
                id: SalesbotId(70_001),
                name: "Answer".parse().unwrap(),
                action: SalesbotAction::SendField(FieldId(700)),
            }],
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
        let (fields, bots) = world.run(async |system| {
            let ada = system.caller(&world.user("ada").token()).await;
            let access = system.user_access(&ada.unwrap().unwrap()).await.unwrap();
            let bots = access.salesbots().await.unwrap();
            (access.custom_fields().await.unwrap(), bots)
        });
        let entity = |id| fields.find(FieldId(id)).unwrap().entity;
        assert_eq!(entity(700), EntityKind::Leads);
        assert_eq!(entity(600), EntityKind::Contacts);
        let action = SalesbotAction::SendField(FieldId(700));
        assert_eq!(bots.get(SalesbotId(70_001)).unwrap().action, action);
    }
}
