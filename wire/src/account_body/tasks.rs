//! The bodies of tasks.

use std::str::FromStr;

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{self, ENTRIES_MAX, Item, Items};
use crate::account_body::links::entity_kind;
use crate::account_body::placing::active;
use crate::body::Body;
use crate::body::value::{Found, Number, Value, Whole};
use crate::domain::account::users::Users;
use crate::domain::crm::entity::{EntityKind, NoteSubject};
use crate::domain::crm::task::{Task, TaskContent, TaskType};
use crate::domain::crm::tasks::{ChangedTask, TaskChange};
use crate::domain::id::{TaskId, UserId};
use crate::domain::text::MessageText;
use crate::domain::time::UnixMillis;
use crate::domain::violation::ViolationCode;
use crate::json::object::{Nulls, ObjectReader};
use crate::json::{self, BodyError};
use crate::schema::Schema;
use crate::{body, body_values};

/// The most seconds that a task takes: a year.
const DURATION_MAX: i64 = 366 * 24 * 60 * 60;
/// The last second that 32 bits count.
const LAST_SECOND: i64 = 4_294_967_295;

body!(
    /// A new task.
    #[body(open)]
    pub struct NewTaskBody {
        /// 1 to 65,536 bytes.
        #[body(needed)]
        text: Option<MessageText>,
        /// The time until which it is to be done, in seconds.
        #[body(needed)]
        complete_till: Option<Whole<1, LAST_SECOND>>,
        #[body(flatten)]
        fields: TaskFields,
    }

    /// A change of a task.
    #[body(open, lenient)]
    pub struct TaskChangeBody {
        /// 1 to 65,536 bytes.
        text: Option<MessageText>,
        /// The time until which it is to be done, in seconds.
        complete_till: Option<Whole<1, LAST_SECOND>>,
        #[body(flatten)]
        fields: TaskFields,
    }

    /// The fields that new tasks need not have.
    #[body(open, lenient)]
    pub struct TaskFields {
        /// 1: follow-up, which it is when this is left out; 2: meeting.
        task_type_id: Option<TypeNumber>,
        /// An active user; of a new task the caller, when this is left out.
        responsible_user_id: Option<UserId>,
        /// The number of the lead or the contact.
        entity_id: Option<Number>,
        entity_type: Option<TaskEntity>,
        /// The planned length in seconds.
        duration: Option<Whole<0, DURATION_MAX>>,
        is_completed: Option<bool>,
        /// The outcome in words. An empty list stands for none.
        result: Option<ResultBody>,
    }

    /// The outcome of a task.
    #[body(open)]
    pub struct TaskResult {
        /// 1 to 65,536 bytes.
        text: MessageText,
    }
);

/// The number of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeNumber(TaskType);

/// The kind of the entity of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskEntity(EntityKind);

/// A result, or an empty list in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultBody(Option<MessageText>);

body_values! {
    TypeNumber: Schema::between(1, 2), |found| {
        let number = u64::try_from(found.whole(1..=2)?).ok()?;
        TaskType::from_number(number).map(Self)
    };
    TaskEntity: Schema::words(["leads", "contacts"]), Found::parsed;
    ResultBody: Schema::either([
        TaskResult::schema(),
        Schema::few(Schema::text(), 0, 0),
    ]), |found| {
        if found.is_empty_list() {
            return Some(Self(None));
        }
        <TaskResult as Value>::read(found).map(|result| Self(Some(result.text)))
    };
}

impl FromStr for TaskEntity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        entity_kind(text, "tasks about", &["companies", "customers"]).map(Self)
    }
}

/// The changes that the fields make to a task.
fn take_fields(
    item: &ObjectReader<'_, '_>,
    fields: TaskFields,
    current: Option<&TaskContent>,
    users: &Users,
) -> TaskChange {
    let responsible = current.map(|it| it.responsible);
    let new = fields.responsible_user_id.map(Some);
    TaskChange {
        kind: fields.task_type_id.map(|number| number.0),
        about: about(item, &fields, current.and_then(|it| it.about)),
        responsible: active(item, "responsible_user_id", new, responsible, users).flatten(),
        duration: fields.duration.map(Whole::count),
        is_completed: fields.is_completed,
        result: fields.result.and_then(|result| result.0),
        ..TaskChange::default()
    }
}

/// The lead or the contact: each half of its name needs the other one, unless the task has that already.
fn about(
    item: &ObjectReader<'_, '_>,
    fields: &TaskFields,
    current: Option<NoteSubject>,
) -> Option<NoteSubject> {
    let kind = fields.entity_type.map(|it| it.0);
    let id = fields.entity_id.map(|it| it.0);
    let missing = |field: &str, other: &str| {
        // A value that is there is wrong, and was reported.
        if !item.has(field) {
            let detail = format!("{other} needs {field}");
            item.reject(field, ViolationCode::FieldMissing, detail);
        }
        None
    };
    match (kind, id) {
        (Some(kind), Some(id)) => Some(NoteSubject { kind, id }),
        (None, None) => None,
        (Some(kind), None) => match current.filter(|current| current.kind == kind) {
            Some(_) => None,
            None => missing("entity_id", "entity_type"),
        },
        (None, Some(id)) => match current {
            Some(current) => Some(NoteSubject { id, ..current }),
            None => missing("entity_type", "entity_id"),
        },
    }
}

fn time(seconds: Whole<1, LAST_SECOND>) -> UnixMillis {
    UnixMillis::from_secs(seconds.count())
}

/// Reads the tasks that `caller` adds.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(
    body: &[u8],
    users: &Users,
    caller: UserId,
) -> Result<Vec<Item<TaskContent>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "tasks", ENTRIES_MAX)?.read(|item| {
        let body = NewTaskBody::take(item)?;
        let change = take_fields(item, body.fields, None, users);
        Some(TaskContent {
            text: body.text?,
            kind: change.kind.unwrap_or(TaskType::FollowUp),
            about: change.about,
            responsible: change.responsible.unwrap_or(caller),
            due_at: time(body.complete_till?),
            duration: change.duration.unwrap_or_default(),
            is_completed: change.is_completed.unwrap_or_default(),
            result: change.result,
        })
    })
}

fn take_change(
    item: &ObjectReader<'_, '_>,
    users: &Users,
    current: &TaskContent,
) -> Option<TaskChange> {
    let body = TaskChangeBody::take(item)?;
    Some(TaskChange {
        text: body.text,
        due_at: body.complete_till.map(time),
        ..take_fields(item, body.fields, Some(current), users)
    })
}

/// Reads a change of the task `current`.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(body: &[u8], users: &Users, current: &Task) -> Result<TaskChange, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        take_change(body, users, &current.content)
    })
}

/// Reads changes of several tasks, each named by its `id`. `current` returns a task that the caller may see.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_changes<'t>(
    body: &[u8],
    users: &Users,
    current: impl Fn(TaskId) -> Option<&'t Task>,
) -> Result<Vec<Item<ChangedTask>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "tasks", ENTRIES_MAX)?.read(|item| {
        let task = items::named(item, "task", |id| current(TaskId(id)))?;
        Some(ChangedTask {
            change: take_change(item, users, &task.content)?,
            seen: task.clone(),
        })
    })
}
