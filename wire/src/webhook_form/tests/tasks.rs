//! The hooks of tasks.

use serde_json::{Value, json};

use super::fixture::{ADA, BEN, Fixture};
use super::tree::parse;
use crate::domain::crm::CrmEvent;
use crate::domain::crm::task::TaskChanged;
use crate::domain::hooks::hook::HookObject;
use crate::domain::id::TaskId;
use crate::webhook_form::hooks_of_crm;

/// The codes of the hooks that a change causes, each with its item.
fn hooks(fixture: &Fixture, changed: TaskChanged) -> Vec<(&'static str, Value)> {
    let chat = fixture.chat();
    let context = fixture.crm_context(&chat);
    let record = CrmEvent::Task(Box::new(changed));
    let hooks = hooks_of_crm(&record, &context);
    let items = hooks.iter().map(|hook| {
        assert_eq!(hook.object, HookObject::Task(TaskId(31)));
        let code = hook.event.as_str();
        let event = code.trim_end_matches("_task");
        let tree = parse(&hook.form(&fixture.account()));
        (code, tree["task"][event][0].clone())
    });
    items.collect()
}

#[test]
fn a_new_task_is_added_with_times_in_the_counterparts_form() {
    let fixture = Fixture::plain();
    let hooks = hooks(&fixture, fixture.task());
    let [("add_task", item)] = hooks.as_slice() else {
        panic!("{hooks:?}");
    };
    for (key, value) in [
        ("id", "31"),
        ("element_id", "5150"),
        ("element_type", "2"),
        ("task_type", "2"),
        ("status", "0"),
        ("complete_till", "2025-11-25 15:59:00"),
        ("complete_before", "2025-11-25 15:59:00"),
        ("duration", "1800"),
    ] {
        assert_eq!(item[key], value, "{key}");
    }
    for absent in ["result", "action_close", "old_responsible_user_id"] {
        assert_eq!(item[absent], Value::Null, "{absent}");
    }
}

#[test]
fn a_completed_task_says_so_once_and_names_who_had_it_before() {
    let fixture = Fixture::plain();
    let completed = fixture.completed_task();
    let list = hooks(&fixture, completed.clone());
    let codes: Vec<_> = list.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["update_task", "responsible_task"]);
    let update = &list[0].1;
    assert_eq!(
        (&update["status"], &update["action_close"]),
        (&json!("1"), &json!("1"))
    );
    assert_eq!(update["result"]["text"], fixture.words.text);
    assert_eq!(update["responsible_user_id"], BEN.to_string());
    assert_eq!(update["old_responsible_user_id"], Value::Null);
    assert_eq!(list[1].1["old_responsible_user_id"], ADA.to_string());
    let later = TaskChanged {
        before: Some(completed.task.content.clone()),
        ..completed
    };
    let list = hooks(&fixture, later);
    assert_eq!(list.len(), 1, "{list:?}");
    assert_eq!(list[0].1["action_close"], "0");
}

#[test]
fn a_task_about_nothing_names_no_element() {
    let fixture = Fixture::plain();
    let mut task = fixture.task();
    task.task.content.about = None;
    let list = hooks(&fixture, task);
    for absent in ["element_id", "element_type"] {
        assert_eq!(list[0].1[absent], Value::Null, "{absent}");
    }
}
