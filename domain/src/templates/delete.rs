//! An integration deletes templates.

use std::collections::BTreeSet;

use crate::Decision;
use crate::audit::By;
use crate::id::{OauthClientId, TemplateId};
use crate::templates::{TemplateRejection, Templates, TemplatesEvent};
use switchboard_engine::state::{Command, Moment};

/// Deletes templates: all of them or none.
#[derive(Clone, Debug)]
pub struct DeleteTemplates {
    /// The actor, for the audit log.
    pub by: By,
    /// The OAuth client whose templates they are.
    pub client: Option<OauthClientId>,
    /// The templates.
    pub ids: BTreeSet<TemplateId>,
}

impl Command for DeleteTemplates {
    type Of = Templates;
    type Reply = ();
    type Rejection = TemplateRejection;

    fn decide(
        self,
        state: &Templates,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> Result<Decision<TemplatesEvent, ()>, TemplateRejection> {
        let mut events = Vec::with_capacity(self.ids.len());
        for id in self.ids {
            let template = state
                .find(id, self.client)
                .ok_or(TemplateRejection::Unknown)?;
            events.push(state.deletion(self.by.clone(), template, moment));
        }
        state.decision(events, ())
    }
}
