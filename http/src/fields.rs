//! The fields of the domain in bodies: how they are read, and their schema.

use schemars::SchemaGenerator;
use serde_json::Value;
use switchboard_actors::domain::field::{
    Field, FieldSource, FieldValue, Given, HasFields, Shape, When, given_when,
};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::channels::settings::ALL_ACCOUNTS;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::domain::webhook::WebhookAddress;
use switchboard_actors::wire::json::fields::BodyFields;
use switchboard_actors::wire::json::node::Node;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::openapi::{self, Schema, may, must};
use crate::state::AppState;

/// A body whose fields are read. What can be known only here is asked here: whether there are the accounts that are named,
/// and whether callbacks may go to an address.
pub(crate) struct CheckedFields<'r, 'b, 'a> {
    body: &'r ObjectReader<'b, 'a>,
    fields: BodyFields<'r, 'b, 'a>,
    state: &'r AppState,
}

impl<'r, 'b, 'a> CheckedFields<'r, 'b, 'a> {
    /// Of a body that makes something; with these others it holds nothing else.
    pub(crate) fn of_new<T: HasFields>(
        body: &'r ObjectReader<'b, 'a>,
        state: &'r AppState,
        others: &[&str],
    ) -> Self {
        Self::of::<T>(body, state, When::New, others)
    }

    /// Of a body that changes something; it holds nothing else.
    pub(crate) fn of_change<T: HasFields>(
        body: &'r ObjectReader<'b, 'a>,
        state: &'r AppState,
    ) -> Self {
        Self::of::<T>(body, state, When::Later, &[])
    }

    fn of<T: HasFields>(
        body: &'r ObjectReader<'b, 'a>,
        state: &'r AppState,
        when: When,
        others: &[&str],
    ) -> Self {
        let fields = BodyFields::of(body, when).refuse_unknown_but::<T>(others);
        Self {
            body,
            fields,
            state,
        }
    }
}

impl FieldSource for CheckedFields<'_, '_, '_> {
    fn when(&self) -> When {
        self.fields.when()
    }

    fn take<T: FieldValue>(&mut self, field: &Field) -> Option<T> {
        let name = field.name;
        let found = self.body.raw(name).filter(|found| **found != Node::Null);
        match (field.shape, found) {
            (Shape::Address, Some(Node::Text(text))) => {
                let value = self.fields.take(field)?;
                self.is_allowed(name, text).then_some(value)
            }
            (Shape::Accounts, Some(found)) => {
                let accounts = self.accounts(name, found)?;
                self.fields.value(field, Given::Texts(&accounts))
            }
            (
                Shape::Address
                | Shape::Accounts
                | Shape::Line(_)
                | Shape::Text
                | Shape::Words(_)
                | Shape::Switch
                | Shape::Whole(..)
                | Shape::Number,
                _,
            ) => self.fields.take(field),
        }
    }
}

impl<'r> CheckedFields<'r, '_, '_> {
    /// Whether callbacks may go to an address, judged by its spelling. The addresses that a name resolves to are
    /// checked with each request, since they may change.
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

/// The fields of a body that makes something.
pub(crate) fn of_new<T: HasFields>() -> impl Iterator<Item = openapi::Field> {
    given_when::<T>(When::New).map(|field| match (field.at_first)() {
        None => must(field.name, taken(field)),
        Some(Value::Null) => may(field.name, taken(field)),
        Some(at_first) => may(field.name, taken(field).default_is(at_first)),
    })
}

/// The fields of a body that changes something.
pub(crate) fn of_change<T: HasFields>() -> impl Iterator<Item = openapi::Field> {
    given_when::<T>(When::Later).map(|field| may(field.name, taken(field)))
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
        Shape::Line(_) | Shape::Text | Shape::Words(_) | Shape::Switch => "",
        Shape::Whole(..) | Shape::Number | Shape::Accounts => "",
    };
    described(field, also)
}

fn described(field: &Field, also: &str) -> Schema {
    let schema = match field.shape {
        Shape::Line(most) => Schema::line(most),
        Shape::Text => Schema::text(),
        Shape::Address => Schema::url(),
        Shape::Words(words) => Schema::words(words.iter().copied()),
        Shape::Switch => Schema::boolean(),
        Shape::Whole(least, most) => Schema::between(least, most),
        Shape::Number => Schema::number(),
        Shape::Accounts => Schema::list(Schema::text()),
    };
    if !field.nullable {
        return schema.says(&format!("{}{also}", field.says));
    }
    let says = format!("{} Null {}.{also}", field.says, field.nothing);
    schema.or_null().says(&says)
}
