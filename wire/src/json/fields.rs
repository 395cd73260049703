//! Reads the fields of the domain out of an object.

use crate::domain::field::{
    Field, FieldSource, FieldValue, Given, HasFields, Shape, When, given_when,
};
use crate::domain::id::AccountId;
use crate::domain::installation::channels::settings::ALL_ACCOUNTS;
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::{MISSING, ObjectReader};

/// An object whose fields are read, all problems reported.
#[derive(Clone, Copy)]
pub struct BodyFields<'r, 'b, 'a> {
    body: &'r ObjectReader<'b, 'a>,
    when: When,
    /// The fields that are read here; all, if nothing is said.
    only: Option<&'static [&'static str]>,
}

impl<'r, 'b, 'a> BodyFields<'r, 'b, 'a> {
    /// The fields of an object that makes or changes something.
    #[must_use]
    pub fn new(body: &'r ObjectReader<'b, 'a>, when: When) -> Self {
        let only = None;
        Self { body, when, only }
    }

    /// The same, where the object holds only these of the fields.
    #[must_use]
    pub fn only(self, names: &'static [&'static str]) -> Self {
        let only = Some(names);
        Self { only, ..self }
    }

    /// Reports every field that is none of `T`, nor one of these others.
    #[must_use]
    pub fn refuse_unknown_but<T: HasFields>(self, others: &[&str]) -> Self {
        let fields = given_when::<T>(self.when).map(|field| field.name);
        let names: Vec<_> = others.iter().copied().chain(fields).collect();
        self.body.refuse_unknown(&names);
        self
    }

    /// The value that is given for a field; what is wrong with it is reported.
    pub fn value<T: FieldValue>(&self, field: &Field, given: Given<'_>) -> Option<T> {
        let wrong = |why| {
            let code = ViolationCode::InvalidValue;
            self.body.reject(field.name, code, why);
        };
        T::given(given).map_err(wrong).ok()
    }
}

impl FieldSource for BodyFields<'_, '_, '_> {
    fn when(&self) -> When {
        self.when
    }

    fn take<T: FieldValue>(&mut self, field: &Field) -> Option<T> {
        let Self { body, when, only } = *self;
        let name = field.name;
        if only.is_some_and(|names| !names.contains(&name)) {
            return None;
        }
        let Some(value) = body.raw(name) else {
            if when == When::New && field.is_needed() {
                let code = ViolationCode::FieldMissing;
                body.reject(name, code, MISSING.to_owned());
            }
            return None;
        };
        if field.nullable && matches!(value, Node::Null) {
            return self.value(field, Given::Null);
        }
        match field.shape {
            Shape::Line(_) | Shape::Text | Shape::Address | Shape::Link => {
                self.value(field, Given::Text(body.optional_string(name)?))
            }
            Shape::Words(words) => {
                let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
                let word = body.optional_choice(name, &words)?;
                self.value(field, Given::Text(word))
            }
            Shape::Switch => self.value(field, Given::Switch(body.optional_bool(name)?)),
            Shape::Whole(least, most) => {
                let number = body.optional_integer(name, least..=most)?;
                self.value(field, Given::Whole(number))
            }
            Shape::Number => {
                let number = body.optional_integer(name, 1..=i64::MAX)?;
                self.value(field, Given::Whole(number))
            }
            Shape::Accounts => {
                if let Node::List(items) = value
                    && matches!(items.as_slice(), [Node::Text(word)] if word == ALL_ACCOUNTS)
                {
                    return self.value(field, Given::Texts(&[ALL_ACCOUNTS]));
                }
                let accounts: Vec<AccountId> = body.optional_parsed_list(name)?;
                let ids: Vec<_> = accounts.iter().map(AccountId::to_string).collect();
                let texts: Vec<_> = ids.iter().map(String::as_str).collect();
                self.value(field, Given::Texts(&texts))
            }
        }
    }
}
