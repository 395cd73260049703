//! `GET /api/v4/users`: the users of the caller's account, by number.

use std::sync::Arc;

use actix_web::HttpResponse;
use switchboard_actors::domain::account::user::User;
use switchboard_actors::domain::text::normal_form::is_wanted;
use switchboard_actors::system::user_access::EntityFilter;

use crate::account::filters::{Filter, entity_filter};
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::Operation;
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;
use crate::users::PATH;
use crate::users::view::with_schema;
use crate::users::view::{UserView, With};

/// The filters of the list.
const FILTERS: [Filter; 4] = [Filter::Query, Filter::Id, Filter::Name, Filter::Order];

pub(crate) async fn list(access: Access<Administrator>) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let query = Query::of(&access.request)?;
    let with = With::of(&query);
    let users = access.system().users(caller.account).await?;
    let filter = entity_filter(&query, &FILTERS)?;
    let mut wanted: Vec<&Arc<User>> = users
        .iter_from(0)
        .filter(|user| takes(&filter, user))
        .collect();
    if filter.order.is_some_and(|order| order.descending) {
        wanted.reverse();
    }
    let collection = Collection::of(&query, wanted.len())?;
    let shown = wanted.into_iter().skip(collection.skip());
    let shown: Vec<&Arc<User>> = shown.take(collection.limit()).collect();
    let mut extras = with
        .extras(&access.state, caller.account, &shown)
        .await?
        .into_iter();
    let views: Vec<UserView<'_>> = shown
        .iter()
        .map(|user| UserView::of(&access.base, &users, user, &with, extras.next()))
        .collect();
    let links = collection.links(&access.base, PATH, access.request.query_string());
    Ok(hal::collection_page(&collection, &links, "users", &views))
}

fn takes(filter: &EntityFilter, user: &User) -> bool {
    let (name, email) = (user.name.as_str(), user.email.as_str());
    let found = filter.query.as_ref();
    (filter.ids.is_empty() || filter.ids.contains(&user.id.0))
        && is_wanted(&filter.names, name)
        && found.is_none_or(|search| search.missing_in(&[name, email]).is_empty())
}

pub(crate) fn describe() -> Operation {
    Operation::users("listUsers", "List the users of the caller's account.")
        .pages()
        .filtered(&FILTERS)
        .query("with", with_schema())
        .answers_collection::<UserView<'_>>("users")
}
