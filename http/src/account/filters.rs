//! The filters of lists. Each list declares which it obeys; a request with another one is refused with its name, so that
//! no client takes a wrong entry for the one it looked for.

mod read;
mod values;

use std::collections::BTreeSet;

pub(crate) use self::read::{all, entity_filter, entity_kinds, order, span, switches, talk_filter};
pub(crate) use self::values::{has_value_filters, value_filters};
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// The most values that one filter takes.
pub(crate) const VALUES_MAX: usize = 250;

/// The kinds of entities that talks are about at the counterpart. Here they are about leads alone.
pub(crate) const ENTITY_TYPES: [&str; 8] = [
    "lead",
    "leads",
    "contact",
    "contacts",
    "company",
    "companies",
    "customer",
    "customers",
];

/// The words of a filter that is on or off.
pub(crate) const SWITCH: [&str; 4] = ["1", "true", "0", "false"];

/// A filter, in the counterpart's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// `query`: a text in the name, or a phone number or an e-mail address of the contact.
    Query,
    /// `filter[id]`.
    Id,
    /// `filter[uid]`.
    Uid,
    /// `filter[name]`.
    Name,
    /// `filter[responsible_user_id]`, 0 for none.
    Responsible,
    /// `filter[pipeline_id]`.
    Pipeline,
    /// `filter[statuses][0][pipeline_id]` with `filter[statuses][0][status_id]`, and so on.
    Statuses,
    /// `filter[contact_id]`.
    Contact,
    /// `filter[chat_id]`.
    Chat,
    /// `filter[category]`.
    Category,
    /// `filter[external_id]`.
    ExternalId,
    /// `filter[destination]`: the address of a webhook.
    Destination,
    /// `filter[entity_id]`.
    Entity,
    /// `filter[entity_type]`: the kind of the entity of a talk.
    EntityType,
    /// `filter[only_in_work]`.
    OnlyInWork,
    /// `filter[to_entity_id]`.
    ToEntity,
    /// `filter[to_entity_type]`.
    ToEntityType,
    /// `filter[note_type]`.
    NoteType,
    /// `filter[type]`.
    Type,
    /// `filter[id]` of events, whose ids are texts.
    EventId,
    /// `filter[entity]`: `lead` or `contact`.
    EventEntity,
    /// `filter[created_by]`, 0 for customers and the service.
    CreatedBy,
    /// `filter[created_at]`, from then on, or `[from]` and `[to]` behind it.
    Since,
    /// `filter[custom_fields_values][{id}]`, and `[from]` and `[to]` behind it.
    Values,
    /// `filter[created_at][from]` and `[to]`.
    Created,
    /// `filter[updated_at][from]` and `[to]`.
    Updated,
    /// `order[id]` or `order[created_at]`: `asc` or `desc`.
    Order,
    /// `order[updated_at]`: `asc` or `desc`.
    OrderByChange,
    /// `order[complete_till]`: `asc` or `desc`.
    OrderByDue,
    /// `filter[is_completed]`: 1 or 0.
    Completed,
    /// `filter[task_type]`.
    TaskType,
    /// `filter[task_type_id]`: another name of the same.
    TaskTypeId,
    /// `filter[updated_at]`, from then on, or `[from]` and `[to]` behind it.
    UpdatedSince,
    /// `filter[complete_till][from]` and `[to]`.
    Due,
}

