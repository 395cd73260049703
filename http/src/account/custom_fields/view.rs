//! Custom fields as answers show their definitions: those of the account, and the predefined ones.

use switchboard_actors::domain::crm::contact_addresses::AddressLabel;
use switchboard_actors::domain::crm::custom_fields::{CustomField, FieldEnum, FieldType};
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::predefined_field::PredefinedField;
use switchboard_actors::domain::id::{AccountNumber, FieldEnumId, FieldId};

use crate::account::place::Place;
use crate::reply::hal::Links;

/// The type of the predefined fields, in the counterpart's words.
pub(in crate::account) const MULTITEXT: &str = "multitext";

/// The types of all fields.
fn type_words() -> Vec<&'static str> {
    FieldType::WORDS.into_iter().chain([MULTITEXT]).collect()
}

/// The fields of an entity, in their order.
pub(super) fn fields<'p>(place: &'p Place<'_>, kind: EntityKind) -> Vec<Shown<'p>> {
    let predefined = PredefinedField::of_entity(kind).iter().copied();
    let own = place.custom_fields.in_order(kind).into_iter();
    let mut fields: Vec<_> = predefined
        .map(Shown::Predefined)
        .chain(own.map(Shown::Own))
        .collect();
    fields.sort_by_key(|field| (field.sort(), field.id(place)));
    fields
}

/// A field that answers show.
#[derive(Clone, Copy)]
pub(super) enum Shown<'f> {
    /// One that every account has.
    Predefined(PredefinedField),
    /// One that the account defines.
    Own(&'f CustomField),
}

impl<'f> Shown<'f> {
    pub(super) fn id(self, place: &Place<'_>) -> FieldId {
        match self {
            Self::Predefined(field) => place.fields.id(field),
            Self::Own(field) => field.id,
        }
    }

    fn name(self) -> &'f str {
        match self {
            Self::Predefined(field) => field.name(),
            Self::Own(field) => field.settings.name.as_str(),
        }
    }

    fn code(self) -> Option<&'f str> {
        match self {
            Self::Predefined(field) => Some(field.code()),
            Self::Own(field) => field.settings.code(),
        }
    }

    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Predefined(_) => MULTITEXT,
            Self::Own(field) => field.settings.kind.as_str(),
        }
    }

    fn sort(self) -> u64 {
        match self {
            Self::Predefined(field) => field.sort(),
            Self::Own(field) => field.settings.sort.into(),
        }
    }

    fn entity(self) -> &'static str {
        match self {
            Self::Predefined(_) => EntityKind::Contacts.word(),
            Self::Own(field) => field.entity.word(),
        }
    }

    fn is_predefined(self) -> bool {
        matches!(self, Self::Predefined(_))
    }

    fn is_api_only(self) -> bool {
        matches!(self, Self::Own(field) if field.settings.api_only)
    }

    fn enums(self, place: &Place<'_>) -> Option<Vec<EnumView<'f>>> {
        match self {
            Self::Predefined(field) => {
                let labels = (1..).zip(AddressLabel::of_field(field));
                let id = place.fields.id(field);
                Some(
                    labels
                        .map(|(sort, it)| EnumView::label(id, *it, sort))
                        .collect(),
                )
            }
            Self::Own(field) => {
                let enums = field.settings.enums.iter();
                let kind = field.settings.kind;
                kind.has_enums().then(|| enums.map(EnumView::own).collect())
            }
        }
    }
}

impl EnumView<'static> {
    fn label(field: FieldId, label: AddressLabel, sort: u64) -> Self {
        Self::new(label.number(field), label.code(), sort, None)
    }
}

impl<'e> EnumView<'e> {
    fn own(value: &'e FieldEnum) -> Self {
        Self::new(
            value.id,
            value.value.as_str(),
            value.sort.into(),
            value.code(),
        )
    }
}

view! {
    #[schemars(rename = "CustomField")]
    pub(super) struct FieldView<'f>(place: &Place<'_>, field: Shown<'f>) {
        id: FieldId = field.id(place),
        name: &'f str = field.name(),
        code: Option<&'f str> = field.code(),
        #[schemars(extend("enum" = type_words()))]
        r#type: &'static str = field.kind(),
        sort: u64 = field.sort(),
        account_id: AccountNumber = place.account,
        #[schemars(extend("enum" = ["leads", "contacts"]))]
        entity_type: &'static str = field.entity(),
        /// True for the fields that every account has. They do not change.
        is_predefined: bool = field.is_predefined(),
        is_deletable: bool = !field.is_predefined(),
        is_api_only: bool = field.is_api_only(),
        remind: () = (),
        group_id: () = (),
        required_statuses: [(); 0] = [],
        /// The values that the field offers; null for a type that offers none.
        enums: Option<Vec<EnumView<'f>>> = field.enums(place),
        _links: Links = Links::to(format!("{}/api/v4/{}/custom_fields/{}", place.base, field.entity(), field.id(place))),
    }

    #[schemars(inline)]
    pub(super) struct EnumView<'e>(id: FieldEnumId, value: &'e str, sort: u64, code: Option<&'e str>) {
        id: FieldEnumId = id,
        value: &'e str = value,
        sort: u64 = sort,
        /// The word by which bodies may name the value, if it has one.
        code ?: &'e str = code,
    }

    #[schemars(rename = "CustomFieldMade")]
    pub(super) struct FieldMade<'f>(place: &Place<'_>, field: &'f CustomField, request_id: &'f str) {
        #[serde(flatten)]
        field: FieldView<'f> = FieldView::new(place, Shown::Own(field)),
        request_id: &'f str = request_id,
    }
}
