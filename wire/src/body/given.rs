//! Fields of the domain as fields of a body: those that [`domain::field`](crate::domain::field) declares.

use serde_json::Value as Json;

use crate::domain::field::{self, FromFields, HasFields, Shape, When};
use crate::json::fields::BodyFields;
use crate::json::object::ObjectReader;
use crate::schema::{Field, Schema, may, must};

/// The fields of something that a body can have.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    when: When,
    /// The part of them that the body has; all, if nothing is said.
    only: Option<&'static [&'static str]>,
}

impl Part {
    /// The fields of a body that makes or changes something.
    #[must_use]
    pub fn given_at(when: When) -> Self {
        let only = None;
        Self { when, only }
    }

    /// These of the fields.
    #[must_use]
    pub fn only(self, names: &'static [&'static str]) -> Self {
        let only = Some(names);
        Self { only, ..self }
    }

    /// Reads them.
    #[must_use]
    pub fn take<T: FromFields>(self, object: &ObjectReader<'_, '_>) -> Option<T> {
        let all = BodyFields::new(object, self.when);
        let fields = self.only.map_or(all, |names| all.only(names));
        T::from_fields(&mut { fields })
    }

    /// Their schemas.
    pub fn fields<T: FromFields>(self) -> impl Iterator<Item = Field> {
        let is_new = self.when == When::New;
        self.all::<T>().map(move |field| match (field.default)() {
            None if is_new => must(field.name, accepted(field)),
            Some(default) if is_new && default != Json::Null => {
                may(field.name, accepted(field).default_is(default))
            }
            Some(_) | None => may(field.name, accepted(field)),
        })
    }

    fn all<T: FromFields>(self) -> impl Iterator<Item = &'static field::Field> {
        let only = self.only;
        let fields = field::given_when::<T::Of>(self.when);
        fields.filter(move |field| only.is_none_or(|names| names.contains(&field.name)))
    }
}

/// The schema of the fields in an answer.
#[must_use]
pub fn answered<T: HasFields>() -> Schema {
    let fields = T::FIELDS.iter();
    Schema::object(fields.map(|field| must(field.name, described(field, "")))).open()
}

/// A field as bodies have it.
fn accepted(field: &field::Field) -> Schema {
    let also = match field.shape {
        Shape::Address => {
            " A literal address that is not public is refused, unless the configuration allows it \
             (dispatch.allow_private_networks)."
        }
        Shape::Line(_) | Shape::Text | Shape::Link | Shape::Words(_) | Shape::Switch => "",
        Shape::Whole(..) | Shape::Number | Shape::Accounts => "",
    };
    described(field, also)
}

fn described(field: &field::Field, also: &str) -> Schema {
    let schema = match field.shape {
        Shape::Line(most) => Schema::line(most),
        Shape::Text => Schema::text(),
        Shape::Address | Shape::Link => Schema::url(),
        Shape::Words(words) => Schema::words(words.iter().copied()),
        Shape::Switch => Schema::boolean(),
        Shape::Whole(least, most) => Schema::between(least, most),
        Shape::Number => Schema::number(),
        Shape::Accounts => Schema::list(Schema::text()),
    };
    if !field.nullable {
        return schema.says(&format!("{}{also}", field.description));
    }
    let says = format!("{} Null {}.{also}", field.description, field.nothing);
    schema.or_null().says(&says)
}
