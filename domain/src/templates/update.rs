//! An integration changes templates.

use crate::Decision;
use crate::audit::By;
use crate::id::{OauthClientId, TemplateId};
use crate::templates::template::{Template, TemplateChange};
use crate::templates::{TemplateRejection, Templates, TemplatesEvent};
use switchboard_engine::state::{Command, Moment};

/// Changes templates: all of them or none.
#[derive(Clone, Debug)]
pub struct UpdateTemplates {
    /// The actor, for the audit log.
    pub by: By,
    /// The OAuth client whose templates they are.
    pub client: Option<OauthClientId>,
    /// The changes.
    pub changes: Vec<NumberedChange>,
}

/// The change of one of several templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedChange {
    /// The template.
    pub id: TemplateId,
    /// Its change.
    pub change: TemplateChange,
}

impl Command for UpdateTemplates {
    type Of = Templates;
    type Reply = Vec<Template>;
    type Rejection = TemplateRejection;

    fn decide(
        self,
        state: &Templates,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> Result<Decision<TemplatesEvent, Vec<Template>>, TemplateRejection> {
        let mut events = Vec::new();
        let mut templates = Vec::with_capacity(self.changes.len());
        for (place, NumberedChange { id, change }) in self.changes.into_iter().enumerate() {
            let before = state
                .find(id, self.client)
                .ok_or(TemplateRejection::Unknown)?;
            let settings = change.apply_to(&before.settings);
            if settings == before.settings {
                templates.push(before.clone());
                continue;
            }
            if before.is_fixed() {
                return Err(TemplateRejection::Fixed(place));
            }
            let after = Template {
                settings,
                updated_at: moment.now,
                // Another text needs another review.
                reviews: Vec::new(),
                ..before.clone()
            };
            let by = self.by.clone();
            events.push(state.event(by, "template.update", after.clone(), moment));
            templates.push(after);
        }
        state.decision(events, templates)
    }
}
