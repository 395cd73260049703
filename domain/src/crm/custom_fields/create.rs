//! An administrator creates custom fields.

use crate::Decision;
use crate::audit::By;
use crate::crm::custom_fields::{
    CustomField, FIELDS_MAX, FieldAuthor, FieldRejection, FieldSettings, FieldType,
};
use crate::crm::entity::EntityKind;
use crate::crm::predefined_field::FieldIds;
use crate::crm::{Crm, CrmEvent};
use crate::text::{FieldCode, FieldName};
use switchboard_engine::state::{Command, Moment};

pub use crate::crm::custom_fields::plan::EnumPlan;

/// Creates custom fields: all of them or none.
#[derive(Clone, Debug)]
pub struct CreateCustomFields {
    /// The actor, for the audit log.
    pub by: By,
    /// The kind of entries that get the fields.
    pub entity: EntityKind,
    /// The numbers of the fields that every account has: the new ones get greater numbers.
    pub behind: FieldIds,
    /// The fields.
    pub fields: Vec<NewCustomField>,
}

/// A custom field to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCustomField {
    /// Its name.
    pub name: FieldName,
    /// The type of its values.
    pub kind: FieldType,
    /// The word by which clients name it.
    pub code: Option<FieldCode>,
    /// Its place in lists; behind the others when it is left out.
    pub sort: Option<u32>,
    /// True when pages are not to offer it for input.
    pub api_only: bool,
    /// The values that it offers.
    pub enums: Vec<EnumPlan>,
}

impl Command for CreateCustomFields {
    type Of = Crm;
    type Reply = Vec<CustomField>;
    type Rejection = FieldRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<CustomField>>, FieldRejection> {
        let mut after = state.custom_fields.clone();
        let count = after.of_entity(self.entity).count();
        if count.saturating_add(self.fields.len()) > FIELDS_MAX {
            return Err(FieldRejection::TooMany);
        }
        let author = FieldAuthor {
            by: self.by,
            account: state.account,
            entity: self.entity,
        };
        let mut events = Vec::with_capacity(self.fields.len());
        let mut fields = Vec::with_capacity(self.fields.len());
        for (place, new) in self.fields.into_iter().enumerate() {
            let id = after.next_id(self.behind);
            if let Some(code) = &new.code
                && after.has_code(self.entity, code, id)
            {
                return Err(FieldRejection::CodeTaken(place));
            }
            let settings = FieldSettings {
                name: new.name,
                kind: new.kind,
                code: new.code,
                sort: new.sort.unwrap_or_else(|| after.next_sort(self.entity)),
                api_only: new.api_only,
                enums: after.enums(new.enums, &[], self.behind)?,
            };
            let event = author.event(id, None, Some(settings.clone()), moment);
            after.apply(&event);
            events.push(CrmEvent::CustomField(Box::new(event)).into());
            fields.push(CustomField {
                id,
                entity: self.entity,
                settings,
            });
        }
        Ok(Decision::events(events, fields))
    }
}
