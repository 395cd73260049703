//! An integration creates templates.

use crate::Decision;
use crate::audit::By;
use crate::id::{OauthClientId, TemplateId};
use crate::templates::template::{Template, TemplateSettings};
use crate::templates::{TEMPLATES_MAX, TemplateRejection, Templates, TemplatesEvent};
use switchboard_engine::state::{Command, Moment};

/// Creates templates: all of them or none.
#[derive(Clone, Debug)]
pub struct CreateTemplates {
    /// The actor, for the audit log.
    pub by: By,
    /// The OAuth client whose templates they are.
    pub client: Option<OauthClientId>,
    /// The templates.
    pub templates: Vec<TemplateSettings>,
}

impl Command for CreateTemplates {
    type Of = Templates;
    type Reply = Vec<Template>;
    type Rejection = TemplateRejection;

    fn decide(
        self,
        state: &Templates,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> Result<Decision<TemplatesEvent, Vec<Template>>, TemplateRejection> {
        if state.templates.len().saturating_add(self.templates.len()) > TEMPLATES_MAX {
            return Err(TemplateRejection::TooMany);
        }
        let mut templates = Vec::with_capacity(self.templates.len());
        for settings in self.templates {
            let before = u64::try_from(templates.len()).unwrap_or(u64::MAX);
            let id = state.last.saturating_add(before).saturating_add(1);
            templates.push(Template {
                id: TemplateId(id),
                client: self.client,
                settings,
                created_at: moment.now,
                updated_at: moment.now,
                reviews: Vec::new(),
            });
        }
        let event = |template: &Template, moment: &mut Moment<'_, TemplatesEvent>| {
            state.event(self.by.clone(), "template.create", template.clone(), moment)
        };
        let events = templates.iter().map(|it| event(it, moment)).collect();
        state.decision(events, templates)
    }
}
