//! `/inbox/v1/views`: filters of the list of conversations, saved under a name for their author or for the team.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::conversation::filters::{ConversationFilters, FilterName};
use switchboard_actors::domain::id::{SavedViewId, UserId};
use switchboard_actors::domain::saved_views::saved_view::SavedViewRejection;
use switchboard_actors::domain::text::SavedViewName;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{FiltersRejection, SavedViewEntry};
use switchboard_actors::wire::inbox_body::saved_view::{
    ChangedSavedView, NewSavedView, parse_change, parse_new,
};

use crate::extract::access::Access;
use crate::extract::body;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::Problem;
use crate::reply::{list, paging};

const NONE: &str = "The caller has no such view.";
const OF_TEAM: &str = "It is a view of the team, and the caller is no administrator.";
const FULL: &str = "The team has 100 views, the caller has 50, or the account has 10,000.";

view! {
    #[schemars(rename = "View")]
    struct ViewView<'v>(entry: &'v SavedViewEntry) {
        id: SavedViewId = entry.view.id,
        name: &'v SavedViewName = &entry.view.settings.name,
        /// True for a view of the team; false for one that its author alone has.
        is_shared: bool = entry.view.is_shared,
        /// The author.
        user_id: UserId = entry.view.author,
        /// The filters, with the values of the parameters of `GET /inbox/v1/conversations`.
        filters: &'v ConversationFilters = &entry.view.settings.filters,
        /// The names of the filters that name what the account has no longer: such a view finds nothing.
        missing: &'v [FilterName] = &entry.missing,
        /// The number of the version, which only grows.
        version: u64 = entry.view.version,
        created_at: Seconds = entry.view.created_at.into(),
        updated_at: Seconds = entry.view.updated_at.into(),
    }
}

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let views = access.open().await?.saved_views().await?;
    let page = paging::smallest_first(&query, &views, |it| it.view.id)?;
    let entries = page.entries.into_iter().map(ViewView::new);
    Ok(list::page("views", entries, page.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<SavedViewId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.saved_view(id).await;
    Ok(HttpResponse::Ok().json(ViewView::new(&result.map_err(refused)?)))
}

pub(crate) async fn create(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await?;
    let new = parse_new(&bytes)?;
    let result = user.create_saved_view(new.is_shared, new.settings).await;
    Ok(HttpResponse::Created().json(ViewView::new(&result.map_err(refused)?)))
}

pub(crate) async fn update(
    access: Access,
    Numbered(id): Numbered<SavedViewId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await?;
    let result = user.update_saved_view(id, parse_change(&bytes)?).await;
    Ok(HttpResponse::Ok().json(ViewView::new(&result.map_err(refused)?)))
}

pub(crate) async fn delete(
    access: Access,
    Numbered(id): Numbered<SavedViewId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.delete_saved_view(id).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) fn refused(error: CommandError<FiltersRejection>) -> Problem {
    use SavedViewRejection as Why;
    error.into_error(|rejection| match rejection {
        FiltersRejection::Wrong(violations) => Problem::Validation(violations),
        FiltersRejection::View(why) => {
            let detail = why.to_string();
            match why {
                Why::Unknown => Problem::NotFound(detail),
                Why::OfTeam => Problem::Forbidden(detail),
                Why::NameTaken | Why::ChangedMeanwhile => Problem::Conflict(detail),
                Why::Full(_) => Problem::Unprocessable(detail),
            }
        }
    })
}

pub(crate) fn describe_list() -> Operation {
    Operation::inbox(
        "listSavedViews",
        "List the views of the caller, their own and those of the team.",
    )
    .says("By number.")
    .cursor()
    .answers_next::<ViewView<'_>>("views", "A page.")
}

pub(crate) fn describe_get() -> Operation {
    Operation::inbox("getSavedView", "Get a view.")
        .path("id", Schema::number())
        .gives::<ViewView<'_>>(200, "The view.")
        .refuses(404, NONE)
}

pub(crate) fn describe_create() -> Operation {
    Operation::inbox("createSavedView", "Create a view.")
        .says("Filters of the list of conversations under a name, for the caller or, by an administrator, for the team. `view` of `GET /inbox/v1/conversations` applies them. Those who have the view receive the event `view`.")
        .takes::<NewSavedView>(json!({ "name": "My open ones", "filters": { "responsible": "me", "status": "open" } }))
        .gives::<ViewView<'_>>(201, "On disk.")
        .refuses(403, OF_TEAM)
        .refuses(409, "The name is taken.")
        .refuses(422, FULL)
}

pub(crate) fn describe_update() -> Operation {
    Operation::inbox("updateSavedView", "Update a view.")
        .says("Fields that the body does not name keep their values. `based_on` keeps an older page from overwriting a newer version.")
        .path("id", Schema::number())
        .takes::<ChangedSavedView>(json!({ "name": "My open conversations" }))
        .gives::<ViewView<'_>>(200, "On disk.")
        .refuses(403, OF_TEAM)
        .refuses(404, NONE)
        .refuses(409, "The name is taken, or a newer version is stored.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::inbox("deleteSavedView", "Delete a view.")
        .path("id", Schema::number())
        .answers_nothing(204, "Deleted.")
        .refuses(403, OF_TEAM)
        .refuses(404, NONE)
}
