//! The values that a field is to offer, as a request gives them, and the numbers that they get.

use std::collections::BTreeSet;

use crate::crm::custom_fields::{CustomFields, FieldEnum, FieldRejection, SORT_MAX};
use crate::crm::entity::EntityKind;
use crate::crm::predefined_field::{FieldIds, PredefinedField};
use crate::id::{FieldEnumId, FieldId};
use crate::text::{FieldCode, FieldName};

/// A value that a field is to offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumPlan {
    /// The value of the field that it changes, or the number that was chosen for one of a new field; `None` for the next one.
    pub id: Option<FieldEnumId>,
    /// The value for people.
    pub value: FieldName,
    /// Its place in lists; its place in the request when it is left out.
    pub sort: Option<u32>,
    /// The word by which clients name it.
    pub code: Option<FieldCode>,
}

impl CustomFields {
    /// The number of the next field: behind those of the fields that every account has.
    pub(super) fn next_id(&self, behind: FieldIds) -> FieldId {
        FieldId(last_number(behind, self.last).saturating_add(1))
    }

    /// The place in lists behind all fields of the entity.
    pub(super) fn next_sort(&self, entity: EntityKind) -> u32 {
        let predefined = u32::try_from(PredefinedField::ALL.len()).unwrap_or_default();
        let sorts = self.of_entity(entity).map(|field| field.settings.sort);
        sorts
            .fold(predefined, u32::max)
            .saturating_add(1)
            .min(SORT_MAX)
    }

    /// The numbers that were chosen for the values of a new field; `None` when one of them is taken, or chosen twice.
    pub(super) fn chosen_enums(
        &self,
        plans: &[EnumPlan],
        behind: FieldIds,
    ) -> Option<BTreeSet<FieldEnumId>> {
        let fields = self.definitions.0.iter();
        let mut numbers: BTreeSet<_> = fields
            .flat_map(|field| field.settings.enums.iter())
            .map(|it| it.id)
            .chain(PredefinedField::ALL.map(|field| FieldEnumId(behind.id(field).0)))
            .collect();
        let ids = || plans.iter().filter_map(|plan| plan.id);
        let are_free = ids().all(|id| numbers.insert(id));
        are_free.then(|| ids().collect())
    }

    /// The values that a field offers after a request, in order. The plans name only these numbers.
    pub(super) fn enums(
        &self,
        plans: Vec<EnumPlan>,
        named: &BTreeSet<FieldEnumId>,
        behind: FieldIds,
    ) -> Result<Vec<FieldEnum>, FieldRejection> {
        let last_named = named.last().map_or(0, |id| id.0);
        let mut last = last_number(behind, self.last_enum).max(last_named);
        let mut enums = Vec::with_capacity(plans.len());
        for (place, plan) in (1..).zip(plans) {
            let id = match plan.id {
                Some(id) if named.contains(&id) => id,
                Some(_deleted_meanwhile) => return Err(FieldRejection::Unknown),
                None => {
                    last = last.saturating_add(1);
                    FieldEnumId(last)
                }
            };
            enums.push(FieldEnum {
                id,
                value: plan.value,
                sort: plan.sort.unwrap_or(place),
                code: plan.code,
            });
        }
        enums.sort_by_key(|it| (it.sort, it.id));
        Ok(enums)
    }

    /// Returns whether another field of the entity has the code.
    pub(super) fn has_code(&self, entity: EntityKind, code: &FieldCode, own: FieldId) -> bool {
        let mut predefined = PredefinedField::of_entity(entity).iter();
        let is_predefined = predefined.any(|field| field.code() == code.as_str());
        let other = self.by_code(entity, code.as_str());
        is_predefined || other.is_some_and(|field| field.id != own)
    }
}

/// The last number that is in use. The fields that every account has use their own number for what they offer, too.
fn last_number(predefined: FieldIds, last: u64) -> u64 {
    last.max(predefined.phone.0).max(predefined.email.0)
}
