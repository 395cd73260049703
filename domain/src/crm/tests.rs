use super::*;

pub(crate) const OPEN: StageId = StageId(7);

/// A CRM with the pipelines that each account begins with.
fn crm() -> Crm {
    Crm {
        pipelines: Crm::first_pipelines(),
        ..Crm::initial(&AccountId::from_random([1; 16]))
    }
}

pub(crate) fn lead(stage: StageId) -> Lead {
    let account = AccountId::from_random([1; 16]);
    Lead {
        values: crate::crm::custom_fields::value::FieldValues::default(),
        id: LeadId(1),
        name: "Lead".to_owned(),
        price: Price::default(),
        pipeline: PipelineId(1),
        stage,
        responsible: Some(UserId(2)),
        contact: None,
        chat: Some(LeadChat {
            conversation: ConversationId::from_random([2; 16]),
            scope: ScopeId::new("a".parse().unwrap(), account),
            opened_by: 1,
        }),
        talk_closed: None,
        submission: None,
        sorted: None,
        merged_into: None,
        tags: Vec::new(),
        created_at: UnixMillis::new(1),
        updated_at: UnixMillis::new(2),
    }
}

#[test]
fn a_lead_is_active_until_it_is_won_or_lost() {
    assert!(lead(OPEN).is_active());
    assert!(!lead(WON).is_active());
    assert!(!lead(LOST).is_active());
}

#[test]
fn a_lead_with_a_chat_has_a_talk_in_work() {
    assert!(lead(OPEN).talk_is_in_work(None));
    assert!(lead(OPEN).talk_is_in_work(Some(1)));
}

#[test]
fn neither_a_won_lead_nor_one_without_a_chat_has_a_talk() {
    assert!(!lead(WON).talk_is_in_work(Some(1)));
    let without_chat = Lead {
        chat: None,
        ..lead(OPEN)
    };
    assert!(!without_chat.talk_is_in_work(Some(1)));
}

#[test]
fn a_closed_talk_is_in_work_again_with_the_next_loud_message() {
    let closed_lead = Lead {
        talk_closed: Some(5),
        ..lead(OPEN)
    };
    assert!(!closed_lead.talk_is_in_work(Some(5)));
    assert!(closed_lead.talk_is_in_work(Some(6)));
    // The later messages belong to a newer lead.
    assert!(!closed_lead.talk_is_in_work(None));
}

#[test]
fn the_place_of_a_lead_in_lists_has_what_they_sort_by() {
    let lead = lead(OPEN);
    let place = lead.place();
    assert_eq!((place.pipeline, place.stage), (PipelineId(1), OPEN));
    assert_eq!(place.responsible, Some(UserId(2)));
    assert_eq!(place.updated_at, UnixMillis::new(2));
    let conversation = lead.chat.as_ref().map(|chat| chat.conversation);
    assert_eq!(lead.conversation(), conversation);
    assert!(conversation.is_some());
}

#[test]
fn a_stage_is_found_in_its_own_pipeline() {
    let crm = crm();
    let pipeline = &crm.pipelines[0];
    let last = pipeline.stages.last().unwrap();
    assert_eq!(crm.stage(pipeline.id, last.id), Some(last));
    assert_eq!(crm.stage(PipelineId(99), last.id), None);
    assert_eq!(crm.stage(pipeline.id, StageId(99)), None);
}

#[test]
fn leads_arrive_in_the_unsorted_stage_of_the_default_pipeline() {
    let crm = crm();
    let (pipeline, stage) = crm.arrival().unwrap();
    assert_eq!(pipeline, crm.pipelines[0].id);
    let arrival = crm.stage(pipeline, stage).unwrap();
    assert_eq!(arrival.kind, StageKind::Unsorted);
}
