//! Shared by handlers of several entities: what a body names is looked up before it is read, and each entity of the answer
//! has the name that the client gave it.

use actix_web::HttpResponse;
use serde::Serialize;
use switchboard_actors::domain::crm::Crm;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::user_access::UserAccess;
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::entries::{KnownReferences, Mentioned, Numbers};
use switchboard_actors::wire::account_body::items::Item;

use crate::openapi::Seconds;
use crate::reply::hal::{self, Links};
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

/// The refusal of the items at these places, whose `entity_id` is of no lead or contact that the caller may see.
pub(super) fn unknown_subjects<T>(
    items: &[Item<T>],
    places: Vec<usize>,
    kind: impl Fn(&T) -> Option<EntityKind>,
) -> Problem {
    let wrong = |place: usize| {
        let item = items.get(place)?;
        let one = kind(&item.value)?.singular();
        let detail = format!("expected the id of a {one} that you may see");
        let code = ViolationCode::NotSupportedChoice;
        Some(ItemError::field(
            &item.request_id,
            "entity_id",
            code,
            detail,
        ))
    };
    Problem::WrongItems(places.into_iter().filter_map(wrong).collect())
}

view! {
    /// A new entry: where it is.
    pub(super) struct EntryMade<'r>(base: &str, kind: &str, number: u64, request_id: &'r str) {
        #[schemars(range(min = 1))]
        id: u64 = number,
        request_id: &'r str = request_id,
        _links: Links = Links::to(format!("{base}/api/v4/{kind}/{number}")),
    }

    /// An entry after a change.
    pub(super) struct EntryChanged<'r>(base: &str, kind: &str, number: u64, now: UnixMillis, request_id: &'r str) {
        #[schemars(range(min = 1))]
        id: u64 = number,
        updated_at: Seconds = now.into(),
        request_id: &'r str = request_id,
        _links: Links = Links::to(format!("{base}/api/v4/{kind}/{number}")),
    }
}
