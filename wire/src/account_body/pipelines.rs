//! The bodies of pipelines and their stages, which the counterpart calls statuses.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{Item, Items};
use crate::body;
use crate::body::Body;
use crate::body::value::{Found, List};
use crate::body_values;
use crate::domain::crm::pipelines::color::StageColor;
use crate::domain::crm::pipelines::create::NewPipeline;
use crate::domain::crm::pipelines::stages::{NewStage, StageChange};
use crate::domain::crm::pipelines::update::PipelineChange;
use crate::domain::crm::pipelines::{NUMBER_MAX, PIPELINES_MAX, STAGES_MAX};
use crate::domain::crm::{LOST, WON};
use crate::domain::id::StageId;
use crate::domain::text::RoleName;
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;
use crate::schema::Schema;

/// The most stages in the body of one pipeline: its open ones, and the two ends.
const STATUSES_MAX: usize = STAGES_MAX + 2;

body!(
    /// A pipeline to be created.
    #[body(open)]
    pub struct NewPipelineBody {
        #[body(needed)]
        name: Option<RoleName>,
        /// Its place in lists; behind the others if it is left out.
        sort: Option<Sort>,
        /// True when it becomes the main one, in which leads from conversations arrive.
        is_main: Option<bool>,
        #[body(key("_embedded"))]
        embedded: Option<NewPipelineEmbedded>,
    }

    /// The stages of a new pipeline.
    #[body(open)]
    pub struct NewPipelineEmbedded {
        /// Its open stages, and the names of the ends; those of the first pipeline if it is left out.
        statuses: Option<List<NewPipelineStatus, STATUSES_MAX>>,
    }

    /// A stage of a new pipeline.
    #[body(open)]
    pub struct NewPipelineStatus {
        /// 142 or 143, for the name of an end. Every other stage gets the next number.
        id: Option<StageId>,
        #[body(flatten)]
        status: NewStatus,
    }

    /// A stage to be created.
    #[body(open)]
    pub struct NewStatus {
        #[body(needed)]
        name: Option<RoleName>,
        /// Its place among the open stages; behind the others if it is left out.
        sort: Option<Sort>,
        /// One of a few if it is left out.
        color: Option<StageColor>,
    }

    /// An update of a pipeline.
    #[body(open, lenient)]
    pub struct UpdatedPipeline {
        name: Option<RoleName>,
        sort: Option<Sort>,
        /// True when it becomes the main one. The main one stays main until another one is.
        is_main: Option<bool>,
    }

    /// An update of a stage.
    #[body(open, lenient)]
    pub struct UpdatedStatus {
        name: Option<RoleName>,
        /// Its place among the open stages. A system stage keeps its own.
        sort: Option<Sort>,
        /// A system stage keeps its own.
        color: Option<StageColor>,
    }
);

/// A place in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort(pub u64);

body_values! {
    Sort: Schema::between(0, NUMBER_MAX.cast_signed()), |found| {
        let place = found.whole(0..=NUMBER_MAX.cast_signed())?;
        u64::try_from(place).ok().map(Self)
    };
    StageColor: Schema::words(StageColor::names()), Found::parsed;
}

/// Reads pipelines to be created.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8]) -> Result<Vec<Item<NewPipeline>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "pipelines", PIPELINES_MAX)?.read(|item| {
        let pipeline = NewPipelineBody::take(item)?;
        let statuses = pipeline.embedded.and_then(|embedded| embedded.statuses);
        let mut new = NewPipeline {
            name: pipeline.name?,
            sort: pipeline.sort.map(|sort| sort.0),
            is_main: pipeline.is_main.unwrap_or(false),
            stages: Vec::new(),
            won: None,
            lost: None,
        };
        take_statuses(item, statuses, &mut new);
        Some(new)
    })
}

/// Takes the stages of a new pipeline, or the name of an end.
fn take_statuses(
    item: &ObjectReader<'_, '_>,
    statuses: Option<List<NewPipelineStatus, STATUSES_MAX>>,
    new: &mut NewPipeline,
) {
    let path = "_embedded.statuses";
    let statuses = statuses.map(|statuses| statuses.0).unwrap_or_default();
    if statuses.len() > STATUSES_MAX {
        let detail =
            format!("a pipeline has at most {STAGES_MAX} statuses besides the system ones");
        return item.reject(path, ViolationCode::InvalidValue, detail);
    }
    for (at, status) in statuses.into_iter().enumerate() {
        let Some(NewPipelineStatus { id, status }) = status else {
            continue;
        };
        let end = match id {
            Some(WON) => Some(&mut new.won),
            Some(LOST) => Some(&mut new.lost),
            Some(_) => {
                let detail = format!(
                    "expected {WON} or {LOST}, for the name of an end; every other status gets a number"
                );
                let code = ViolationCode::NotSupportedChoice;
                item.reject(&format!("{path}.{at}.id"), code, detail);
                continue;
            }
            None => None,
        };
        match end {
            Some(name) if name.is_none() => *name = status.name,
            Some(_) => {
                let detail = "the status is named twice".to_owned();
                let code = ViolationCode::InvalidValue;
                item.reject(&format!("{path}.{at}.id"), code, detail);
            }
            None => new.stages.extend(status.stage()),
        }
    }
    if new.stages.len() > STAGES_MAX {
        let detail =
            format!("a pipeline has at most {STAGES_MAX} statuses besides the system ones");
        item.reject(path, ViolationCode::InvalidValue, detail);
    }
}

impl NewStatus {
    /// The stage; `None` when something is wrong with it, which was reported.
    fn stage(self) -> Option<NewStage> {
        Some(NewStage {
            name: self.name?,
            sort: self.sort.map(|sort| sort.0),
            color: self.color,
        })
    }
}

/// Reads stages to be created.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new_statuses(body: &[u8]) -> Result<Vec<Item<NewStage>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "statuses", STAGES_MAX)?.read(|item| NewStatus::take(item)?.stage())
}

/// Reads what is to be different of a pipeline.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_update(body: &[u8]) -> Result<PipelineChange, BodyError> {
    UpdatedPipeline::read_as(body, |_, body| {
        Some(PipelineChange {
            name: body.name,
            sort: body.sort.map(|sort| sort.0),
            is_main: body.is_main,
        })
    })
}

/// Reads what is to be different of a stage.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_status_update(body: &[u8]) -> Result<StageChange, BodyError> {
    UpdatedStatus::read_as(body, |_, body| {
        Some(StageChange {
            name: body.name,
            sort: body.sort.map(|sort| sort.0),
            color: body.color,
        })
    })
}
