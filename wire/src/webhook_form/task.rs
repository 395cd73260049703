//! A task.

use crate::domain::crm::task::{TaskChanged, TaskContent};
use crate::domain::time::{UnixMillis, iso};
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::note::element_number;
use crate::webhook_form::writer::FormWriter;

/// A task after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskItem<'r> {
    pub(super) event: WebhookCode,
    pub(super) changed: &'r TaskChanged,
}

impl TaskItem<'_> {
    pub(super) fn write(&self, account: &HookAccount<'_>, form: &mut FormWriter) {
        let task = &self.changed.task;
        let (content, authorship) = (&task.content, &task.authorship);
        form.put("id", task.id);
        form.put_some("element_id", content.about.map(|about| about.id));
        let element = content.about.map(|about| element_number(about.kind));
        form.put_some("element_type", element);
        form.put("task_type", content.kind.number());
        form.put("date_create", date(authorship.created_at));
        form.put("text", &content.text);
        form.put_flag("status", content.is_completed);
        form.put("account_id", account.number);
        form.put("created_user_id", authorship.created_by);
        form.put("modified_user_id", authorship.updated_by);
        form.put("last_modified", date(authorship.updated_at));
        form.put("responsible_user_id", content.responsible);
        let is_passed_on = self.event == WebhookCode::ResponsibleTask;
        let old = passed_on(self.changed).filter(|_| is_passed_on);
        form.put_some("old_responsible_user_id", old.map(|it| it.responsible));
        form.put("complete_till", date(content.due_at));
        // Receivers read either name.
        form.put("complete_before", date(content.due_at));
        form.put("duration", content.duration);
        if let Some(before) = &self.changed.before {
            let is_closed_now = content.is_completed && !before.is_completed;
            form.put_flag("action_close", is_closed_now);
        }
        if let Some(result) = &content.result {
            form.within("result", |form| form.put("text", result));
        }
        form.put("created_at", authorship.created_at.secs());
        form.put("updated_at", authorship.updated_at.secs());
    }
}

/// The time as the counterpart writes it in tasks alone, in UTC: `2026-07-20 15:00:00`.
fn date(time: UnixMillis) -> String {
    iso(time).replace('T', " ").replace('Z', "")
}

/// The content of a task before, if it has another responsible user now.
pub(super) fn passed_on(changed: &TaskChanged) -> Option<&TaskContent> {
    let before = changed.before.as_ref()?;
    (before.responsible != changed.task.content.responsible).then_some(before)
}
