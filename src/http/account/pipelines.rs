//! `GET /api/v4/leads/pipelines`: the pipelines of the caller's account with their stages.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::{Pipeline, Stage, StageKind};
use switchboard_actors::domain::id::{PipelineId, StageId};

use crate::http::base::Base;
use crate::http::extract::caller::AnyUser;
use crate::http::openapi::Operation;
use crate::http::reply::hal::{self, Links};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let access = state.system().user_access(&caller).await?;
    let crm = access.crm().await?;
    Ok(hal::ok(&Pipelines::of(&base, &crm.pipelines)))
}

view! {
    #[schemars(inline)]
    struct Pipelines<'b>(base: &str, pipelines: &'b [Pipeline]) {
        _total_items: usize = pipelines.len(),
        _links: Links = Links::to(format!("{base}/api/v4/leads/pipelines")),
        _embedded: PipelinesEmbedded<'b> = PipelinesEmbedded::of(base, pipelines),
    }

    #[schemars(inline)]
    struct PipelinesEmbedded<'b>(base: &str, pipelines: &'b [Pipeline]) [
        let views = pipelines.iter().enumerate();
    ] {
        pipelines: Vec<PipelineView<'b>> = views.map(|(place, it)| PipelineView::of(base, place, it)).collect(),
    }

    #[schemars(inline)]
    struct PipelineView<'b>(base: &str, place: usize, pipeline: &'b Pipeline) {
        id: PipelineId = pipeline.id,
        name: &'b str = pipeline.name.as_ref(),
        sort: usize = place.saturating_add(1),
        is_main: bool = place == 0,
        #[schemars(extend("const" = true))]
        is_unsorted_on: bool = true,
        #[schemars(extend("const" = false))]
        is_archive: bool = false,
        _links: Links = Links::to(format!("{base}/api/v4/leads/pipelines/{}", pipeline.id)),
        _embedded: Stages<'b> = Stages::of(pipeline),
    }

    #[schemars(inline)]
    struct Stages<'b>(pipeline: &'b Pipeline) [let stages = pipeline.stages.iter().enumerate();] {
        statuses: Vec<StageView<'b>> = stages.map(|(sort, stage)| StageView::of(pipeline.id, sort, stage)).collect(),
    }

    #[schemars(inline)]
    struct StageView<'b>(pipeline: PipelineId, sort: usize, stage: &'b Stage) {
        id: StageId = stage.id,
        name: &'b str = stage.name.as_ref(),
        sort: usize = sort.saturating_add(1).saturating_mul(10),
        is_editable: bool = stage.kind == StageKind::Open,
        pipeline_id: PipelineId = pipeline,
        /// 1 is the system stage «unsorted», 0 every other one.
        #[schemars(range(max = 1))]
        r#type: u8 = u8::from(stage.kind == StageKind::Unsorted),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::deals("listPipelines", "List pipelines with their stages.")
        .gives_hal::<Pipelines<'_>>(200, "The pipelines.")
}
