//! Administrators set sources. A source picks the stage of the lead that a message with its external id opens.

use std::collections::BTreeSet;

use crate::Decision;
use crate::audit::By;
use crate::crm::source::{SOURCES_MAX, Source, SourceChanged, SourceSettings};
use crate::crm::{Crm, CrmEvent};
use crate::id::{PipelineId, SourceNumber, StageId};
use crate::text::{RoleName, SourceId};
use switchboard_engine::state::{Command, Moment};

impl Crm {
    /// Returns the place for the lead that a message through this source opens: the stage of the account's source with
    /// this external id, else of its default source, else the unsorted stage of the default pipeline.
    #[must_use]
    pub fn arrival_through(&self, external: Option<&SourceId>) -> Option<(PipelineId, StageId)> {
        let by_external_id = external.and_then(|external| {
            let mut sources = self.sources.iter();
            sources.find(|source| source.settings.external_id == *external)
        });
        let mut defaults = self.sources.iter().filter(|source| source.settings.default);
        let Some(source) = by_external_id.or_else(|| defaults.next()) else {
            return self.arrival();
        };
        let pipeline_id = source.settings.pipeline;
        let stage = self.pipeline(pipeline_id).and_then(|pipeline| {
            let stage = source.settings.stage.map(|stage| pipeline.stage(stage));
            stage.unwrap_or_else(|| pipeline.unsorted())
        });
        stage
            .map(|stage| (pipeline_id, stage.id))
            .or_else(|| self.arrival())
    }
}

/// The reason not to add or change sources.
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
    /// The stage or the pipeline of one of them was deleted since the caller looked.
    #[error("the pipeline or status of a source was deleted at the same time; choose another one")]
    StageGone,
}

/// An administrator adds sources: all of them or none.
#[derive(Clone, Debug)]
pub struct CreateSources {
    /// The actor, for the audit log.
    pub by: By,
    /// The sources.
    pub sources: Vec<SourceSettings>,
}

impl Command for CreateSources {
    type Of = Crm;
    type Reply = Vec<Source>;
    type Rejection = SourceRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Source>>, SourceRejection> {
        if state.sources.len().saturating_add(self.sources.len()) > SOURCES_MAX {
            return Err(SourceRejection::TooMany);
        }
        let mut after = state.clone();
        let mut events = Vec::new();
        let mut ids = Vec::new();
        for (place, settings) in self.sources.into_iter().enumerate() {
            if is_taken(&after, &settings, None) {
                return Err(SourceRejection::Taken(place));
            }
            if !state.has_place(settings.pipeline, settings.stage) {
                return Err(SourceRejection::StageGone);
            }
            let id = SourceNumber(after.last_source.saturating_add(1));
            let event = SourceChanged::new(
                self.by.clone(),
                state.account,
                id,
                None,
                Some(settings.clone()),
                moment,
            );
            event.apply(&mut after.sources, &mut after.last_source);
            events.push(CrmEvent::Source(Box::new(event)).into());
            ids.push(id);
        }
        let sources = after
            .sources
            .into_iter()
            .filter(|source| ids.contains(&source.id))
            .collect();
        Ok(Decision::events(events, sources))
    }
}

/// An administrator changes sources: all of them or none.
#[derive(Clone, Debug)]
pub struct UpdateSources {
    /// The actor, for the audit log.
    pub by: By,
    /// The sources, and what is to be different of each.
    pub changes: Vec<(SourceNumber, SourceChange)>,
}

/// The changes of a source; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// Its name.
    pub name: Option<RoleName>,
    /// The id that messages name it by.
    pub external_id: Option<SourceId>,
    /// Pipeline and stage of its leads; no stage for the unsorted one.
    pub place: Option<(PipelineId, Option<StageId>)>,
    /// True to make it the default source.
    pub default: Option<bool>,
}

impl SourceChange {
    /// The settings with this change.
    fn apply_to(self, before: &SourceSettings) -> SourceSettings {
        let (pipeline, stage) = self.place.unwrap_or((before.pipeline, before.stage));
        SourceSettings {
            name: self.name.unwrap_or_else(|| before.name.clone()),
            external_id: self
                .external_id
                .unwrap_or_else(|| before.external_id.clone()),
            pipeline,
            stage,
            default: self.default.unwrap_or(before.default),
        }
    }
}

