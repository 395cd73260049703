//! An administrator creates custom fields.

use crate::Decision;
use crate::audit::By;
use crate::crm::custom_fields::{
    CustomField, FIELDS_MAX, FieldAuthor, FieldRejection, FieldSettings, FieldType,
};
use crate::crm::entity::EntityKind;
use crate::crm::predefined_field::FieldIds;
use crate::crm::{Crm, CrmEvent};
use crate::id::FieldId;
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
    /// The number that was chosen for it; `None`: the next one.
    pub id: Option<FieldId>,
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
            let id = new.id.unwrap_or_else(|| after.next_id(self.behind));
            if after.find(id).is_some() || self.behind.field(id).is_some() {
                return Err(FieldRejection::NumberTaken(place));
            }
            let enums = after
                .chosen_enums(&new.enums, self.behind)
                .ok_or(FieldRejection::NumberTaken(place))?;
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
                enums: after.enums(new.enums, &enums, self.behind)?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AccountId, FieldEnumId, FieldId};
    use switchboard_engine::state::State;
    use switchboard_engine::testkit::carry_out;

    /// A field that offers values with these numbers.
    fn field(id: Option<u64>, enums: &[Option<u64>]) -> NewCustomField {
        let plans = enums.iter().zip(b'a'..).map(|(id, letter)| EnumPlan {
            id: id.map(FieldEnumId),
            value: char::from(letter).to_string().parse().unwrap(),
            sort: None,
            code: None,
        });
        NewCustomField {
            id: id.map(FieldId),
            name: "Size".parse().unwrap(),
            kind: FieldType::Select,
            code: None,
            sort: None,
            api_only: false,
            enums: plans.collect(),
        }
    }

    fn create(crm: &mut Crm, field: NewCustomField) -> Result<(u64, Vec<u64>), FieldRejection> {
        let create = CreateCustomFields {
            by: By::Service,
            entity: EntityKind::Leads,
            behind: FieldIds::default(),
            fields: vec![field],
        };
        let field = carry_out(crm, create)?.remove(0);
        let enums = field.settings.enums.iter().map(|it| it.id.0);
        Ok((field.id.0, enums.collect()))
    }

    #[test]
    fn chosen_numbers_are_those_of_nothing_else() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let first = create(&mut crm, field(Some(700), &[Some(50), None, Some(40)]));
        assert_eq!(first, Ok((700, vec![50, 51, 40])));
        for (id, enums) in [
            (Some(700), [None, None]),
            (Some(2), [None, None]),
            (Some(600), [Some(40), None]),
            (Some(600), [Some(2), None]),
            (Some(600), [Some(60), Some(60)]),
        ] {
            let result = create(&mut crm, field(id, &enums));
            assert_eq!(
                result,
                Err(FieldRejection::NumberTaken(0)),
                "{id:?} {enums:?}"
            );
        }
        // The next numbers come behind those that were chosen.
        let next = create(&mut crm, field(None, &[None]));
        assert_eq!(next, Ok((701, vec![52])));
        let lower = create(&mut crm, field(Some(600), &[Some(30)]));
        assert_eq!(lower, Ok((600, vec![30])));
    }
}
