//! An administrator changes custom fields. Their type stays: it decides what their values mean.

use crate::Decision;
use crate::audit::By;
use crate::crm::custom_fields::create::EnumPlan;
use crate::crm::custom_fields::{CustomField, FieldAuthor, FieldRejection};
use crate::crm::entity::EntityKind;
use crate::crm::predefined_field::FieldIds;
use crate::crm::{Crm, CrmEvent};
use crate::id::FieldId;
use crate::text::{FieldCode, FieldName};
use switchboard_engine::state::{Command, Moment};

/// Changes custom fields: all of them or none.
#[derive(Clone, Debug)]
pub struct UpdateCustomFields {
    /// The actor, for the audit log.
    pub by: By,
    /// The kind of entries that have the fields.
    pub entity: EntityKind,
    /// The numbers of the fields that every account has.
    pub behind: FieldIds,
    /// The fields, each with its changes.
    pub changes: Vec<(FieldId, CustomFieldChange)>,
}

/// The changes of a custom field; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomFieldChange {
    /// Its name.
    pub name: Option<FieldName>,
    /// The word by which clients name it; `Some(None)`: none.
    pub code: Option<Option<FieldCode>>,
    /// Its place in lists.
    pub sort: Option<u32>,
    /// True when pages are not to offer it for input.
    pub api_only: Option<bool>,
    /// All values that it offers: the others go.
    pub enums: Option<Vec<EnumPlan>>,
}

impl Command for UpdateCustomFields {
    type Of = Crm;
    type Reply = Vec<CustomField>;
    type Rejection = FieldRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<CustomField>>, FieldRejection> {
        let mut after = state.custom_fields.clone();
        let author = FieldAuthor {
            by: self.by,
            account: state.account,
            entity: self.entity,
        };
        let mut events = Vec::with_capacity(self.changes.len());
        let mut fields = Vec::with_capacity(self.changes.len());
        for (place, (id, change)) in self.changes.into_iter().enumerate() {
            let current = after.get(self.entity, id).ok_or(FieldRejection::Unknown)?;
            let before = current.settings.clone();
            let mut settings = before.clone();
            settings.name = change.name.unwrap_or(settings.name);
            settings.code = change.code.unwrap_or(settings.code);
            settings.sort = change.sort.unwrap_or(settings.sort);
            settings.api_only = change.api_only.unwrap_or(settings.api_only);
            if let Some(plans) = change.enums {
                let current = before.enums.iter().map(|it| it.id).collect();
                settings.enums = after.enums(plans, &current, self.behind)?;
            }
            if let Some(code) = &settings.code
                && after.has_code(self.entity, code, id)
            {
                return Err(FieldRejection::CodeTaken(place));
            }
            if settings != before {
                let event = author.event(id, Some(&before), Some(settings.clone()), moment);
                after.apply(&event);
                events.push(CrmEvent::CustomField(Box::new(event)).into());
            }
            fields.push(CustomField {
                id,
                entity: self.entity,
                settings,
            });
        }
        Ok(Decision::events(events, fields))
    }
}
