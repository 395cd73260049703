//! Administrators set sources. A source picks the stage of the deal that a message with its external id opens.

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::crm::source::{SOURCES_MAX, Source, SourceChanged, SourceSettings};
use crate::domain::crm::{Crm, CrmEvent, StageKind};
use crate::domain::id::{PipelineId, SourceNumber, StageId};
use crate::domain::text::{RoleName, SourceId};
use switchboard_engine::state::{Command, Moment, Recorded};

impl Crm {
    /// Where the deal arrives that a message through this source opens: where the account's source of this external id
    /// says, else its default source, else in the unsorted stage of the default pipeline.
    #[must_use]
    pub fn arrival_through(&self, external: Option<&SourceId>) -> Option<(PipelineId, StageId)> {
        let named = external.and_then(|external| {
            let mut sources = self.sources.iter();
            sources.find(|source| source.settings.external_id == *external)
        });
        let mut defaults = self.sources.iter().filter(|source| source.settings.default);
        let Some(source) = named.or_else(|| defaults.next()) else {
            return self.arrival();
        };
        let wanted = source.settings.pipeline;
        let pipeline = self.pipelines.iter().find(|known| known.id == wanted)?;
        let mut stages = pipeline.stages.iter();
        let stage = stages.find(|stage| match source.settings.stage {
            Some(wanted) => stage.id == wanted,
            None => stage.kind == StageKind::Unsorted,
        });
        stage
            .map(|stage| (wanted, stage.id))
            .or_else(|| self.arrival())
    }
}

/// Why sources are not added or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceRejection {
    /// There is none of this number.
    #[error("there is no such source")]
    Unknown,
    /// The account has as many as it can have.
    #[error("an account has at most {SOURCES_MAX} sources; delete unused ones")]
    TooMany,
    /// Another source has this external id: the one at this place of the request.
    #[error("another source of the account has this external_id")]
    Taken(usize),
}

/// An administrator adds sources: all of them or none.
#[derive(Clone, Debug)]
pub struct AddSources {
    /// Who does it.
    pub by: By,
    /// The sources.
    pub sources: Vec<SourceSettings>,
}

impl Command for AddSources {
    type Of = Crm;
    type Reply = Vec<Source>;
    type Rejection = SourceRejection;

    fn decide(
        self,
        state: &Crm,
        _found: &[Option<Recorded<CrmEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<CrmEvent, Vec<Source>>, SourceRejection> {
        if state.sources.len().saturating_add(self.sources.len()) > SOURCES_MAX {
            return Err(SourceRejection::TooMany);
        }
        let mut after = state.clone();
        let mut events = Vec::new();
        let mut added = Vec::new();
        for (place, settings) in self.sources.into_iter().enumerate() {
            if is_taken(&after, &settings, None) {
                return Err(SourceRejection::Taken(place));
            }
            let id = SourceNumber(after.last_source.saturating_add(1));
            let by = (self.by.clone(), "source.create");
            let changed = SourceChanged::new(
                by,
                state.account,
                id,
                (None, Some(settings.clone())),
                moment,
            );
            changed.apply(&mut after.sources, &mut after.last_source);
            events.push(CrmEvent::Source(Box::new(changed)).into());
            added.push(id);
        }
        let sources = after.sources.into_iter();
        let sources = sources.filter(|source| added.contains(&source.id));
        Ok(Decision::events(events, sources.collect()))
    }
}

/// An administrator changes a source.
#[derive(Clone, Debug)]
pub struct EditSource {
    /// Who does it.
    pub by: By,
    /// The source.
    pub id: SourceNumber,
    /// What is to be different.
    pub change: SourceChange,
}

/// What is to be different of a source; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// Its name.
    pub name: Option<RoleName>,
    /// What messages call it.
    pub external_id: Option<SourceId>,
    /// Pipeline and stage of its deals; no stage for the unsorted one.
    pub place: Option<(PipelineId, Option<StageId>)>,
    /// Whether it is the default source.
    pub default: Option<bool>,
}

impl Command for EditSource {
    type Of = Crm;
    type Reply = Source;
    type Rejection = SourceRejection;

    fn decide(
        self,
        state: &Crm,
        _found: &[Option<Recorded<CrmEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<CrmEvent, Source>, SourceRejection> {
        let current = state.source(self.id).ok_or(SourceRejection::Unknown)?;
        let before = current.settings.clone();
        let change = self.change;
        let (pipeline, stage) = change.place.unwrap_or((before.pipeline, before.stage));
        let settings = SourceSettings {
            name: change.name.unwrap_or_else(|| before.name.clone()),
            external_id: change
                .external_id
                .unwrap_or_else(|| before.external_id.clone()),
            pipeline,
            stage,
            default: change.default.unwrap_or(before.default),
        };
        if settings == before {
            return Ok(Decision::unchanged(current.clone()));
        }
        if is_taken(state, &settings, Some(self.id)) {
            return Err(SourceRejection::Taken(0));
        }
        let id = self.id;
        let by = (self.by, "source.change");
        let values = (Some(&before), Some(settings.clone()));
        let changed = SourceChanged::new(by, state.account, id, values, moment);
        let event = CrmEvent::Source(Box::new(changed));
        Ok(Decision::event(event, Source { id, settings }))
    }
}

/// An administrator deletes a source. Deals that came through it stay.
#[derive(Clone, Debug)]
pub struct DeleteSource {
    /// Who does it.
    pub by: By,
    /// The source.
    pub id: SourceNumber,
}

impl Command for DeleteSource {
    type Of = Crm;
    type Reply = ();
    type Rejection = SourceRejection;

    fn decide(
        self,
        state: &Crm,
        _found: &[Option<Recorded<CrmEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<CrmEvent, ()>, SourceRejection> {
        let current = state.source(self.id).ok_or(SourceRejection::Unknown)?;
        let by = (self.by, "source.delete");
        let values = (Some(&current.settings), None);
        let changed = SourceChanged::new(by, state.account, self.id, values, moment);
        Ok(Decision::event(CrmEvent::Source(Box::new(changed)), ()))
    }
}

impl Crm {
    /// The source of this number.
    #[must_use]
    pub fn source(&self, id: SourceNumber) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }
}

/// Whether another source has the external id.
fn is_taken(state: &Crm, settings: &SourceSettings, own: Option<SourceNumber>) -> bool {
    let mut others = state.sources.iter().filter(|source| Some(source.id) != own);
    others.any(|source| source.settings.external_id == settings.external_id)
}
