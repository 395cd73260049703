//! The operations on leads and contacts, which both have in the same form: each kind says what differs.

use std::collections::BTreeMap;
use std::slice;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use switchboard_actors::domain::crm::custom_fields::CustomFields;
use switchboard_actors::domain::crm::custom_fields::value::FieldValues;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::user_access::{EntityFilter, Listed, PageStart, UserAccess};
use switchboard_actors::wire::account_body::entry::{self, Entry};

use crate::account::batch::{self, Lookup};
use crate::account::entity::unknown;
use crate::account::filters::{Filter, entity_filter, has_value_filters, value_filters};
use crate::account::place::Place;
use crate::account::{Outcome, refused};
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::openapi::Operation;
use crate::reply::hal;
use crate::reply::problem::Problem;

/// A kind of entries with its operations.
pub(crate) trait EntryResource: Entry {
    /// The filters of the list.
    const FILTERS: &'static [Filter];

    async fn find(user: &UserAccess, id: Self::Id) -> Result<Option<Self>, UnavailableError>;

    async fn find_page(
        user: &UserAccess,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Self>, UnavailableError>;

    async fn add(user: &UserAccess, entries: Vec<Self::New>) -> Outcome<Vec<Self>>;

    async fn change(user: &UserAccess, id: Self::Id, change: Self::Change) -> Outcome<Self>;

    async fn change_several(
        user: &UserAccess,
        changes: Vec<(Self::Id, Self::Change)>,
    ) -> Outcome<Vec<Self>>;

    /// The values of the entry's custom fields.
    fn field_values(&self) -> &FieldValues;

    /// Returns whether answers to the request show the leads of an entry.
    fn shows_leads(_request: &HttpRequest) -> Result<bool, Problem> {
        Ok(false)
    }

    async fn view<'v>(
        &'v self,
        user: &'v UserAccess,
        place: &'v Place<'v>,
        shows_leads: bool,
    ) -> Result<impl Serialize, Problem>;

    fn view_added(&self, base: &str, request_id: &str) -> impl Serialize;

    fn view_changed(&self, base: &str, request_id: &str) -> impl Serialize;

    fn describe_list() -> Operation;

    fn describe_get() -> Operation;

    fn describe_post() -> Operation;

    fn describe_patch() -> Operation;

    fn describe_patch_several() -> Operation;

    async fn list(access: Access) -> Result<HttpResponse, Problem> {
        let request = access.page(Self::FILTERS)?;
        let mut filter = entity_filter(&request.query, Self::FILTERS)?;
        let user = access.open().await?;
        if has_value_filters(&request.query) {
            let fields = user.custom_fields().await?;
            filter.values = value_filters(&request.query, &fields, Self::KIND)?;
        }
        let page = Self::find_page(&user, &filter, request.start, request.limit()).await?;
        let fields = shown_fields(&user, &page.entries).await?;
        let place = access.place(&user)?.with_fields(fields);
        let shows_leads = Self::shows_leads(&access.request)?;
        let mut views = Vec::with_capacity(page.entries.len());
        for entry in &page.entries {
            views.push(entry.view(&user, &place, shows_leads).await?);
        }
        let name = Self::KIND.word();
        let address = access.address(&format!("/api/v4/{name}"));
        Ok(request.page_or_nothing(&address, name, views.into_iter(), page.next))
    }

    async fn get(
        access: Access,
        Numbered(id): Numbered<Self::Id>,
    ) -> Result<HttpResponse, Problem> {
        let shows_leads = Self::shows_leads(&access.request)?;
        let user = access.open().await?;
        let Some(entry) = Self::find(&user, id).await? else {
            return Ok(hal::nothing());
        };
        let fields = shown_fields(&user, slice::from_ref(&entry)).await?;
        let place = access.place(&user)?.with_fields(fields);
        Ok(hal::ok(&entry.view(&user, &place, shows_leads).await?))
    }

    /// Adds entries, all of them or none.
    async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
        let bytes = access.entities(payload).await?;
        let user = access.open().await?;
        let lookup = Lookup::load(&user, Self::KIND, &bytes).await?;
        let caller = access.caller.0.user;
        let items = entry::parse_new::<Self>(&bytes, lookup.known(&user), caller)?;
        let result = Self::add(&user, batch::values(&items)).await;
        let entries = result.map_err(|why| refused(why, || unknown(Self::KIND)))?;
        let view = |entry, name| Self::view_added(entry, &access.base, name);
        Ok(batch::answer(Self::KIND.word(), &entries, &items, view))
    }

    async fn patch(
        access: Access,
        Numbered(id): Numbered<Self::Id>,
        payload: web::Payload,
    ) -> Result<HttpResponse, Problem> {
        let unknown = || unknown(Self::KIND);
        let user = access.open().await?;
        let current = Self::find(&user, id).await?.ok_or_else(unknown)?;
        let bytes = access.entities(payload).await?;
        let lookup = Lookup::load(&user, Self::KIND, &bytes).await?;
        let change = entry::parse_change(&bytes, lookup.known(&user), &current)?;
        let result = Self::change(&user, id, change).await;
        let entry = result.map_err(|why| refused(why, unknown))?;
        let fields = shown_fields(&user, slice::from_ref(&entry)).await?;
        let place = access.place(&user)?.with_fields(fields);
        Ok(hal::ok(&entry.view(&user, &place, false).await?))
    }

    /// Changes several entries. Nothing is changed unless every item is right and may be changed.
    async fn patch_several(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
        let bytes = access.entities(payload).await?;
        let user = access.open().await?;
        let mut current = BTreeMap::new();
        for id in entry::changed_ids(&bytes).into_iter().map(Self::id) {
            current.extend(Self::find(&user, id).await?.map(|entry| (id, entry)));
        }
        let lookup = Lookup::load(&user, Self::KIND, &bytes).await?;
        let items = entry::parse_changes(&bytes, lookup.known(&user), |id| current.get(&id))?;
        let result = Self::change_several(&user, batch::values(&items)).await;
        let entries = result.map_err(|why| refused(why, || unknown(Self::KIND)))?;
        let view = |entry, name| Self::view_changed(entry, &access.base, name);
        Ok(batch::answer(Self::KIND.word(), &entries, &items, view))
    }
}

/// The definitions that an answer about these entries needs: none are read when no entry has a value.
async fn shown_fields<E: EntryResource>(
    user: &UserAccess,
    entries: &[E],
) -> Result<CustomFields, UnavailableError> {
    if entries.iter().all(|entry| entry.field_values().is_none()) {
        return Ok(CustomFields::default());
    }
    user.custom_fields().await
}
