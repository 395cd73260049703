//! An administrator deletes a custom field. Its number is not given again.

use crate::Decision;
use crate::audit::By;
use crate::crm::custom_fields::{FieldAuthor, FieldRejection};
use crate::crm::entity::EntityKind;
use crate::crm::{Crm, CrmEvent};
use crate::id::FieldId;
use switchboard_engine::state::{Command, Moment};

/// Deletes a custom field.
#[derive(Clone, Debug)]
pub struct DeleteCustomField {
    /// The actor, for the audit log.
    pub by: By,
    /// The kind of entries that have the field.
    pub entity: EntityKind,
    /// The field.
    pub id: FieldId,
}

impl Command for DeleteCustomField {
    type Of = Crm;
    type Reply = ();
    type Rejection = FieldRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, FieldRejection> {
        let field = state.custom_fields.get(self.entity, self.id);
        let before = &field.ok_or(FieldRejection::Unknown)?.settings;
        let author = FieldAuthor {
            by: self.by,
            account: state.account,
            entity: self.entity,
        };
        let deletion = author.event(self.id, Some(before), None, moment);
        let event = CrmEvent::CustomField(Box::new(deletion));
        Ok(Decision::events(vec![event.into()], ()))
    }
}
