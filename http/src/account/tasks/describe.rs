//! The descriptions of the operations on tasks.

use serde_json::json;
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;
use switchboard_actors::wire::account_body::tasks::{NewTaskBody, TaskChangeBody};

use super::{FILTERS, TaskView};
use crate::account::batch::{EntryChanged, EntryMade};
use crate::account::unkept;
use crate::openapi::{Operation, Schema};

const NOT_EDITOR: &str = "The caller's right to edit tasks does not reach one of them, or the account would have more than 100,000 tasks that are not completed.";

pub(crate) fn describe_list() -> Operation {
    Operation::leads("listTasks", "List the tasks that the caller may see.")
        .says("By number, or by the time until which they are to be done. Who may see a lead or a contact sees its tasks. A task about neither is seen by its author, its responsible user, and those whose right to edit tasks reaches it.")
        .filtered(&FILTERS)
        .answers_page::<TaskView<'_>>("tasks")
        .or_nothing()
}

pub(crate) fn describe_get() -> Operation {
    Operation::leads("getTask", "Get a task.")
        .path("id", Schema::number())
        .gives_entry::<TaskView<'_>>(
            "The task.",
            "There is no such task that the caller may see.",
        )
}

pub(crate) fn describe_post() -> Operation {
    let example = json!([{ "text": "Call back", "complete_till": 1_764_086_340, "task_type_id": 1, "entity_id": 1, "entity_type": "leads" }]);
    Operation::leads("createTasks", "Create tasks (atomic).")
        .says("The body may also be a single task, or an object of tasks by number.")
        .takes_items::<NewTaskBody>(ENTRIES_MAX, example)
        .answers_several::<EntryMade<'_>>(200, &unkept::TASKS.answer("On disk."), "tasks")
        .refuses(403, "The caller is a free user, or the account would have more than 100,000 tasks that are not completed.")
}

pub(crate) fn describe_patch_several() -> Operation {
    let example = json!([{ "id": 1, "is_completed": true, "result": { "text": "Called back" } }]);
    Operation::leads("updateTasks", "Update tasks (atomic).")
        .says("The body may also be a single task, or an object of tasks by number.")
        .takes_changes::<TaskChangeBody>(ENTRIES_MAX, example)
        .answers_several::<EntryChanged<'_>>(200, &unkept::TASKS.answer("On disk."), "tasks")
        .refuses(403, NOT_EDITOR)
        .refuses(404, "The caller may not see a task any more.")
}

pub(crate) fn describe_patch() -> Operation {
    Operation::leads("updateTask", "Update a task.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .takes::<TaskChangeBody>(
            json!({ "is_completed": true, "result": { "text": "Called back" } }),
        )
        .gives_hal::<TaskView<'_>>(200, &unkept::TASKS.answer("The task as it is now."))
        .refuses(403, NOT_EDITOR)
        .refuses(404, "There is no such task that the caller may see.")
}
