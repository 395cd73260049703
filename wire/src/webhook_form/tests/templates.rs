//! The hook of a template whose review is asked for.

use switchboard_engine::state::Moment;

use super::fixture::{CHANGED, CREATED, Fixture};
use super::tree::parse;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::id::{ReviewId, SourceNumber, TemplateId};
use crate::domain::templates::TemplatesEvent;
use crate::domain::templates::review::{Review, ReviewStatus};
use crate::domain::templates::template::{Template, TemplateChange, TemplateKind, WabaCategory};
use crate::domain::text::RejectReason;
use crate::webhook_form::hook_of_template;

/// A template of this kind with fields of WhatsApp, whose review is asked for in two sources.
pub(super) fn review_of(fixture: &Fixture, kind: TemplateKind) -> TemplatesEvent {
    let change = TemplateChange {
        name: Some("Order is paid".parse().unwrap()),
        content: Some(fixture.words.name.parse().unwrap()),
        kind: Some(kind),
        footer: Some(Some("No reply".parse().unwrap())),
        category: Some(Some(WabaCategory::Utility)),
        language: Some(Some("en".parse().unwrap())),
        ..TemplateChange::default()
    };
    let review = |id, status| Review {
        id: ReviewId(id),
        source: Some(SourceNumber(id)),
        status,
        reject_reason: RejectReason::default(),
    };
    let template = Template {
        id: TemplateId(7),
        client: None,
        settings: change.into_new().unwrap(),
        created_at: CREATED,
        updated_at: CHANGED,
        reviews: vec![
            review(1, ReviewStatus::Review),
            review(2, ReviewStatus::Review),
        ],
    };
    let mut bytes = || [7; 16];
    let mut moment = Moment::<()> {
        now: CHANGED,
        random: &mut bytes,
        earlier: &[],
    };
    TemplatesEvent {
        id: template.id,
        now: Some(Box::new(template)),
        asks_review: true,
        audit: Box::new(AuditEntry::new(
            By::Operator,
            "template.review",
            7,
            &mut moment,
        )),
    }
}

/// Its event is the outermost key, and a template that is not for WhatsApp shows none of its fields.
#[test]
fn a_review_has_no_key_around_its_event() {
    let fixture = Fixture::plain();
    for (kind, footer) in [(TemplateKind::Waba, "No reply"), (TemplateKind::Amocrm, "")] {
        let event = review_of(&fixture, kind);
        let tree = parse(&hook_of_template(&event).unwrap().form(&fixture.account()));
        let item = &tree["add"][0];
        assert_eq!(item["type"], kind.as_str());
        assert_eq!(item["waba_footer"], footer);
        assert_eq!(item["reviews"][1]["source_id"], "2");
    }
}

#[test]
fn other_changes_of_templates_are_no_event() {
    let event = review_of(&Fixture::plain(), TemplateKind::Waba);
    let answer = TemplatesEvent {
        asks_review: false,
        ..event.clone()
    };
    assert!(hook_of_template(&answer).is_none());
    let deletion = TemplatesEvent { now: None, ..event };
    assert!(hook_of_template(&deletion).is_none());
}
