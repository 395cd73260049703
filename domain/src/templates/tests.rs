use std::collections::BTreeSet;

use switchboard_engine::state::{Command, Moment};

use super::create::CreateTemplates;
use super::create_template_reviews::CreateTemplateReviews;
use super::delete::DeleteTemplates;
use super::review::ReviewStatus;
use super::template::{TemplateChange, TemplateKind};
use super::update::{NumberedChange, UpdateTemplates};
use super::update_template_review::UpdateTemplateReview;
use super::*;
use crate::id::{ReviewId, SourceNumber};
use crate::text::RejectReason;
use crate::time::UnixMillis;

/// The templates of an account, with the time of a test.
struct Test {
    templates: Templates,
    now: UnixMillis,
}

fn client(number: u8) -> Option<OauthClientId> {
    Some(OauthClientId::from_random([number; 16]))
}

fn change(text: &str) -> TemplateChange {
    TemplateChange {
        name: Some("Welcome".parse().unwrap()),
        content: Some(text.parse().unwrap()),
        ..TemplateChange::default()
    }
}

fn create(texts: &[&str]) -> CreateTemplates {
    let settings = texts.iter().map(|text| change(text).into_new().unwrap());
    CreateTemplates {
        by: By::Operator,
        client: client(1),
        templates: settings.collect(),
    }
}

fn update(id: u64, change: TemplateChange) -> UpdateTemplates {
    let id = TemplateId(id);
    UpdateTemplates {
        by: By::Operator,
        client: client(1),
        changes: vec![NumberedChange { id, change }],
    }
}

fn waba() -> TemplateChange {
    TemplateChange {
        kind: Some(TemplateKind::Waba),
        ..TemplateChange::default()
    }
}

fn ask_review(id: u64, sources: &[u64]) -> CreateTemplateReviews {
    CreateTemplateReviews {
        by: By::Operator,
        client: client(1),
        id: TemplateId(id),
        sources: sources.iter().copied().map(SourceNumber).collect(),
    }
}

fn answer_review(review: u64, status: ReviewStatus) -> UpdateTemplateReview {
    UpdateTemplateReview {
        by: By::Operator,
        client: client(1),
        id: TemplateId(1),
        review: ReviewId(review),
        status,
        reject_reason: RejectReason::default(),
    }
}

impl Test {
    fn new() -> Self {
        Self {
            templates: Templates::initial(&AccountId::from_random([1; 16])),
            now: UnixMillis::from_secs(1_000_000),
        }
    }

    /// Decides, and applies what is stored; a rejection changes nothing.
    fn decide<C: Command<Of = Templates>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        let reply = self.decide_only(command)?;
        let json = serde_json::to_string(&self.templates).unwrap();
        let snapshot: Templates = serde_json::from_str(&json).unwrap();
        assert_eq!(snapshot, self.templates);
        Ok(reply)
    }

    /// The same without a look at the snapshot, for large states.
    fn decide_only<C: Command<Of = Templates>>(
        &mut self,
        command: C,
    ) -> Result<C::Reply, C::Rejection> {
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: self.now,
            random: &mut random,
            earlier: &[],
        };
        let decision = command.decide(&self.templates, &mut moment)?;
        for recorded in &decision.events {
            let record = serde_json::to_string(&recorded.event).unwrap();
            self.templates
                .apply(&serde_json::from_str(&record).unwrap());
        }
        Ok(decision.reply)
    }
}

#[test]
fn numbers_go_on_also_after_a_deletion() {
    let mut test = Test::new();
    let templates = test.decide(create(&["One", "Two"])).unwrap();
    assert_eq!(
        templates.iter().map(|it| it.id.0).collect::<Vec<_>>(),
        [1, 2]
    );
    let delete = DeleteTemplates {
        by: By::Operator,
        client: client(1),
        ids: BTreeSet::from([TemplateId(2)]),
    };
    test.decide(delete).unwrap();
    let templates = test.decide(create(&["Three"])).unwrap();
    assert_eq!(templates.first().map(|it| it.id.0), Some(3));
}

