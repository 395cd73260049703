use super::*;
use crate::crm::create_leads::{CreateLeads, NewLead};
use crate::crm::fields::Price;
use crate::crm::pipelines::create::CreatePipelines;
use crate::crm::pipelines::create::NewPipeline;
use crate::crm::pipelines::delete::DeletePipeline;
use crate::crm::pipelines::update::{PipelineChange, UpdatePipeline};
use crate::crm::sources::CreateSources;
use crate::id::{AccountId, SourceNumber};
use switchboard_engine::state::State as _;
use switchboard_engine::testkit::carry_out;

const BY: By = By::Service;

/// An account with its first pipeline, and a second one with the stages 6 to 8 behind the unsorted one, 5.
fn crm() -> Crm {
    let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
    let pipelines = vec![NewPipeline {
        name: "Second".parse().unwrap(),
        sort: None,
        is_main: false,
        stages: Vec::new(),
        won: None,
        lost: None,
    }];
    carry_out(&mut crm, CreatePipelines { by: BY, pipelines }).unwrap();
    crm
}

fn stage(name: &str, sort: Option<u64>) -> NewStage {
    NewStage {
        name: name.parse().unwrap(),
        sort,
        color: None,
    }
}

fn create(
    crm: &mut Crm,
    pipeline: u64,
    stages: Vec<NewStage>,
) -> Result<Vec<u64>, PipelineRejection> {
    let pipeline = PipelineId(pipeline);
    let command = CreateStages {
        by: BY,
        pipeline,
        stages,
    };
    let answer = carry_out(crm, command)?;
    Ok(answer.into_iter().map(|it| it.id.0).collect())
}

fn delete(crm: &mut Crm, pipeline: u64, stage: u64) -> Result<(), PipelineRejection> {
    let (pipeline, stage) = (PipelineId(pipeline), StageId(stage));
    carry_out(
        crm,
        DeleteStage {
            by: BY,
            pipeline,
            stage,
        },
    )
}

fn delete_pipeline(crm: &mut Crm, id: u64) -> Result<(), PipelineRejection> {
    let id = PipelineId(id);
    carry_out(crm, DeletePipeline { by: BY, id })
}

fn add_lead(crm: &mut Crm, pipeline: u64, stage: u64) -> bool {
    let lead = NewLead {
        values: crate::crm::custom_fields::value::FieldValues::default(),
        name: None,
        price: Price::default(),
        stage: (PipelineId(pipeline), StageId(stage)),
        responsible: None,
        contact: None,
        submission: None,
        tags: Vec::new(),
    };
    let command = CreateLeads {
        by: BY,
        account: crm.account,
        leads: vec![lead],
    };
    carry_out(crm, command).is_ok()
}

fn order(crm: &Crm, pipeline: u64) -> Vec<u64> {
    let stages = &crm.pipeline(PipelineId(pipeline)).unwrap().stages;
    stages.iter().map(|stage| stage.id.0).collect()
}

#[test]
fn stages_are_in_their_order_and_numbers_are_not_used_again() {
    let mut crm = crm();
    assert_eq!(order(&crm, 2), [5, 6, 7, 8, 142, 143]);
    let two = vec![stage("last", None), stage("first", Some(15))];
    assert_eq!(create(&mut crm, 2, two), Ok(vec![9, 10]));
    assert_eq!(order(&crm, 2), [5, 10, 6, 7, 8, 9, 142, 143]);
    delete(&mut crm, 2, 10).unwrap();
    assert_eq!(create(&mut crm, 1, vec![stage("x", None)]), Ok(vec![11]));
    delete_pipeline(&mut crm, 2).unwrap();
    let unknown = create(&mut crm, 2, vec![stage("x", None)]);
    assert_eq!(unknown, Err(PipelineRejection::UnknownPipeline));
}

#[test]
fn a_stage_with_leads_or_a_source_and_a_system_stage_stay() {
    let mut crm = crm();
    assert!(add_lead(&mut crm, 2, 7));
    assert!(add_lead(&mut crm, 2, 143));
    let settings = |stage: Option<u64>| crate::crm::source::SourceSettings {
        name: "Shop".parse().unwrap(),
        external_id: "shop".parse().unwrap(),
        pipeline: PipelineId(2),
        stage: stage.map(StageId),
        default: false,
    };
    let sources = vec![settings(Some(8))];
    carry_out(&mut crm, CreateSources { by: BY, sources }).unwrap();
    for (stage, rejection) in [
        (7, PipelineRejection::HasLeads(1)),
        (8, PipelineRejection::HasSource(SourceNumber(1))),
        (5, PipelineRejection::SystemStage),
        (142, PipelineRejection::SystemStage),
        (2, PipelineRejection::UnknownStage),
    ] {
        assert_eq!(delete(&mut crm, 2, stage), Err(rejection), "{stage}");
    }
    let leads = delete_pipeline(&mut crm, 2);
    assert_eq!(leads, Err(PipelineRejection::HasLeads(2)));
    let main = delete_pipeline(&mut crm, 1);
    assert_eq!(main, Err(PipelineRejection::MainPipeline));
    assert_eq!(order(&crm, 2), [5, 6, 7, 8, 142, 143]);
}

#[test]
fn no_lead_gets_into_a_deleted_stage_and_one_open_stays() {
    let mut crm = crm();
    delete(&mut crm, 2, 6).unwrap();
    assert!(!add_lead(&mut crm, 2, 6));
    delete(&mut crm, 2, 7).unwrap();
    assert_eq!(delete(&mut crm, 2, 8), Err(PipelineRejection::LastStage));
}

#[test]
fn only_the_name_of_a_system_stage_changes() {
    let mut crm = crm();
    let mut update = |stage: u64, change: StageChange| {
        let command = UpdateStage {
            by: BY,
            pipeline: PipelineId(2),
            stage: StageId(stage),
            change,
        };
        carry_out(&mut crm, command).map(|stage| stage.name)
    };
    let name = StageChange {
        name: Some("Paid".parse().unwrap()),
        sort: Some(10_000),
        ..StageChange::default()
    };
    assert_eq!(update(142, name), Ok("Paid".to_owned()));
    let sort = StageChange {
        sort: Some(5),
        ..StageChange::default()
    };
    let fixed = update(142, sort.clone());
    assert_eq!(fixed, Err(PipelineRejection::FixedField("sort")));
    update(8, sort).unwrap();
    assert_eq!(order(&crm, 2), [5, 8, 6, 7, 142, 143]);
}

#[test]
fn another_pipeline_becomes_main_and_the_old_one_can_go() {
    let mut crm = crm();
    let mut update = |id: u64, is_main: bool| {
        let change = PipelineChange {
            is_main: Some(is_main),
            ..PipelineChange::default()
        };
        let id = PipelineId(id);
        let command = UpdatePipeline { by: BY, id, change };
        carry_out(&mut crm, command).map(|it| it.is_main)
    };
    assert_eq!(update(1, false), Err(PipelineRejection::NeedsMain));
    assert_eq!(update(2, true), Ok(true));
    assert_eq!(update(1, false), Ok(false));
    delete_pipeline(&mut crm, 1).unwrap();
    assert_eq!(crm.arrival(), Some((PipelineId(2), StageId(5))));
}
