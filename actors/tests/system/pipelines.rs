//! Stages come and go while leads move: no lead is ever in a stage that is not there.

use futures_util::future::join3;
use switchboard_actors::Threads;
use switchboard_actors::domain::crm::create_leads::NewLead;
use switchboard_actors::domain::crm::fields::Price;
use switchboard_actors::domain::crm::pipelines::rejection::PipelineRejection;
use switchboard_actors::domain::crm::pipelines::stages::NewStage;
use switchboard_actors::domain::crm::update_lead::LeadChange;
use switchboard_actors::domain::id::{LeadId, PipelineId, StageId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::CrmRejection;
use switchboard_worlds::{Setup, TestSystem};

const PIPELINE: PipelineId = PipelineId(1);

fn lead_in(stage: StageId) -> NewLead {
    NewLead {
        values: switchboard_actors::domain::crm::custom_fields::value::FieldValues::default(),
        name: None,
        price: Price::default(),
        stage: (PIPELINE, stage),
        responsible: None,
        contact: None,
        submission: None,
        tags: Vec::new(),
    }
}

#[actix::test]
async fn no_lead_is_in_a_stage_that_was_deleted_at_the_same_time() {
    let (mut deleted, mut stayed) = (0, 0);
    for threads in [Threads::Here, Threads::Own(2)] {
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let test = setup.start().await;
        let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
        let access = test.user_access(&ada).await.unwrap();
        access
            .create_leads(vec![lead_in(StageId(2))])
            .await
            .unwrap();
        for round in 0..12 {
            let stage = NewStage {
                name: "Short".parse().unwrap(),
                sort: None,
                color: None,
            };
            let creation = access.create_statuses(PIPELINE, vec![stage]).await.unwrap();
            let id = creation[0].id;
            let into = |stage| LeadChange {
                stage: Some((PIPELINE, stage)),
                ..LeadChange::default()
            };
            let delete = access.delete_status(PIPELINE, id);
            // Each of the three is the first in turn.
            let (deletion, moved, added) = if round % 2 == 0 {
                let change = access.update_lead(LeadId(1), into(id));
                let add = access.create_leads(vec![lead_in(id)]);
                join3(delete, change, add).await
            } else {
                let change = access.update_lead(LeadId(1), into(id));
                let add = access.create_leads(vec![lead_in(id)]);
                let (moved, added, deletion) = join3(change, add, delete).await;
                (deletion, moved, added)
            };
            let crm = access.crm().await.unwrap();
            match deletion {
                Ok(()) => {
                    deleted += 1;
                    assert!(crm.stage(PIPELINE, id).is_none());
                    assert_eq!(moved, Err(CommandError::Rejected(CrmRejection::StageGone)));
                    assert_eq!(added, Err(CommandError::Rejected(CrmRejection::StageGone)));
                }
                Err(CommandError::Rejected(PipelineRejection::HasLeads(leads))) => {
                    stayed += 1;
                    assert!(crm.leads_in.in_stage(PIPELINE, id) >= leads);
                }
                Err(other) => panic!("{other:?}"),
            }
            for lead in test.leads().await {
                assert!(crm.stage(lead.pipeline, lead.stage).is_some(), "{lead:?}");
            }
            access
                .update_lead(LeadId(1), into(StageId(2)))
                .await
                .unwrap();
        }
        let crm = access.crm().await.unwrap();
        let stages = &crm.pipeline(PIPELINE).unwrap().stages;
        let counts = stages
            .iter()
            .map(|stage| crm.leads_in.in_stage(PIPELINE, stage.id));
        assert_eq!(counts.sum::<u64>(), crm.leads);
        test.stop().await;
    }
    assert!(
        deleted > 0 && stayed > 0,
        "{deleted} deleted, {stayed} stayed"
    );
}