#[test]
fn another_client_has_no_such_template() {
    let mut test = Test::new();
    test.decide(create(&["One"])).unwrap();
    let mut foreign = update(1, change("Stolen"));
    foreign.client = client(2);
    assert_eq!(test.decide(foreign), Err(TemplateRejection::Unknown));
    let delete = |client| DeleteTemplates {
        by: By::Operator,
        client,
        ids: BTreeSet::from([TemplateId(1)]),
    };
    for other in [None, client(2)] {
        assert_eq!(test.decide(delete(other)), Err(TemplateRejection::Unknown));
    }
    assert_eq!(test.decide(delete(client(1))), Ok(()));
}

#[test]
fn an_account_has_a_bounded_number_and_size_of_templates() {
    let mut test = Test::new();
    let long = "x".repeat(16_384);
    let texts = vec![long.as_str(); TEMPLATES_MAX];
    test.decide_only(create(&texts)).unwrap();
    assert_eq!(
        test.decide_only(create(&["One"])),
        Err(TemplateRejection::TooMany)
    );
    let reason = "x".repeat(65_535);
    let mut refusals = 0;
    for id in 1..=200 {
        let reviews = test.decide_only(ask_review(id, &[3])).unwrap().reviews;
        let mut rejected = answer_review(reviews.first().unwrap().id.0, ReviewStatus::Rejected);
        rejected.id = TemplateId(id);
        rejected.reject_reason = reason.parse().unwrap();
        match test.decide_only(rejected) {
            Ok(_) => {}
            Err(rejection) => {
                assert_eq!(rejection, TemplateRejection::TooLarge);
                refusals += 1;
            }
        }
    }
    assert!((60..150).contains(&refusals), "{refusals}");
}

#[test]
fn a_template_for_whatsapp_is_fixed_from_its_review_on() {
    let mut test = Test::new();
    test.decide(create(&["One"])).unwrap();
    test.decide(update(1, waba())).unwrap();
    let reviews = test.decide(ask_review(1, &[3, 4])).unwrap().reviews;
    let numbers: Vec<_> = reviews.iter().map(|it| (it.id.0, it.source)).collect();
    assert_eq!(
        numbers,
        [(1, Some(SourceNumber(3))), (2, Some(SourceNumber(4)))]
    );
    let rejection = Err(TemplateRejection::Fixed(0));
    assert_eq!(test.decide(update(1, change("Two"))), rejection);
    test.decide(answer_review(1, ReviewStatus::Approved))
        .unwrap();
    let status = |test: &Test| test.templates.get(TemplateId(1)).unwrap().review_status();
    assert_eq!(status(&test), ReviewStatus::Review);
    test.decide(answer_review(2, ReviewStatus::Approved))
        .unwrap();
    assert_eq!(status(&test), ReviewStatus::Approved);
    assert_eq!(test.decide(update(1, change("Two"))), rejection);
    test.decide(answer_review(2, ReviewStatus::Rejected))
        .unwrap();
    let templates = test.decide(update(1, change("Two"))).unwrap();
    assert_eq!(templates.first().unwrap().reviews, []);
    // Asked for again, a review of another source has a number of its own.
    let reviews = test.decide(ask_review(1, &[])).unwrap().reviews;
    assert_eq!(
        reviews
            .iter()
            .map(|it| (it.id.0, it.source))
            .collect::<Vec<_>>(),
        [(3, None)]
    );
    let unknown = test.decide(answer_review(1, ReviewStatus::Approved));
    assert_eq!(unknown, Err(TemplateRejection::UnknownReview));
}

#[test]
fn a_change_of_several_is_made_whole_or_not_at_all() {
    let mut test = Test::new();
    test.decide(create(&["One", "Two"])).unwrap();
    test.decide(update(2, waba())).unwrap();
    test.decide(ask_review(2, &[])).unwrap();
    let before = test.templates.clone();
    let both = UpdateTemplates {
        by: By::Operator,
        client: client(1),
        changes: [1, 2]
            .map(|id| NumberedChange {
                id: TemplateId(id),
                change: change("Other"),
            })
            .into(),
    };
    assert_eq!(test.decide(both), Err(TemplateRejection::Fixed(1)));
    assert_eq!(test.templates, before);
}
