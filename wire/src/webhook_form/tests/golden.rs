//! The forms that are kept in `tests/data/webhook_forms`: the bytes in `.form`, the tree that receivers make of them in `.json`.
//! Parsers of other languages read them in `tests/service`.
//!
//! `REMAKE_FORMS=1` writes both again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::fixture::{ADA, BEN, Fixture, NEXT, OPEN, OPENED_BY, UNSORTED};
use super::hostile;
use super::templates::review_of;
use super::tree::parse;
use crate::domain::conversation::ConversationEvent;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::{Contact, CrmEvent, LOST, Lead};
use crate::domain::templates::TemplatesEvent;
use crate::domain::templates::template::TemplateKind;
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::{hook_of_template, hooks_of_conversation, hooks_of_crm};
use switchboard_engine::state::Recorded;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/webhook_forms")
}

/// The form of the one hook with this event that a record of the CRM causes.
fn of_crm(fixture: &Fixture, event: WebhookCode, record: &CrmEvent) -> Vec<u8> {
    let chat = fixture.chat();
    let context = fixture.crm_context(&chat);
    let hooks = hooks_of_crm(record, &context);
    let hook = hooks.iter().find(|hook| hook.event == event).unwrap();
    hook.form(&fixture.account())
}

/// The same of a record of a conversation.
fn of_conversation(
    fixture: &Fixture,
    event: WebhookCode,
    record: &Recorded<ConversationEvent>,
) -> Vec<u8> {
    let context = fixture.conversation_context();
    let hooks = hooks_of_conversation(record, &context);
    let hook = hooks.iter().find(|hook| hook.event == event).unwrap();
    hook.form(&fixture.account())
}

fn picture(fixture: &Fixture) -> Value {
    json!({
        "type": "picture",
        "text": fixture.words.text,
        "media": "https://pictures.example/lamp.jpg?a=1&b[0]=2",
        "file_name": fixture.words.name,
        "file_size": 57_000,
    })
}

/// The forms of messages and talks.
fn of_chat(fixture: &Fixture) -> Vec<(&'static str, Vec<u8>)> {
    let text = json!({ "type": "text", "text": fixture.words.text });
    let first = fixture.received(OPENED_BY, &text);
    let incoming = |record| of_conversation(fixture, WebhookCode::AddMessage, record);
    let outgoing = |is_bot| {
        let record = fixture.replied(OPENED_BY + 1, fixture.author(is_bot));
        of_conversation(fixture, WebhookCode::AddOutgoingMessage, &record)
    };
    let closed_lead = Lead {
        talk_closed: Some(OPENED_BY + 1),
        ..fixture.lead.clone()
    };
    let close = fixture.lead_changed(Some(fixture.lead.place()), closed_lead);
    let with_picture = fixture.received(OPENED_BY + 1, &picture(fixture));
    let reply_with_picture = fixture.replied_with_picture(OPENED_BY + 1, fixture.author(false));
    vec![
        ("incoming_text", incoming(&first)),
        ("incoming_picture", incoming(&with_picture)),
        ("outgoing_by_person", outgoing(false)),
        ("outgoing_by_bot", outgoing(true)),
        (
            "outgoing_picture",
            of_conversation(
                fixture,
                WebhookCode::AddOutgoingMessage,
                &reply_with_picture,
            ),
        ),
        (
            "talk_added",
            of_conversation(fixture, WebhookCode::AddTalk, &first),
        ),
        (
            "talk_closed",
            of_crm(fixture, WebhookCode::UpdateTalk, &close),
        ),
    ]
}

/// The forms of unsorted leads.
fn of_unsorted(fixture: &Fixture) -> Vec<(&'static str, Vec<u8>)> {
    let unsorted = fixture.lead_in(UNSORTED);
    let place = unsorted.place();
    let change = |event, before, lead| {
        let record = fixture.lead_changed(before, lead);
        of_crm(fixture, event, &record)
    };
    let add = WebhookCode::AddUnsorted;
    let (update, delete) = (WebhookCode::UpdateUnsorted, WebhookCode::DeleteUnsorted);
    vec![
        ("unsorted_added", change(add, None, unsorted.clone())),
        (
            "unsorted_lead_added",
            change(WebhookCode::AddLead, None, unsorted.clone()),
        ),
        ("unsorted_updated", change(update, Some(place), unsorted)),
        (
            "unsorted_accepted",
            change(delete, Some(place), fixture.lead_in(OPEN)),
        ),
        (
            "unsorted_linked",
            change(delete, Some(place), fixture.linked_lead()),
        ),
        (
            "lead_deleted",
            change(WebhookCode::DeleteLead, Some(place), fixture.linked_lead()),
        ),
        (
            "unsorted_declined",
            change(delete, Some(place), fixture.lead_in(LOST)),
        ),
    ]
}

