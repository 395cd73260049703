//! Custom fields: every user of the account sees the definitions, administrators set them.

use crate::domain::audit::By;
use crate::domain::crm::Crm;
use crate::domain::crm::custom_fields::create::{CreateCustomFields, NewCustomField};
use crate::domain::crm::custom_fields::delete::DeleteCustomField;
use crate::domain::crm::custom_fields::update::{CustomFieldChange, UpdateCustomFields};
use crate::domain::crm::custom_fields::value::{FieldValues, VALUES_BYTES_MAX};
use crate::domain::crm::custom_fields::{CustomField, CustomFields, FieldRejection};
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::FieldId;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl UserAccess {
    /// The custom fields of leads and contacts.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn custom_fields(&self) -> Result<CustomFields, UnavailableError> {
        Ok(self.crm().await?.custom_fields)
    }

    /// An administrator creates custom fields, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When there would be too many, one has the code or the number of another, or nothing can be stored now.
    pub async fn create_custom_fields(
        &self,
        entity: EntityKind,
        fields: Vec<NewCustomField>,
    ) -> Result<Vec<CustomField>, CommandError<FieldRejection>> {
        self.set_fields(CreateCustomFields {
            by: By::from(&self.caller),
            entity,
            behind: self.field_ids(),
            fields,
        })
        .await
    }

    /// An administrator changes a custom field, as [`Self::update_custom_fields`].
    ///
    /// # Errors
    /// As [`Self::update_custom_fields`].
    pub async fn update_custom_field(
        &self,
        entity: EntityKind,
        id: FieldId,
        change: CustomFieldChange,
    ) -> Result<CustomField, CommandError<FieldRejection>> {
        let fields = self
            .update_custom_fields(entity, vec![(id, change)])
            .await?;
        let field = fields.into_iter().next();
        field.ok_or(CommandError::Rejected(FieldRejection::Unknown))
    }

    /// An administrator changes custom fields, all of them or none; answers once that is on disk.
    ///
    /// # Errors
    /// When one of them is not there, it would have the code of another, or nothing can be stored now.
    pub async fn update_custom_fields(
        &self,
        entity: EntityKind,
        changes: Vec<(FieldId, CustomFieldChange)>,
    ) -> Result<Vec<CustomField>, CommandError<FieldRejection>> {
        self.set_fields(UpdateCustomFields {
            by: By::from(&self.caller),
            entity,
            behind: self.field_ids(),
            changes,
        })
        .await
    }

    /// An administrator deletes a custom field; answers once that is on disk.
    ///
    /// # Errors
    /// When it is not there, or nothing can be stored now.
    pub async fn delete_custom_field(
        &self,
        entity: EntityKind,
        id: FieldId,
    ) -> Result<(), CommandError<FieldRejection>> {
        let by = By::from(&self.caller);
        self.set_fields(DeleteCustomField { by, entity, id }).await
    }

    async fn set_fields<C: Command<Of = Crm, Rejection = FieldRejection>>(
        &self,
        command: C,
    ) -> Result<C::Reply, CommandError<FieldRejection>> {
        execute(self.system.kernel(), &self.caller.account, command).await
    }
}

/// Checks that the values of one lead or contact are not too large together.
pub(super) fn values_fit(values: &FieldValues) -> Result<(), CrmRejection> {
    if values.fit() {
        Ok(())
    } else {
        Err(CrmRejection::ValuesTooLarge(VALUES_BYTES_MAX))
    }
}
