//! A lead.

use crate::domain::crm::{LeadChanged, LeadPlace};
use crate::domain::id::UserId;
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::context::CrmContext;
use crate::webhook_form::values::{write_lead_values, write_tags};
use crate::webhook_form::writer::FormWriter;

/// A lead after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeadItem<'r> {
    pub(super) event: WebhookCode,
    pub(super) changed: &'r LeadChanged,
    pub(super) context: &'r CrmContext<'r>,
}

impl LeadItem<'_> {
    /// Writes the lead. In an unsorted stage it has no name, no price and no responsible user: they are not decided yet. Of one
    /// that is gone there is only its place.
    pub(super) fn write(&self, account: &HookAccount<'_>, form: &mut FormWriter) {
        let lead = &self.changed.lead;
        if self.event == WebhookCode::DeleteLead {
            form.put("id", lead.id);
            form.put("status_id", lead.stage);
            form.put("pipeline_id", lead.pipeline);
            return;
        }
        let is_unsorted = self.context.crm.is_unsorted(lead.pipeline, lead.stage);
        let old = OldFields::new(self.event, self.changed);
        form.put("id", lead.id);
        form.put("name", if is_unsorted { "" } else { &lead.name });
        form.put("status_id", lead.stage);
        form.put_some("old_status_id", old.stage.map(|place| place.stage));
        form.put_some("price", (!is_unsorted).then_some(lead.price.0));
        let responsible = lead.responsible.filter(|_| !is_unsorted);
        form.put("responsible_user_id", user(responsible));
        form.put("last_modified", lead.updated_at.secs());
        form.put("modified_user_id", user(self.changed.by));
        form.put("created_user_id", user(None));
        form.put("date_create", lead.created_at.secs());
        form.put("pipeline_id", lead.pipeline);
        form.put_some("old_pipeline_id", old.pipeline.map(|place| place.pipeline));
        write_tags(&lead.tags, form);
        form.put("account_id", account.number);
        write_lead_values(&lead.values, self.context, form);
        let old_responsible = old.responsible.map(|place| user(place.responsible));
        form.put_some("old_responsible_user_id", old_responsible);
        form.put("created_at", lead.created_at.secs());
        form.put("updated_at", lead.updated_at.secs());
    }
}

/// The number of a user; 0 for none.
pub(super) fn user(user: Option<UserId>) -> u64 {
    user.map_or(0, |user| user.0)
}

/// The earlier fields that the form of an event has.
struct OldFields<'r> {
    stage: Option<&'r LeadPlace>,
    pipeline: Option<&'r LeadPlace>,
    responsible: Option<&'r LeadPlace>,
}

impl<'r> OldFields<'r> {
    fn new(event: WebhookCode, changed: &'r LeadChanged) -> Self {
        let place = moved(changed);
        let is_move = event == WebhookCode::StatusLead;
        Self {
            stage: place.filter(|_| is_move || event == WebhookCode::UpdateLead),
            pipeline: place.filter(|_| is_move),
            responsible: passed_on(changed).filter(|_| event == WebhookCode::ResponsibleLead),
        }
    }
}

/// The earlier place of a lead that is in another stage now.
pub(super) fn moved(changed: &LeadChanged) -> Option<&LeadPlace> {
    let (before, lead) = (changed.before.as_ref()?, &changed.lead);
    ((before.pipeline, before.stage) != (lead.pipeline, lead.stage)).then_some(before)
}

/// The earlier place of a lead that has another responsible user now.
pub(super) fn passed_on(changed: &LeadChanged) -> Option<&LeadPlace> {
    let before = changed.before.as_ref()?;
    (before.responsible != changed.lead.responsible).then_some(before)
}
