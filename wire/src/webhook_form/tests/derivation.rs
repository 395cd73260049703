//! The events that each record causes, and in which order.

use serde_json::{Value, json};

use super::fixture::{ADA, BEN, CHANGED, Fixture, NEXT, OPEN, OPENED_BY, UNSORTED};
use super::tree::parse;
use crate::domain::conversation::{ConversationEvent, Mark, Marked};
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::note::{NoteChanged, NoteKind};
use crate::domain::crm::{Contact, CrmEvent, LOST, Lead, LeadChanged, WON};
use crate::domain::hooks::hook::HookObject;
use crate::domain::id::{ContactId, LeadId};
use crate::domain::oauth::acting_client::ActingClient;
use crate::webhook_form::{
    ConversationContext, Hook, MessageWriter, hooks_of_conversation, hooks_of_crm,
};
use switchboard_engine::state::Recorded;

/// The codes of the hooks with their items.
fn read(fixture: &Fixture, hooks: &[Hook<'_>]) -> Vec<(&'static str, Value)> {
    let item = |hook: &Hook<'_>| {
        let tree = parse(&hook.form(&fixture.account()));
        let fields = tree.as_object().unwrap();
        let (_, events) = fields.iter().find(|(key, _)| *key != "account").unwrap();
        events.as_object().unwrap().values().next().unwrap()[0].clone()
    };
    hooks
        .iter()
        .map(|hook| (hook.event.as_str(), item(hook)))
        .collect()
}

fn of_crm(fixture: &Fixture, event: &CrmEvent) -> Vec<(&'static str, Value)> {
    let chat = fixture.chat();
    let context = fixture.crm_context(&chat);
    read(fixture, &hooks_of_crm(event, &context))
}

fn of_conversation(
    fixture: &Fixture,
    record: &Recorded<ConversationEvent>,
    context: &ConversationContext<'_>,
) -> Vec<(&'static str, Value)> {
    read(fixture, &hooks_of_conversation(record, context))
}