/// The forms of leads, of notes about them, and of tasks.
fn of_entries(fixture: &Fixture) -> Vec<(&'static str, Vec<u8>)> {
    let lead = |event, before, lead| {
        let record = fixture.lead_changed(before, lead);
        of_crm(fixture, event, &record)
    };
    let place = Some(fixture.lead.place());
    let lead_in_next = fixture.lead_in(NEXT);
    let passed_on = Lead {
        responsible: Some(BEN),
        ..fixture.lead.clone()
    };
    let note = CrmEvent::Note(Box::new(fixture.note(EntityKind::Leads)));
    let task = CrmEvent::Task(Box::new(fixture.task()));
    let completed = CrmEvent::Task(Box::new(fixture.completed_task()));
    vec![
        (
            "lead_created",
            lead(WebhookCode::AddLead, None, fixture.lead.clone()),
        ),
        (
            "stage_moved",
            lead(WebhookCode::StatusLead, place, lead_in_next.clone()),
        ),
        (
            "lead_updated_by_move",
            lead(WebhookCode::UpdateLead, place, lead_in_next),
        ),
        (
            "responsible_changed",
            lead(WebhookCode::ResponsibleLead, place, passed_on),
        ),
        ("note_added", of_crm(fixture, WebhookCode::NoteLead, &note)),
        ("task_added", of_crm(fixture, WebhookCode::AddTask, &task)),
        (
            "task_completed",
            of_crm(fixture, WebhookCode::UpdateTask, &completed),
        ),
        (
            "task_responsible_changed",
            of_crm(fixture, WebhookCode::ResponsibleTask, &completed),
        ),
    ]
}

/// The forms of contacts and of notes about them.
fn of_contacts(fixture: &Fixture) -> Vec<(&'static str, Vec<u8>)> {
    let contact_before = Contact {
        responsible: Some(BEN),
        ..fixture.contact.clone()
    };
    let new = fixture.contact_changed(None);
    let passed_on = fixture.contact_changed(Some(&contact_before));
    let note = CrmEvent::Note(Box::new(fixture.note(EntityKind::Contacts)));
    assert_eq!(fixture.contact.responsible, Some(ADA));
    vec![
        (
            "contact_added",
            of_crm(fixture, WebhookCode::AddContact, &new),
        ),
        (
            "contact_updated",
            of_crm(fixture, WebhookCode::UpdateContact, &passed_on),
        ),
        (
            "contact_responsible_changed",
            of_crm(fixture, WebhookCode::ResponsibleContact, &passed_on),
        ),
        (
            "contact_note_added",
            of_crm(fixture, WebhookCode::NoteContact, &note),
        ),
    ]
}

/// The forms of templates: one with reviews for two sources, and one without fields of WhatsApp.
fn of_templates(fixture: &Fixture) -> Vec<(&'static str, Vec<u8>)> {
    let form = |event: TemplatesEvent| hook_of_template(&event).unwrap().form(&fixture.account());
    vec![
        (
            "template_review_asked",
            form(review_of(fixture, TemplateKind::Waba)),
        ),
        (
            "plain_template_review_asked",
            form(review_of(fixture, TemplateKind::Amocrm)),
        ),
    ]
}

/// The forms of all kinds.
pub(super) fn forms(fixture: &Fixture) -> Vec<(&'static str, Vec<u8>)> {
    [
        of_chat(fixture),
        of_unsorted(fixture),
        of_entries(fixture),
        of_contacts(fixture),
        of_templates(fixture),
    ]
    .concat()
}

