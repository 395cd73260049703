//! Shared by handlers of several entities: what a body names is looked up before it is read, and each entity of the answer
//! has the name that the client gave it.

use actix_web::HttpResponse;
use serde::Serialize;
use switchboard_actors::domain::crm::Crm;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::system::user_access::UserAccess;
use switchboard_actors::wire::account_body::entries::{KnownReferences, Mentioned, Numbers};
use switchboard_actors::wire::account_body::items::Item;

use crate::reply::hal;
use crate::reply::problem::Problem;

/// The things that a body names by number, looked up.
pub(super) struct Lookup {
    crm: Crm,
    mentioned: Mentioned,
}

impl Lookup {
    /// Looks up what the body names and the caller may see.
    pub(super) async fn load(
        access: &UserAccess,
        kind: EntityKind,
        body: &[u8],
    ) -> Result<Self, Problem> {
        Self::load_numbers(access, kind, &Numbers::parse(body)).await
    }

    /// Looks up what has these numbers and the caller may see.
    pub(super) async fn load_numbers(
        access: &UserAccess,
        kind: EntityKind,
        numbers: &Numbers,
    ) -> Result<Self, Problem> {
        Ok(Self {
            mentioned: access.mentioned(kind, numbers).await?,
            crm: access.crm().await?,
        })
    }

    pub(super) fn known<'k>(&'k self, access: &'k UserAccess) -> KnownReferences<'k> {
        KnownReferences {
            crm: &self.crm,
            users: access.users(),
            fields: access.field_ids(),
            mentioned: &self.mentioned,
        }
    }
}

/// The values of items, without their names.
pub(super) fn values<T: Clone, C: FromIterator<T>>(items: &[Item<T>]) -> C {
    items.iter().map(|item| item.value.clone()).collect()
}

/// The answer about several entities: each as `view` shows it, with the name of its item.
pub(super) fn answer<'e, E, T, V: Serialize>(
    name: &'static str,
    entities: &'e [E],
    items: &'e [Item<T>],
    view: impl Fn(&'e E, &'e str) -> V,
) -> HttpResponse {
    let pairs = entities.iter().zip(items);
    let views: Vec<V> = pairs
        .map(|(entity, item)| view(entity, &item.request_id))
        .collect();
    hal::collection(name, &views)
}