impl Filter {
    /// The beginning of its parameters' names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Id => "filter[id]",
            Self::Uid => "filter[uid]",
            Self::Name => "filter[name]",
            Self::Responsible => "filter[responsible_user_id]",
            Self::Pipeline => "filter[pipeline_id]",
            Self::Statuses => "filter[statuses]",
            Self::Contact => "filter[contact_id]",
            Self::Chat => "filter[chat_id]",
            Self::Category => "filter[category]",
            Self::ExternalId => "filter[external_id]",
            Self::Destination => "filter[destination]",
            Self::Entity => "filter[entity_id]",
            Self::EntityType => "filter[entity_type]",
            Self::OnlyInWork => "filter[only_in_work]",
            Self::ToEntity => "filter[to_entity_id]",
            Self::ToEntityType => "filter[to_entity_type]",
            Self::NoteType => "filter[note_type]",
            Self::Type => "filter[type]",
            Self::EventId => "filter[id]",
            Self::EventEntity => "filter[entity]",
            Self::CreatedBy => "filter[created_by]",
            Self::Since => "filter[created_at]",
            Self::Values => "filter[custom_fields_values]",
            Self::Created => "filter[created_at]",
            Self::Updated | Self::UpdatedSince => "filter[updated_at]",
            Self::Completed => "filter[is_completed]",
            Self::TaskType => "filter[task_type]",
            Self::TaskTypeId => "filter[task_type_id]",
            Self::Due => "filter[complete_till]",
            Self::Order | Self::OrderByChange | Self::OrderByDue => "order",
        }
    }

    /// Returns whether a parameter belongs to this filter.
    fn has(self, parameter: &str) -> bool {
        let Some(rest) = parameter.strip_prefix(self.name()) else {
            return false;
        };
        match self {
            Self::Query | Self::Destination | Self::OnlyInWork | Self::ToEntityType => {
                rest.is_empty()
            }
            Self::Created | Self::Updated | Self::Due => matches!(rest, "[from]" | "[to]"),
            Self::Since | Self::UpdatedSince => matches!(rest, "" | "[from]" | "[to]"),
            Self::Order => matches!(rest, "[id]" | "[created_at]"),
            Self::OrderByChange => rest == "[updated_at]",
            Self::OrderByDue => rest == "[complete_till]",
            Self::Statuses => {
                let place = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
                place.is_some_and(|(place, field)| {
                    place.parse::<u16>().is_ok() && matches!(field, "[pipeline_id]" | "[status_id]")
                })
            }
            Self::Values => values::split(rest).is_some_and(|(id, end)| {
                let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
                is_number && (matches!(end, "" | "[from]" | "[to]") || is_place(end))
            }),
            Self::Id
            | Self::Uid
            | Self::Name
            | Self::Responsible
            | Self::Pipeline
            | Self::Contact
            | Self::Chat
            | Self::Category
            | Self::ExternalId
            | Self::Entity
            | Self::EntityType
            | Self::ToEntity
            | Self::NoteType
            | Self::EventId
            | Self::EventEntity
            | Self::CreatedBy
            | Self::Completed
            | Self::TaskType
            | Self::TaskTypeId
            | Self::Type => rest.is_empty() || is_place(rest),
        }
    }

    /// Its parameters, each with its schema.
    fn parameters(self) -> Vec<(String, Schema)> {
        let name = self.name();
        let one = |rest: &str, schema: Schema| (format!("{name}{rest}"), schema);
        let several = |schema: fn() -> Schema| {
            let list = Schema::few(schema(), 0, VALUES_MAX);
            vec![one("", schema()), one("[]", list)]
        };
        let span = || {
            vec![
                one("[from]", Schema::seconds()),
                one("[to]", Schema::seconds()),
            ]
        };
        let word = || Schema::words(["asc", "desc"]);
        match self {
            Self::Query => {
                let says = "A part of the name, or a phone number or a part of it in any punctuation, or an e-mail address. Case and accents do not matter. Entries with exactly this number or address come first.";
                vec![one("", Schema::line(100).says(says))]
            }
            Self::Id
            | Self::Uid
            | Self::Contact
            | Self::Pipeline
            | Self::Entity
            | Self::TaskType
            | Self::TaskTypeId
            | Self::ToEntity => several(Schema::number),
            Self::ToEntityType => vec![one("", Schema::words(["leads", "contacts"]))],
            Self::Responsible | Self::CreatedBy => several(Schema::count),
            Self::EventEntity => several(|| Schema::words(["lead", "contact"])),
            Self::Name
            | Self::Category
            | Self::ExternalId
            | Self::NoteType
            | Self::EventId
            | Self::Type => several(Schema::text),
            Self::Values => {
                let value = "A value of the custom field with the number 1; other numbers for other fields. Of a field that offers its values, the number of one or the value.";
                let end = "The least and the greatest value of a field of the type numeric or date.";
                vec![
                    one("[1][]", Schema::few(Schema::text(), 0, VALUES_MAX).says(value)),
                    one("[1][from]", Schema::text().says(end)),
                    one("[1][to]", Schema::text()),
                ]
            }
            Self::Destination => vec![one("", Schema::text().secret().says("The whole address."))],
            Self::EntityType => several(|| Schema::words(ENTITY_TYPES)),
            Self::Completed => several(|| Schema::words(SWITCH)),
            Self::OnlyInWork => vec![one("", Schema::words(SWITCH))],
            Self::Chat => several(Schema::uuid),
            Self::Statuses => vec![
                one("[0][pipeline_id]", Schema::number().says("With a status, or alone for all of the pipeline; [1], [2] and so on for more.")),
                one("[0][status_id]", Schema::number()),
            ],
            Self::Created | Self::Updated | Self::Due => span(),
            Self::Since | Self::UpdatedSince => {
                let mut parameters = vec![one("", Schema::seconds().says("From then on."))];
                parameters.extend(span());
                parameters
            }
            Self::Order => vec![one("[id]", word()), one("[created_at]", word())],
            Self::OrderByChange => vec![one("[updated_at]", word())],
            Self::OrderByDue => vec![one("[complete_till]", word())],
        }
    }
}

/// Returns whether this is `[]` or `[0]`.
fn is_place(rest: &str) -> bool {
    let place = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    place.is_some_and(|place| place.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Refuses filters and orders that a list does not obey.
pub(crate) fn check(query: &Query, obeyed: &[Filter]) -> Result<(), Problem> {
    let is_ours = |name: &&str| {
        let word = name.split('[').next().unwrap_or_default();
        matches!(word, "query" | "filter" | "order")
    };
    let names: BTreeSet<&str> = query.names().filter(is_ours).collect();
    let unsupported: Vec<&str> = names
        .into_iter()
        .filter(|name| !obeyed.iter().any(|filter| filter.has(name)))
        .collect();
    if unsupported.is_empty() {
        return Ok(());
    }
    let mut exist = Vec::new();
    for filter in obeyed {
        exist.extend(filter.parameters().into_iter().map(|(name, _)| name));
    }
    let exist = if exist.is_empty() {
        "it has no filters".to_owned()
    } else {
        format!("it has {}", exist.join(", "))
    };
    Err(Problem::BadRequest(format!(
        "this list has no {}; {exist}",
        unsupported.join(", ")
    )))
}

impl Operation {
    /// The filters of a list.
    pub(crate) fn filtered(mut self, obeyed: &[Filter]) -> Self {
        for filter in obeyed {
            for (name, schema) in filter.parameters() {
                self = self.query(&name, schema);
            }
        }
        self
    }
}