fn codes(hooks: &[(&'static str, Value)]) -> Vec<&'static str> {
    hooks.iter().map(|(code, _)| *code).collect()
}

/// The codes of a change of the lead.
fn codes_of_change(fixture: &Fixture, before: &Lead, now: Lead) -> Vec<&'static str> {
    let record = fixture.lead_changed(Some(before.place()), now);
    codes(&of_crm(fixture, &record))
}

#[test]
fn a_new_lead_waits_for_a_decision_only_if_a_chat_opened_it() {
    let fixture = Fixture::plain();
    let codes_of_new = |lead| codes(&of_crm(&fixture, &fixture.lead_changed(None, lead)));
    let unsorted = fixture.lead_in(UNSORTED);
    assert_eq!(codes_of_new(unsorted.clone()), ["add_lead", "add_unsorted"]);
    assert_eq!(codes_of_new(fixture.lead_in(OPEN)), ["add_lead"]);
    let without_chat = Lead {
        chat: None,
        ..unsorted
    };
    assert_eq!(codes_of_new(without_chat), ["add_lead"]);
}

#[test]
fn a_changed_lead_causes_an_event_for_each_change() {
    let fixture = Fixture::plain();
    let lead = &fixture.lead;
    let passed_on = Lead {
        responsible: None,
        ..fixture.lead_in(NEXT)
    };
    let lead_with_name = Lead {
        name: "Lamps".to_owned(),
        ..lead.clone()
    };
    assert_eq!(
        codes_of_change(&fixture, lead, lead_with_name),
        ["update_lead"]
    );
    let record = fixture.lead_changed(Some(lead.place()), passed_on);
    let hooks = of_crm(&fixture, &record);
    assert_eq!(
        codes(&hooks),
        ["update_lead", "status_lead", "responsible_lead"]
    );
    let [(_, update), (_, status), (_, responsible)] = &hooks[..] else {
        panic!("{hooks:?}");
    };
    assert_eq!(update["old_status_id"], "2");
    assert_eq!(update["old_pipeline_id"], Value::Null);
    assert_eq!(update["modified_user_id"], ADA.to_string());
    assert_eq!(status["old_status_id"], "2");
    assert_eq!(status["old_pipeline_id"], "1");
    assert_eq!(responsible["old_status_id"], Value::Null);
    assert_eq!(responsible["old_responsible_user_id"], ADA.to_string());
    assert_eq!(responsible["responsible_user_id"], "0");
}

#[test]
fn a_decision_deletes_the_unsorted_lead() {
    let fixture = Fixture::plain();
    let unsorted = fixture.lead_in(UNSORTED);
    let sort = |stage| {
        let record = fixture.lead_changed(Some(unsorted.place()), fixture.lead_in(stage));
        of_crm(&fixture, &record)
    };
    let stay = codes_of_change(&fixture, &unsorted, unsorted.clone());
    assert_eq!(stay, ["update_lead", "update_unsorted"]);
    let acceptance = sort(OPEN);
    assert_eq!(
        codes(&acceptance),
        ["update_lead", "status_lead", "delete_unsorted"]
    );
    assert_eq!(
        acceptance[2].1["accept_result"],
        json!({ "leads": ["5150"], "contacts": ["6160"] })
    );
    let refusal = sort(LOST);
    assert_eq!(
        codes(&refusal),
        [
            "update_lead",
            "status_lead",
            "delete_unsorted",
            "update_talk"
        ]
    );
    assert_eq!(refusal[2].1["decline_result"], json!({ "leads": ["5150"] }));
    let won = sort(WON);
    assert_eq!(won[2].1["action"], "accept");
}

#[test]
fn an_unsorted_lead_whose_chat_went_to_another_is_deleted() {
    let fixture = Fixture::plain();
    let unsorted = fixture.lead_in(UNSORTED);
    let record = fixture.lead_changed(Some(unsorted.place()), fixture.linked_lead());
    let hooks = of_crm(&fixture, &record);
    assert_eq!(codes(&hooks), ["delete_unsorted", "delete_lead"]);
    assert_eq!(hooks[0].1["action"], "accept");
    assert_eq!(hooks[0].1["accept_result"], json!({ "leads": ["5151"] }));
    let place = json!({ "id": "5150", "status_id": "1", "pipeline_id": "1" });
    assert_eq!(hooks[1].1, place);
}

#[test]
fn a_lead_without_a_name_and_a_price_is_undecided() {
    let fixture = Fixture::plain();
    let hooks = of_crm(
        &fixture,
        &fixture.lead_changed(None, fixture.lead_in(UNSORTED)),
    );
    let lead = &hooks[0].1;
    assert_eq!((&lead["name"], &lead["price"]), (&json!(""), &Value::Null));
    assert_eq!(lead["responsible_user_id"], "0");
}

#[test]
fn a_talk_ends_by_a_user_or_with_its_lead() {
    let fixture = Fixture::plain();
    let lead = &fixture.lead;
    let closed_lead = Lead {
        talk_closed: Some(OPENED_BY),
        ..lead.clone()
    };
    let record = fixture.lead_changed(Some(lead.place()), closed_lead.clone());
    let hooks = of_crm(&fixture, &record);
    assert_eq!(codes(&hooks), ["update_talk"]);
    assert_eq!(hooks[0].1["is_in_work"], "0");
    let won = fixture.lead_in(WON);
    let record = fixture.lead_changed(Some(lead.place()), won.clone());
    let hooks = of_crm(&fixture, &record);
    assert_eq!(codes(&hooks), ["update_lead", "status_lead", "update_talk"]);
    assert_eq!(hooks[2].1["is_in_work"], "0");
    let record = fixture.lead_changed(Some(won.place()), lead.clone());
    assert_eq!(of_crm(&fixture, &record)[2].1["is_in_work"], "1");
    let won_and_closed = Lead {
        stage: WON,
        ..closed_lead.clone()
    };
    assert_eq!(
        codes_of_change(&fixture, &closed_lead, won_and_closed),
        ["update_lead", "status_lead"],
        "the talk was closed before"
    );
}

#[test]
fn the_first_message_of_a_talk_adds_it() {
    let fixture = Fixture::plain();
    let text = json!({ "type": "text", "text": "Hello" });
    let context = fixture.conversation_context();
    let message_codes = |number| {
        let record = fixture.received(number, &text);
        codes(&of_conversation(&fixture, &record, &context))
    };
    assert_eq!(message_codes(OPENED_BY), ["add_talk", "add_message"]);
    assert_eq!(message_codes(OPENED_BY + 1), ["add_message"]);
    let without_lead = ConversationContext {
        lead: None,
        contact: Some(ContactId(9)),
        ..context
    };
    let record = fixture.received(1, &text);
    let hooks = of_conversation(&fixture, &record, &without_lead);
    assert_eq!(codes(&hooks), ["add_message"]);
    let message = &hooks[0].1;
    assert_eq!(message["contact_id"], "9");
    for key in [
        "talk_id",
        "element_type",
        "element_id",
        "entity_type",
        "entity_id",
    ] {
        assert_eq!(message[key], Value::Null, "{key}");
    }
}

#[test]
fn a_customer_who_waits_and_writes_again_updates_the_lead() {
    let fixture = Fixture::plain();
    let chat = fixture.chat();
    let context = ConversationContext {
        unsorted: Some(&chat),
        ..fixture.conversation_context()
    };
    let message_hooks = |number| {
        let text = json!({ "type": "text", "text": "Hello?" });
        of_conversation(&fixture, &fixture.received(number, &text), &context)
    };
    assert_eq!(
        codes(&message_hooks(OPENED_BY)),
        ["add_talk", "add_message"]
    );
    let hooks = message_hooks(OPENED_BY + 1);
    assert_eq!(codes(&hooks), ["add_message", "update_unsorted"]);
    let unsorted = &hooks[1].1;
    assert_eq!(unsorted["source_data"]["data"][0]["text"], "Hello?");
    assert_eq!(unsorted["data"]["leads"], json!([{ "id": "5150" }]));
    let answer = fixture.replied(OPENED_BY + 1, fixture.author(false));
    let hooks = of_conversation(&fixture, &answer, &context);
    assert_eq!(codes(&hooks), ["add_outgoing_message"]);
}

#[test]
fn a_closed_talk_goes_on_with_the_next_message() {
    let mut fixture = Fixture::plain();
    fixture.lead.talk_closed = Some(6);
    let context = fixture.conversation_context();
    let text = json!({ "type": "text", "text": "Hello" });
    let message_hooks = |number, spoken_before| {
        let context = ConversationContext {
            spoken_before,
            ..context
        };
        of_conversation(&fixture, &fixture.received(number, &text), &context)
    };
    let next = message_hooks(7, None);
    assert_eq!(codes(&next), ["update_talk", "add_message"]);
    assert_eq!(
        (&next[0].1["is_in_work"], &next[0].1["is_read"]),
        (&json!("1"), &json!("0"))
    );
    assert_eq!(codes(&message_hooks(8, None)), ["add_message"]);
    assert_eq!(
        codes(&message_hooks(8, Some(5))),
        ["update_talk", "add_message"]
    );
    let answer = fixture.replied(7, fixture.author(false));
    let hooks = of_conversation(&fixture, &answer, &context);
    assert_eq!(codes(&hooks), ["update_talk", "add_outgoing_message"]);
    assert_eq!(hooks[0].1["is_read"], "1");
}

#[test]
fn the_author_of_an_answer_is_a_person_or_a_bot() {
    let fixture = Fixture::plain();
    let context = fixture.conversation_context();
    let author = |is_bot| {
        let record = fixture.replied(5, fixture.author(is_bot));
        let hooks = of_conversation(&fixture, &record, &context);
        assert_eq!(codes(&hooks), ["add_outgoing_message"]);
        hooks[0].1["author"].clone()
    };
    let person = author(false);
    assert_eq!(person["type"], "internal");
    assert_eq!(person["user_id"], ADA.to_string());
    let bot = author(true);
    assert_eq!(
        (&bot["type"], &bot["user_id"]),
        (&json!("bot"), &Value::Null)
    );
}

#[test]
fn imported_messages_go_out_and_silent_ones_cause_nothing() {
    let fixture = Fixture::plain();
    let text = json!({ "type": "voice", "media": "https://a.example/v.ogg" });
    let record = fixture.received(5, &text);
    let ConversationEvent::Received(original) = &record.event else {
        panic!("{record:?}");
    };
    let with = |change: &dyn Fn(&mut crate::domain::conversation::Received)| {
        let mut copy = original.clone();
        change(&mut copy);
        Recorded {
            event: ConversationEvent::Received(copy),
            blob: record.blob.clone(),
        }
    };
    let context = fixture.conversation_context();
    let silent = with(&|it| it.loud = false);
    assert_eq!(of_conversation(&fixture, &silent, &context), []);
    let import = with(&|it| it.to = Some(Box::new(fixture.customer.clone())));
    let of_ben = ConversationContext {
        writer: Some(MessageWriter::User(Some(BEN))),
        ..context
    };
    let hooks = of_conversation(&fixture, &import, &of_ben);
    assert_eq!(codes(&hooks), ["add_outgoing_message"]);
    let message = &hooks[0].1;
    assert_eq!(message["author"]["user_id"], BEN.to_string());
    assert_eq!(message["recipient"]["type"], "external");
    assert_eq!(
        message["attachment"],
        json!({ "type": "voice", "link": "https://a.example/v.ogg" })
    );
    let of_bot = ConversationContext {
        writer: Some(MessageWriter::Bot),
        ..context
    };
    let hooks = of_conversation(&fixture, &import, &of_bot);
    assert_eq!(hooks[0].1["author"]["type"], "bot");
}

#[test]
fn a_contact_causes_an_event_for_a_new_responsible_user() {
    let fixture = Fixture::plain();
    let new = of_crm(&fixture, &fixture.contact_changed(None));
    assert_eq!(codes(&new), ["add_contact"]);
    let same = of_crm(&fixture, &fixture.contact_changed(Some(&fixture.contact)));
    assert_eq!(codes(&same), ["update_contact"]);
    let before = Contact {
        responsible: None,
        ..fixture.contact.clone()
    };
    let passed_on = of_crm(&fixture, &fixture.contact_changed(Some(&before)));
    assert_eq!(codes(&passed_on), ["update_contact", "responsible_contact"]);
    assert_eq!(passed_on[1].1["old_responsible_user_id"], "0");
}

#[test]
fn a_note_causes_an_event_when_it_is_new() {
    let fixture = Fixture::plain();
    let note = |changed| of_crm(&fixture, &CrmEvent::Note(Box::new(changed)));
    let of_contact = note(fixture.note(EntityKind::Contacts));
    assert_eq!(codes(&of_contact), ["note_contact"]);
    assert_eq!(of_contact[0].1["note"]["element_type"], "1");
    let edit = NoteChanged {
        updated_before: Some(CHANGED),
        ..fixture.note(EntityKind::Leads)
    };
    assert_eq!(note(edit), []);
    let mut by_client = fixture.note(EntityKind::Leads);
    by_client.note.authorship.created_by_client = Some(ActingClient {
        id: "5f0d6d5a-3b2f-4b43-9d8b-6f0a4c1d2e3f".parse().unwrap(),
        name: "Lamp bot".parse().unwrap(),
    });
    let text = note(by_client)[0].1["note"]["metadata"].clone();
    let metadata: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
    assert_eq!(metadata["event_source"]["author_name"], "Lamp bot");
}

#[test]
fn a_note_of_a_service_has_its_type_and_its_name() {
    let fixture = Fixture::plain();
    let mut change = fixture.note(EntityKind::Leads);
    change.note.content.kind = NoteKind::ServiceMessage("Till".parse().unwrap());
    let hooks = of_crm(&fixture, &CrmEvent::Note(Box::new(change)));
    let form = &hooks[0].1["note"];
    assert_eq!(form["note_type"], "25");
    let metadata: Value = serde_json::from_str(form["metadata"].as_str().unwrap()).unwrap();
    assert_eq!(metadata["event_source"]["author_name"], "Till");
}

#[test]
fn hooks_of_one_object_have_it_in_common() {
    let fixture = Fixture::plain();
    let (chat, conversation) = (fixture.chat(), fixture.conversation_context());
    let context = fixture.crm_context(&chat);
    let refusal = fixture.lead_changed(
        Some(fixture.lead_in(UNSORTED).place()),
        fixture.lead_in(LOST),
    );
    let hooks = hooks_of_crm(&refusal, &context);
    let objects: Vec<HookObject> = hooks.iter().map(|hook| hook.object).collect();
    let (lead, talk) = (
        HookObject::Lead(LeadId(5_150)),
        HookObject::Chat(fixture.conversation),
    );
    assert_eq!(objects, [lead, lead, lead, talk]);
    let first = fixture.received(OPENED_BY, &json!({ "type": "text", "text": "Hello" }));
    let hooks = hooks_of_conversation(&first, &conversation);
    assert!(hooks.iter().all(|hook| hook.object == talk), "{hooks:?}");
}

#[test]
fn other_records_cause_nothing() {
    let fixture = Fixture::plain();
    assert_eq!(of_crm(&fixture, &CrmEvent::Begun(Vec::new())), []);
    let mark = ConversationEvent::Marked(Marked {
        by: ADA,
        client: None,
        at: CHANGED,
        mark: Mark::Unread,
    });
    let context = fixture.conversation_context();
    assert_eq!(of_conversation(&fixture, &mark.into(), &context), []);
}

/// The record of a lead may be older than the deletion of its pipeline.
#[test]
fn a_lead_of_a_deleted_pipeline_has_its_form() {
    let mut fixture = Fixture::plain();
    fixture.crm.pipelines.clear();
    let record = fixture.lead_changed(None, fixture.lead.clone());
    let CrmEvent::Lead(changed) = &record else {
        panic!("{record:?}");
    };
    let LeadChanged { lead, .. } = changed.as_ref();
    let hooks = of_crm(&fixture, &record);
    assert_eq!(hooks[0].1["name"], lead.name);
}