impl Command for UpdateSources {
    type Of = Crm;
    type Reply = Vec<Source>;
    type Rejection = SourceRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Source>>, SourceRejection> {
        let mut after = state.clone();
        let mut events = Vec::new();
        let ids: Vec<SourceNumber> = self.changes.iter().map(|(id, _)| *id).collect();
        for (place, (id, change)) in self.changes.into_iter().enumerate() {
            let current = after.source(id).ok_or(SourceRejection::Unknown)?;
            let before = current.settings.clone();
            let settings = change.apply_to(&before);
            if settings == before {
                continue;
            }
            if is_taken(&after, &settings, Some(id)) {
                return Err(SourceRejection::Taken(place));
            }
            if !state.has_place(settings.pipeline, settings.stage) {
                return Err(SourceRejection::StageGone);
            }
            let event = SourceChanged::new(
                self.by.clone(),
                state.account,
                id,
                Some(&before),
                Some(settings),
                moment,
            );
            event.apply(&mut after.sources, &mut after.last_source);
            events.push(CrmEvent::Source(Box::new(event)).into());
        }
        let sources = ids
            .into_iter()
            .filter_map(|id| after.source(id).cloned())
            .collect();
        Ok(Decision::events(events, sources))
    }
}

/// An administrator deletes sources: all of them or none. Leads that came through them stay.
#[derive(Clone, Debug)]
pub struct DeleteSources {
    /// The actor, for the audit log.
    pub by: By,
    /// The sources, each once.
    pub ids: BTreeSet<SourceNumber>,
}

impl Command for DeleteSources {
    type Of = Crm;
    type Reply = ();
    type Rejection = SourceRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, SourceRejection> {
        let mut events = Vec::with_capacity(self.ids.len());
        for id in self.ids {
            let current = state.source(id).ok_or(SourceRejection::Unknown)?;
            let event = SourceChanged::new(
                self.by.clone(),
                state.account,
                id,
                Some(&current.settings),
                None,
                moment,
            );
            events.push(CrmEvent::Source(Box::new(event)).into());
        }
        Ok(Decision::events(events, ()))
    }
}

impl Crm {
    /// The source of this number.
    #[must_use]
    pub fn source(&self, id: SourceNumber) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }
}

/// Returns whether another source has the external id.
fn is_taken(state: &Crm, settings: &SourceSettings, own: Option<SourceNumber>) -> bool {
    let mut others = state.sources.iter().filter(|source| Some(source.id) != own);
    others.any(|source| source.settings.external_id == settings.external_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::AccountId;
    use crate::time::UnixMillis;
    use switchboard_engine::state::State;

    fn settings(external: &str, stage: Option<u64>, default: bool) -> SourceSettings {
        SourceSettings {
            name: "Shop".parse().unwrap(),
            external_id: external.parse().unwrap(),
            pipeline: PipelineId(1),
            stage: stage.map(StageId),
            default,
        }
    }

    fn with(sources: Vec<SourceSettings>) -> Result<Crm, SourceRejection> {
        let mut crm = Crm {
            pipelines: Crm::first_pipelines(),
            ..Crm::initial(&AccountId::from_random([1; 16]))
        };
        let mut random = || [9; 16];
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut random,
            earlier: &[],
        };
        let by = By::Service;
        let decision = CreateSources { by, sources }.decide(&crm, &mut moment)?;
        for recorded in &decision.events {
            crm.apply(&recorded.event);
        }
        Ok(crm)
    }

    fn stage(crm: &Crm, external: Option<&str>) -> u64 {
        let external = external.map(|external| external.parse().unwrap());
        crm.arrival_through(external.as_ref()).unwrap().1.0
    }

    #[test]
    fn a_lead_arrives_by_its_source_else_by_the_default_one() {
        let crm = with(vec![
            settings("a", Some(2), false),
            settings("b", None, false),
        ])
        .unwrap();
        let arrivals = [Some("a"), Some("b"), Some("c"), None].map(|it| stage(&crm, it));
        assert_eq!(arrivals, [2, 1, 1, 1]);
        let crm = with(vec![
            settings("a", Some(2), true),
            settings("b", Some(3), true),
        ])
        .unwrap();
        let arrivals = [Some("a"), Some("c"), None].map(|it| stage(&crm, it));
        assert_eq!(arrivals, [2, 3, 3], "the later default is the one");
    }

    #[test]
    fn external_ids_are_unique_and_sources_are_few() {
        let twice = vec![settings("a", None, false), settings("a", None, false)];
        assert_eq!(with(twice), Err(SourceRejection::Taken(1)));
        let many = (0..=SOURCES_MAX).map(|n| settings(&n.to_string(), None, false));
        assert_eq!(with(many.collect()), Err(SourceRejection::TooMany));
    }

    #[test]
    fn a_stage_that_is_gone_is_refused_and_falls_back() {
        let outcome = with(vec![settings("a", Some(99), false)]);
        assert_eq!(outcome, Err(SourceRejection::StageGone));
        let mut crm = with(vec![settings("a", Some(2), false)]).unwrap();
        crm.pipelines[0].stages.retain(|stage| stage.id.0 != 2);
        assert_eq!(stage(&crm, Some("a")), 1);
    }
}
