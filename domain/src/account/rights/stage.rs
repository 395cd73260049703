//! The rights over the leads of single stages, which restrict or extend the general ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::account::rights::{
    EntityAction, Grant, Right, RightsExcessError, StoredRightsError, excesses,
};
use crate::crm::{Pipeline, StageKind};
use crate::id::{PipelineId, StageId};

/// The rights over the leads of one stage: only `A` and `D`, and none to export in an unsorted stage.
///
/// Edit and delete need view, delete needs edit, export needs view. Stored as three letters for an unsorted stage and
/// four for another, with `-` for an export that has no right of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StageRights {
    view: Grant,
    edit: Grant,
    delete: Grant,
    export: Export,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Export {
    /// An unsorted stage: there is no such right.
    Unsorted,
    /// Not mentioned: the general right stands.
    General,
    Given(Grant),
}

const ACTIONS: [EntityAction; 4] = [
    EntityAction::View,
    EntityAction::Edit,
    EntityAction::Delete,
    EntityAction::Export,
];

impl StageRights {
    /// Allows nothing in an unsorted stage. This is the default where nothing else is granted.
    pub const UNSORTED_DENIED: Self = Self {
        view: Grant::Denied,
        edit: Grant::Denied,
        delete: Grant::Denied,
        export: Export::Unsorted,
    };

    /// The rights over an unsorted stage.
    ///
    /// # Errors
    /// What is too wide.
    pub fn unsorted(
        view: Grant,
        edit: Grant,
        delete: Grant,
    ) -> Result<Self, Vec<RightsExcessError>> {
        Self {
            view,
            edit,
            delete,
            export: Export::Unsorted,
        }
        .checked()
    }

    /// The rights over a stage that leads move through.
    ///
    /// # Errors
    /// What is too wide.
    pub fn sorted(
        view: Grant,
        edit: Grant,
        delete: Grant,
        export: Option<Grant>,
    ) -> Result<Self, Vec<RightsExcessError>> {
        Self {
            view,
            edit,
            delete,
            export: export.map_or(Export::General, Export::Given),
        }
        .checked()
    }

    fn checked(self) -> Result<Self, Vec<RightsExcessError>> {
        // What is not mentioned contradicts nothing.
        let right = |action| Right::from(self.grant(action).unwrap_or(Grant::Denied));
        let excesses = excesses(&ACTIONS, right);
        if excesses.is_empty() {
            Ok(self)
        } else {
            Err(excesses)
        }
    }

    /// Returns the stage's own right to this action; `None` when the general right stands.
    #[must_use]
    pub fn grant(&self, action: EntityAction) -> Option<Grant> {
        match action {
            EntityAction::View => Some(self.view),
            EntityAction::Edit => Some(self.edit),
            EntityAction::Delete => Some(self.delete),
            EntityAction::Export => match self.export {
                Export::Given(grant) => Some(grant),
                Export::General | Export::Unsorted => None,
            },
            EntityAction::Add => None,
        }
    }

    /// Returns whether the rights are those of an unsorted stage.
    #[must_use]
    pub fn is_unsorted(&self) -> bool {
        self.export == Export::Unsorted
    }
}

impl From<StageRights> for String {
    fn from(rights: StageRights) -> Self {
        let export = match rights.export {
            Export::Unsorted => None,
            Export::General => Some('-'),
            Export::Given(grant) => Some(grant.letter()),
        };
        let three = [rights.view, rights.edit, rights.delete].map(Grant::letter);
        three.into_iter().chain(export).collect()
    }
}

impl TryFrom<String> for StageRights {
    type Error = StoredRightsError;
    fn try_from(text: String) -> Result<Self, StoredRightsError> {
        const EXPECTED: StoredRightsError =
            StoredRightsError("three or four letters of the rights over a stage");
        let letters: Vec<char> = text.chars().collect();
        let grant = |letter: &char| Grant::of_letter(*letter).ok_or(EXPECTED);
        let rights = match letters.as_slice() {
            [view, edit, delete] => Self::unsorted(grant(view)?, grant(edit)?, grant(delete)?),
            [view, edit, delete, export] => {
                let export = if *export == '-' {
                    None
                } else {
                    Some(grant(export)?)
                };
                Self::sorted(grant(view)?, grant(edit)?, grant(delete)?, export)
            }
            _ => return Err(EXPECTED),
        };
        match rights {
            Ok(rights) => Ok(rights),
            Err(_excesses) => Err(EXPECTED),
        }
    }
}

/// The rights over stages, each stage at most once, in the order of pipelines and stages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<StoredStage>", into = "Vec<StoredStage>")]
pub struct StageRules {
    stages: BTreeMap<(PipelineId, StageId), StageRights>,
}

type StoredStage = (PipelineId, StageId, StageRights);

impl StageRules {
    /// Returns no access to the unsorted stages of these pipelines, and the general rights in all others. This is the
    /// meaning of null for the rights of stages in a request.
    #[must_use]
    pub fn unsorted_denied(pipelines: &[Pipeline]) -> Self {
        Self::default().with_unsorted(pipelines)
    }

    /// These rights too: of every unsorted stage that is not named yet, nothing is allowed.
    #[must_use]
    pub fn with_unsorted(mut self, pipelines: &[Pipeline]) -> Self {
        for pipeline in pipelines {
            let kind = |kind| move |stage: &&crate::crm::Stage| stage.kind == kind;
            for stage in pipeline.stages.iter().filter(kind(StageKind::Unsorted)) {
                self.stages
                    .entry((pipeline.id, stage.id))
                    .or_insert(StageRights::UNSORTED_DENIED);
            }
        }
        self
    }