/// The forms that are kept, by the names of their files.
fn files() -> Vec<(String, Vec<u8>)> {
    let plain = forms(&Fixture::plain());
    let names = ["incoming_picture", "lead_created", "note_added"];
    let hostile = forms(&hostile::fixture())
        .into_iter()
        .filter(|(name, _)| names.contains(name))
        .map(|(name, form)| (format!("hostile_{name}"), form));
    plain
        .into_iter()
        .map(|(name, form)| (name.to_owned(), form))
        .chain(hostile)
        .collect()
}

#[test]
fn each_form_is_the_one_that_is_committed() {
    let folder = folder();
    let files = files();
    if std::env::var_os("REMAKE_FORMS").is_some() {
        let _there_is_none = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, form) in &files {
            let tree = serde_json::to_string_pretty(&parse(form)).unwrap();
            fs::write(folder.join(format!("{name}.form")), form).unwrap();
            fs::write(folder.join(format!("{name}.json")), format!("{tree}\n")).unwrap();
        }
    }
    let mut names = BTreeSet::new();
    for (name, form) in &files {
        let read = |ending: &str| fs::read(folder.join(format!("{name}.{ending}"))).unwrap();
        let same = read("form") == *form;
        assert!(
            same,
            "{name} is another form; if that is meant, run this test with REMAKE_FORMS=1"
        );
        let tree: Value = serde_json::from_slice(&read("json")).unwrap();
        assert_eq!(tree, parse(form), "{name}");
        names.extend([format!("{name}.form"), format!("{name}.json")]);
    }
    let entries = fs::read_dir(&folder).unwrap();
    let present: BTreeSet<String> = entries
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(present, names);
}

/// The names of the keys with values.
fn key_names(tree: &Value, names: &mut BTreeSet<String>) {
    match tree {
        Value::Object(fields) => {
            for (key, value) in fields {
                if value.is_string() {
                    names.insert(key.clone());
                }
                key_names(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| key_names(item, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_page_names_each_key_and_each_event() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/webhook-forms.md");
    let page = fs::read_to_string(path).unwrap();
    let codes = WebhookCode::ALL.iter();
    let mut names: BTreeSet<String> = codes
        .filter(|code| code.is_sent())
        .map(ToString::to_string)
        .collect();
    for (_, form) in files() {
        key_names(&parse(&form), &mut names);
    }
    assert!(names.len() > 60, "{names:?}");
    let is_named = |name: &String| {
        ['`', '['].iter().any(|before| {
            ['`', ']']
                .iter()
                .any(|behind| page.contains(&format!("{before}{name}{behind}")))
        })
    };
    let missing: Vec<_> = names.iter().filter(|name| !is_named(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The code of the event of a form.
fn code(form: &[u8]) -> String {
    let tree = parse(form);
    let fields = tree.as_object().unwrap();
    let (object, events) = fields.iter().find(|(key, _)| *key != "account").unwrap();
    let Some(events) = events.as_object() else {
        return "add_chat_template_review".to_owned();
    };
    let verb = events.keys().next().unwrap();
    let noun = match object.as_str() {
        "leads" => "lead",
        "contacts" => "contact",
        other => other,
    };
    format!("{verb}_{noun}")
}

#[test]
fn each_event_that_can_happen_has_a_form() {
    let sent_codes = WebhookCode::ALL.iter().filter(|code| code.is_sent());
    let all: BTreeSet<String> = sent_codes.map(ToString::to_string).collect();
    let codes: BTreeSet<String> = files().iter().map(|(_, form)| code(form)).collect();
    assert_eq!(codes, all);
}

/// Receivers take the second key for the object, its first key for the event, and 0 for the item.
#[test]
fn each_form_has_one_item_of_one_event_behind_the_account() {
    for (name, form) in files() {
        assert!(form.starts_with(b"account%5Bsubdomain%5D=northwind&account%5Bid%5D=31415926&account%5B_links%5D%5Bself%5D=https%3A%2F%2Fnorthwind.amocrm.ru&"), "{name}");
        let tree = parse(&form);
        let fields = tree.as_object().unwrap();
        assert_eq!(fields.len(), 2, "{name}");
        let (_, events) = fields.iter().find(|(key, _)| *key != "account").unwrap();
        // A template has no key around its event.
        let list = match events.as_object() {
            Some(events) => {
                assert_eq!(events.len(), 1, "{name}");
                events.values().next().unwrap()
            }
            None => events,
        };
        let items = list.as_array().unwrap();
        assert_eq!(items.len(), 1, "{name}");
    }
}
