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
    let query = Query::from_request(&access.request)?;
    let with = With::from_query(&query);
    let users = access.system().users(caller.account).await?;
    let pipelines = access.system().pipelines(caller.account).await?;
    let filter = entity_filter(&query, &FILTERS)?;
    let mut matches: Vec<&Arc<User>> = users
        .iter_from(0)
        .filter(|user| takes(&filter, user))
        .collect();
    if filter.order.is_some_and(|order| order.descending) {
        matches.reverse();
    }
    let collection = Collection::new(&query, matches.len())?;
    let page: Vec<&Arc<User>> = matches
        .into_iter()
        .skip(collection.skip())
        .take(collection.limit())
        .collect();
    let mut extras = with
        .extras(&access.state, caller.account, &page)
        .await?
        .into_iter();
    let views: Vec<UserView<'_>> = page
        .iter()
        .map(|user| UserView::new(&access.base, &users, &pipelines, user, &with, extras.next()))
        .collect();
    let links = collection.links(&access.base, PATH, access.request.query_string());
    Ok(hal::collection_page(&collection, &links, "users", &views))
}

fn takes(filter: &EntityFilter, user: &User) -> bool {
    let (name, email) = (user.name.as_str(), user.email.as_str());
    let search = filter.query.as_ref();
    (filter.ids.is_empty() || filter.ids.contains(&user.id.0))
        && is_wanted(&filter.names, name)
        && search.is_none_or(|search| search.missing_in(&[name, email]).is_empty())
}

pub(crate) fn describe() -> Operation {
    Operation::users("listUsers", "List the users of the caller's account.")
        .pages()
        .filtered(&FILTERS)
        .query("with", with_schema())
        .answers_collection::<UserView<'_>>("users")
}