    /// Adds the rights over a stage; says `false`, and changes nothing, when the stage is there already.
    #[must_use]
    pub fn add(&mut self, pipeline: PipelineId, stage: StageId, rights: StageRights) -> bool {
        let place = (pipeline, stage);
        let new = !self.stages.contains_key(&place);
        if new {
            self.stages.insert(place, rights);
        }
        new
    }

    /// Returns the rights of this stage.
    #[must_use]
    pub fn get(&self, pipeline: PipelineId, stage: StageId) -> Option<&StageRights> {
        self.stages.get(&(pipeline, stage))
    }

    /// Those of stages that these pipelines have, by pipeline and stage. A stage that was deleted has no rights any more, and
    /// its number is never given again.
    pub fn iter_known<'r>(
        &'r self,
        pipelines: &'r [Pipeline],
    ) -> impl Iterator<Item = (PipelineId, StageId, &'r StageRights)> {
        self.iter().filter(|(pipeline, stage, _)| {
            let mut pipelines = pipelines.iter();
            let pipeline = pipelines.find(|known| known.id == *pipeline);
            pipeline.is_some_and(|pipeline| pipeline.stage(*stage).is_some())
        })
    }

    /// All of them, by pipeline and stage.
    pub fn iter(&self) -> impl Iterator<Item = (PipelineId, StageId, &StageRights)> {
        self.stages
            .iter()
            .map(|((pipeline, stage), rights)| (*pipeline, *stage, rights))
    }
}

impl From<Vec<StoredStage>> for StageRules {
    fn from(stored: Vec<StoredStage>) -> Self {
        let stages = stored.into_iter();
        Self {
            stages: stages
                .map(|(pipeline, stage, rights)| ((pipeline, stage), rights))
                .collect(),
        }
    }
}

impl From<StageRules> for Vec<StoredStage> {
    fn from(rules: StageRules) -> Self {
        let stages = rules.stages.into_iter();
        stages
            .map(|((pipeline, stage), rights)| (pipeline, stage, rights))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::Crm;

    fn three() -> Vec<(Grant, Grant, Grant)> {
        let both = Grant::ALL;
        let pairs = both.into_iter().flat_map(|a| both.map(|b| (a, b)));
        pairs.flat_map(|(a, b)| both.map(|c| (a, b, c))).collect()
    }

    #[test]
    fn a_stage_obeys_the_same_dependencies() {
        use Grant::Allowed;
        for (view, edit, delete) in three() {
            let three_fit = (edit <= view) && (delete <= edit) && (delete <= view);
            let unsorted = StageRights::unsorted(view, edit, delete);
            assert_eq!(unsorted.is_ok(), three_fit);
            for export in [None, Some(Grant::Denied), Some(Allowed)] {
                let rights = StageRights::sorted(view, edit, delete, export);
                let export_fits = export != Some(Allowed) || view == Allowed;
                assert_eq!(rights.is_ok(), three_fit && export_fits);
            }
        }
    }

    #[test]
    fn an_unsorted_stage_has_no_export_right() {
        for (view, edit, delete) in three() {
            if let Ok(rights) = StageRights::unsorted(view, edit, delete) {
                assert_eq!(rights.grant(EntityAction::Export), None);
                assert!(rights.is_unsorted());
                let json = serde_json::to_string(&rights).unwrap();
                assert_eq!(json.len(), 5, "{json}");
            }
        }
    }

    #[test]
    fn stage_rights_survive_storage_and_invalid_ones_are_refused() {
        for (view, edit, delete) in three() {
            let exports = [None, Some(Grant::Denied), Some(Grant::Allowed)];
            let sorted_rights =
                exports.map(|export| StageRights::sorted(view, edit, delete, export));
            for rights in sorted_rights
                .into_iter()
                .chain([StageRights::unsorted(view, edit, delete)])
                .flatten()
            {
                let json = serde_json::to_string(&rights).unwrap();
                let read: StageRights = serde_json::from_str(&json).unwrap();
                assert_eq!(read, rights);
            }
        }
        for text in ["DA", "DAD", "DDDA", "MDD", "AAAG", "AAA-A", "---"] {
            let json = format!("\"{text}\"");
            assert!(
                serde_json::from_str::<StageRights>(&json).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn unsorted_stages_without_rights_are_denied() {
        let pipelines = Crm::first_pipelines();
        let rules = StageRules::unsorted_denied(&pipelines);
        let entries: Vec<_> = rules.iter().collect();
        let only = (PipelineId(1), StageId(1), &StageRights::UNSORTED_DENIED);
        assert_eq!(entries, [only]);
        let mut rules_by_name = StageRules::default();
        let open = StageRights::unsorted(Grant::Allowed, Grant::Denied, Grant::Denied).unwrap();
        assert!(rules_by_name.add(PipelineId(1), StageId(1), open));
        assert!(!rules_by_name.add(PipelineId(1), StageId(1), open));
        let completed = rules_by_name.with_unsorted(&pipelines);
        assert_eq!(completed.get(PipelineId(1), StageId(1)), Some(&open));
        let json = serde_json::to_string(&completed).unwrap();
        assert_eq!(json, "[[1,1,\"ADD\"]]");
        assert_eq!(
            serde_json::from_str::<StageRules>(&json).unwrap(),
            completed
        );
    }
}
