//! The fields of the domain in bodies: how they are read, and their schema.

use schemars::SchemaGenerator;
use serde_json::Value;
use switchboard_actors::domain::field::{Field, FieldValue, Given, HasFields, Shape, Source};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::channels::settings::ALL_ACCOUNTS;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::domain::webhook::WebhookAddress;
use switchboard_actors::wire::json::node::Node;
use switchboard_actors::wire::json::object::{MISSING, ObjectReader};

use crate::http::openapi::{self, Schema, may, must};
use crate::http::state::AppState;

/// A body whose fields are read. What can be known only here is asked here: whether there are the accounts that are named,
/// and whether callbacks may go to an address.
pub(crate) struct Fields<'r, 'b, 'a> {
    body: &'r ObjectReader<'b, 'a>,
    state: &'r AppState,
    /// Whether what has to be given must be there.
    complete: bool,
}

impl<'r, 'b, 'a> Fields<'r, 'b, 'a> {
    /// Of a body that makes something.
    pub(crate) fn of_new(body: &'r ObjectReader<'b, 'a>, state: &'r AppState) -> Self {
        let complete = true;
        Self {
            body,
            state,
            complete,
        }
    }

    /// Of a body that changes something.
    pub(crate) fn of_change(body: &'r ObjectReader<'b, 'a>, state: &'r AppState) -> Self {
        let complete = false;
        Self {
            body,
            state,
            complete,
        }
    }
}

impl Source for Fields<'_, '_, '_> {
    fn take<T: FieldValue>(&mut self, field: &Field) -> Option<T> {
        let name = field.name;
        let Some(found) = self.body.raw(name) else {
            if self.complete && field.is_needed() {
                let code = ViolationCode::FieldMissing;
                self.body.reject(name, code, MISSING.to_owned());
            }
            return None;
        };
        if field.nullable && matches!(found, Node::Null) {
            return self.value(field, Given::Null);
        }
        match field.shape {
            Shape::Line(_) => self.value(field, Given::Text(self.body.optional_string(name)?)),
            Shape::Address => {
                let text = self.body.optional_string(name)?;
                let value = self.value(field, Given::Text(text))?;
                self.is_allowed(name, text).then_some(value)
            }
            Shape::Words(words) => {
                let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
                let word = self.body.optional_choice(name, &words)?;
                self.value(field, Given::Text(word))
            }
            Shape::Switch => self.value(field, Given::Switch(self.body.optional_bool(name)?)),
            Shape::Whole(least, most) => {
                let number = self.body.optional_integer(name, least..=most)?;
                self.value(field, Given::Whole(number))
            }
            Shape::Accounts => self.value(field, Given::Texts(&self.accounts(name, found)?)),
        }
    }
}

impl<'r> Fields<'r, '_, '_> {
    fn value<T: FieldValue>(&self, field: &Field, given: Given<'_>) -> Option<T> {
        T::given(given)
            .map_err(|why| {
                self.body
                    .reject(field.name, ViolationCode::InvalidValue, why);
            })
            .ok()
    }

    /// Whether callbacks may go to an address as far as its spelling tells. What a name stands for is looked at with each
    /// request, since it may change.
    fn is_allowed(&self, name: &str, address: &str) -> bool {
        let address = address.parse::<WebhookAddress>();
        let refused = address.map(|address| self.state.guard().check(address.url()));
        let Ok(Err(refused)) = refused else {
            return true;
        };
        let code = ViolationCode::InvalidValue;
        self.body.reject(name, code, refused.to_string());
        false
    }

    /// `*` alone, or the ids of accounts that there are.
    fn accounts(&self, name: &str, found: &'r Node<'_>) -> Option<Vec<&'r str>> {
        if let Node::List(items) = found
            && matches!(items.as_slice(), [Node::Text(word)] if word == ALL_ACCOUNTS)
        {
            return Some(vec![ALL_ACCOUNTS]);
        }
        let named: Vec<AccountId> = self.body.optional_parsed_list(name)?;
        let system = self.state.system();
        let unknown = named.iter().filter(|id| system.account(**id).is_none());
        for account in unknown {
            let detail = format!("there is no account {account}");
            self.body.reject(name, ViolationCode::InvalidValue, detail);
        }
        let Node::List(items) = found else {
            return None;
        };
        let text = |item: &'r Node<'_>| match item {
            Node::Text(text) => Some(text.as_ref()),
            Node::Null | Node::Bool(_) | Node::Unsigned(_) | Node::Negative(_) => None,
            Node::Float(_) | Node::List(_) | Node::Object(_) => None,
        };
        items.iter().map(text).collect()
    }
}

/// The names of fields, and others beside them.
pub(crate) fn names<'n, T: HasFields>(others: &[&'n str]) -> Vec<&'n str> {
    let names = T::FIELDS.iter().map(|field| field.name);
    others.iter().copied().chain(names).collect()
}

/// The fields of a body that makes something.
pub(crate) fn of_new<T: HasFields>() -> impl Iterator<Item = openapi::Field> {
    T::FIELDS.iter().map(|field| match (field.at_first)() {
        None => must(field.name, taken(field)),
        Some(Value::Null) => may(field.name, taken(field)),
        Some(at_first) => may(field.name, taken(field).default_is(at_first)),
    })
}

/// The fields of a body that changes something.
pub(crate) fn of_change<T: HasFields>() -> impl Iterator<Item = openapi::Field> {
    let fields = T::FIELDS.iter();
    fields.map(|field| may(field.name, taken(field)))
}

/// The fields of an answer.
pub(crate) fn of_answer<T: HasFields>(_: &mut SchemaGenerator) -> schemars::Schema {
    let fields = T::FIELDS.iter();
    let fields = fields.map(|field| must(field.name, described(field, "")));
    Schema::object(fields).open().plain()
}

/// A field as bodies hold it.
fn taken(field: &Field) -> Schema {
    let also = match field.shape {
        Shape::Address => {
            " A literal address that is not public is refused, unless the configuration allows it \
             (dispatch.allow_private_networks)."
        }
        Shape::Line(_) | Shape::Words(_) | Shape::Switch | Shape::Whole(..) | Shape::Accounts => "",
    };
    described(field, also)
}

fn described(field: &Field, also: &str) -> Schema {
    let schema = match field.shape {
        Shape::Line(most) => Schema::line(most),
        Shape::Address => Schema::url(),
        Shape::Words(words) => Schema::words(words.iter().copied()),
        Shape::Switch => Schema::boolean(),
        Shape::Whole(least, most) => Schema::between(least, most),
        Shape::Accounts => Schema::list(Schema::text()),
    };
    if !field.nullable {
        return schema.says(&format!("{}{also}", field.says));
    }
    let says = format!("{} Null {}.{also}", field.says, field.nothing);
    schema.or_null().says(&says)
}
