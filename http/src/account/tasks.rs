//! `GET`, `POST` and `PATCH /api/v4/tasks`, `GET` and `PATCH /api/v4/tasks/{id}`: what account users have to do.

mod describe;

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_actors::domain::crm::entity::NoteSubject;
use switchboard_actors::domain::crm::task::{Task, TaskContent};
use switchboard_actors::domain::crm::tasks::ChangedTask;
use switchboard_actors::domain::id::{AccountNumber, GroupId, TaskId, UserId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{TaskFilter, TasksRejection};
use switchboard_actors::wire::account_body::entry;
use switchboard_actors::wire::account_body::items::Item;
use switchboard_actors::wire::account_body::tasks;

pub(crate) use self::describe::*;
use crate::account::authorship::AuthorshipView;
use crate::account::batch::{self, EntryChanged, EntryMade};
use crate::account::filters::{Filter, all, entity_kinds, order, span, switches};
use crate::account::place::Place;
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::openapi::Seconds;
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The path of the list.
const PATH: &str = "/api/v4/tasks";
/// The filters of the list.
const FILTERS: [Filter; 12] = [
    Filter::Id,
    Filter::Responsible,
    Filter::CreatedBy,
    Filter::Completed,
    Filter::TaskType,
    Filter::TaskTypeId,
    Filter::EntityType,
    Filter::Entity,
    Filter::Due,
    Filter::UpdatedSince,
    Filter::Order,
    Filter::OrderByDue,
];

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let page = access.page(&FILTERS)?;
    let filter = task_filter(&page.query)?;
    let user = access.open().await?;
    let tasks = user.tasks(&filter, page.start, page.limit()).await?;
    let place = access.place(&user)?;
    let entries = tasks.entries.iter().map(|task| TaskView::new(&place, task));
    Ok(page.page_or_nothing(&access.address(PATH), "tasks", entries, tasks.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<TaskId>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let task = user.task(id).await?;
    let place = access.place(&user)?;
    let view = task.as_ref().map(|task| TaskView::new(&place, task));
    Ok(hal::entry(view))
}

/// Creates tasks, all of them or none.
pub(crate) async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let items = tasks::parse_new(&bytes, user.users(), access.caller.0.user)?;
    let result = user.create_tasks(batch::values(&items)).await;
    let tasks = result.map_err(|why| refused(why, &items, |content| content.about))?;
    let view = |task: &Task, name| EntryMade::new(&access.base, "tasks", task.id.0, name);
    Ok(batch::answer("tasks", &tasks, &items, view))
}

pub(crate) async fn patch(
    access: Access,
    Numbered(id): Numbered<TaskId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let seen = user.task(id).await?.ok_or_else(unknown)?;
    let bytes = access.entities(payload).await?;
    let change = tasks::parse_change(&bytes, user.users(), &seen)?;
    let item = Item {
        request_id: "0".to_owned(),
        value: ChangedTask { seen, change },
    };
    let result = user.update_task(item.value.clone()).await;
    let task = result.map_err(|why| refused(why, &[item], |task| task.change.about))?;
    let place = access.place(&user)?;
    Ok(hal::ok(&TaskView::new(&place, &task)))
}

/// Changes several tasks, all of them or none.
pub(crate) async fn patch_several(
    access: Access,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let mut seen = BTreeMap::new();
    for id in entry::changed_ids(&bytes).into_iter().map(TaskId) {
        seen.extend(user.task(id).await?.map(|task| (id, task)));
    }
    let items = tasks::parse_changes(&bytes, user.users(), |id| seen.get(&id))?;
    let result = user.update_tasks(batch::values(&items)).await;
    let tasks = result.map_err(|why| refused(why, &items, |task| task.change.about))?;
    let view = |task: &Task, name| {
        let updated_at = task.authorship.updated_at;
        EntryChanged::new(&access.base, "tasks", task.id.0, updated_at, name)
    };
    Ok(batch::answer("tasks", &tasks, &items, view))
}

fn task_filter(query: &Query) -> Result<TaskFilter, Problem> {
    let mut types: BTreeSet<u64> = all(query, Filter::TaskType)?;
    types.extend(all::<u64>(query, Filter::TaskTypeId)?);
    Ok(TaskFilter {
        ids: all(query, Filter::Id)?,
        responsible: all(query, Filter::Responsible)?,
        created_by: all(query, Filter::CreatedBy)?,
        completed: switches(query, Filter::Completed)?,
        types,
        kinds: entity_kinds(query)?,
        entities: all(query, Filter::Entity)?,
        due: span(query, Filter::Due)?,
        updated: span(query, Filter::UpdatedSince)?,
        order: order(query)?.unwrap_or_default(),
    })
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such task".to_owned())
}

/// The answer to refused items; `about` is the lead or the contact that one names.
fn refused<T>(
    why: CommandError<TasksRejection>,
    items: &[Item<T>],
    about: impl Fn(&T) -> Option<NoteSubject>,
) -> Problem {
    why.into_error(|rejection| match rejection {
        TasksRejection::Unknown(places) => {
            batch::unknown_subjects(items, places, |item| Some(about(item)?.kind))
        }
        TasksRejection::Hidden => unknown(),
        denied @ (TasksRejection::Denied | TasksRejection::TooMany(_)) => {
            Problem::Forbidden(denied.to_string())
        }
    })
}

/// The outcome of a task, or an empty list.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum ResultView<'t> {
    Given(TaskResultView<'t>),
    None([(); 0]),
}

impl<'t> ResultView<'t> {
    fn new(content: &'t TaskContent) -> Self {
        let result = content.result.as_ref();
        result.map_or(Self::None([]), |text| {
            Self::Given(TaskResultView::new(text.as_str()))
        })
    }
}

view! {
    #[schemars(rename = "Task")]
    struct TaskView<'t>(place: &Place<'_>, task: &'t Task) [
        let content = &task.content;
    ] {
        id: TaskId = task.id,
        #[serde(flatten)]
        authorship: AuthorshipView = AuthorshipView::new(&task.authorship),
        responsible_user_id: UserId = content.responsible,
        /// The group of the responsible user.
        group_id: GroupId = place.group(Some(content.responsible)),
        /// The number of the lead or the contact; null when the task is about neither.
        entity_id: Option<u64> = content.about.map(|about| about.id),
        #[schemars(extend("enum" = ["leads", "contacts", null]))]
        entity_type: Option<&'static str> = content.about.map(|about| about.kind.word()),
        /// The planned length in seconds.
        duration: u64 = content.duration,
        is_completed: bool = content.is_completed,
        /// 1: follow-up; 2: meeting.
        task_type_id: u64 = content.kind.number(),
        text: &'t str = content.text.as_str(),
        /// An empty list while there is none.
        result: ResultView<'t> = ResultView::new(content),
        /// The time until which it is to be done.
        complete_till: Seconds = content.due_at.into(),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}{PATH}/{}", place.base, task.id)),
    }

    #[schemars(inline)]
    struct TaskResultView<'t>(text: &'t str) {
        text: &'t str = text,
    }
}
