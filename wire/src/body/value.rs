//! Values of fields: how each type is read, and its schema.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::body::Body;
use crate::domain::account::password::Password;
use crate::domain::account::rights::{Grant, Right};
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::crm::custom_fields::FieldType;
use crate::domain::crm::custom_fields::value::Scalar;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{
    AccountId, ChannelId, ClientConversationId, ClientMessageId, ClientPersonId, ContactId,
    ConversationId, GroupId, MediaId, MessageId, OauthClientId, PersonId, PipelineId, ScopeId,
    SourceNumber, StageId, UndoId, UserId,
};
use crate::domain::installation::accounts::Lang;
use crate::domain::oauth::grants::rejection::GrantType;
use crate::domain::oauth::redirect::PkceText;
use crate::domain::signature::SharedSecret;
use crate::domain::text::{
    Emoji, FieldCode, FieldName, MessageText, Name, Phone, RoleName, SourceId, SubmittedText,
    TagName, UserName,
};
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::ObjectReader;
use crate::schema::{Field, Schema, may, must};

/// The value in a field of an object.
#[derive(Clone, Copy)]
pub struct Found<'r, 'a> {
    object: ObjectReader<'r, 'a>,
    key: &'static str,
    node: &'r Node<'a>,
}

impl<'r, 'a> Found<'r, 'a> {
    /// The result of `read`.
    pub fn read<T>(self, read: impl FnOnce(Self) -> Option<T>) -> Option<T> {
        read(self)
    }

    /// Text that has to be a `T`.
    pub fn parsed<T: FromStr<Err: Display>>(self) -> Option<T> {
        let text = self.object.text(self.key, self.node)?;
        self.object.parsed(self.key, text)
    }

    /// The value that one of these words stands for.
    pub fn choice<T: Copy>(self, words: &[(&str, T)]) -> Option<T> {
        let text = self.object.text(self.key, self.node)?;
        self.object.choice(self.key, text, words)
    }

    /// The same; clients also write the words that are numbers as numbers.
    pub fn scalar_choice<T: Copy>(self, words: &[(&str, T)]) -> Option<T> {
        let scalar = self.scalar()?;
        let text = scalar.text().unwrap_or_default();
        self.object.choice(self.key, text, words)
    }

    /// The values that an array of these words stands for, with so many items.
    pub fn choices<T: Copy>(
        self,
        words: &[(&str, T)],
        count: RangeInclusive<usize>,
    ) -> Option<Vec<T>> {
        let values = self.object.choices(self.key, self.node, words)?;
        if count.contains(&values.len()) {
            return Some(values);
        }
        let (least, most) = (count.start(), count.end());
        let detail = format!("expected {least} to {most} items, found {}", values.len());
        self.object
            .reject(self.key, ViolationCode::InvalidValue, detail);
        None
    }

    /// A whole number in this range.
    pub fn whole(self, range: RangeInclusive<i64>) -> Option<i64> {
        self.object.integer(self.key, self.node, &range)
    }

    /// The number of something.
    pub fn number(self) -> Option<u64> {
        u64::try_from(self.whole(1..=i64::MAX)?).ok()
    }

    /// The numbers of an array, each of something.
    pub fn numbers(self) -> Option<Vec<u64>> {
        self.object.numbers(self.key, self.node)
    }

    /// A text, a number, or true or false.
    pub fn scalar(self) -> Option<Scalar> {
        match self.node {
            Node::Text(text) => Some(Scalar::Text(text.to_string())),
            Node::Bool(on) => Some(Scalar::Switch(*on)),
            Node::Unsigned(_) | Node::Negative(_) | Node::Float(_) => {
                digits(self.node).map(Scalar::Number)
            }
            Node::Null | Node::List(_) | Node::Object(_) => {
                let kind = self.node.kind();
                let detail = format!("expected a text, a number, or true or false, found {kind}");
                self.object
                    .reject(self.key, ViolationCode::InvalidType, detail);
                None
            }
        }
    }

    /// True or false.
    pub fn boolean(self) -> Option<bool> {
        self.object.boolean(self.key, self.node)
    }

    /// Null; anything else is refused in these words.
    pub fn null(self, otherwise: &str) -> Option<()> {
        if *self.node == Node::Null {
            return Some(());
        }
        let code = ViolationCode::InvalidValue;
        self.object.reject(self.key, code, otherwise.to_owned());
        None
    }

    /// Returns whether it is an array of nothing.
    #[must_use]
    pub fn is_empty_list(self) -> bool {
        matches!(self.node, Node::List(items) if items.is_empty())
    }

    /// The result of `take` for an object.
    pub fn object<T>(self, take: impl FnOnce(&ObjectReader<'_, 'a>) -> Option<T>) -> Option<T> {
        take(&self.object.object(self.key, self.node)?)
    }
}

/// A value that may stand in a field of a body.
pub trait Value: Sized {
    /// True when the field has to be there.
    const NEEDED: bool = true;
    /// True when the value is always a secret.
    const SECRET: bool = false;

    /// Reads it; what is wrong with it is reported.
    fn read(found: Found<'_, '_>) -> Option<Self>;

    /// Reads the field, and reports it when it has to be there and is not.
    fn from_field(object: &ObjectReader<'_, '_>, key: &'static str) -> Option<Self> {
        let (object, node) = (*object, object.required(key)?);
        Self::read(Found { object, key, node })
    }

    /// Its schema.
    fn value_schema() -> Schema;
}

/// One that is wrong counts as none: the report decides in the end.
impl<T: Value> Value for Option<T> {
    const NEEDED: bool = false;
    const SECRET: bool = T::SECRET;

    fn read(found: Found<'_, '_>) -> Option<Self> {
        Some(T::read(found))
    }

    fn from_field(object: &ObjectReader<'_, '_>, key: &'static str) -> Option<Self> {
        let (object, node) = (*object, object.find(key));
        Some(node.and_then(|node| T::read(Found { object, key, node })))
    }

    fn value_schema() -> Schema {
        T::value_schema()
    }
}

impl Field {
    /// A field of this type.
    #[must_use]
    pub fn typed<T: Value>(name: &'static str) -> Self {
        let constructor = if T::NEEDED { must } else { may };
        let field = constructor(name, T::value_schema());
        if T::SECRET { field.secret() } else { field }
    }
}

/// Lets types stand in bodies: each with its schema, and how it is read; a `secret` one is always a secret.
#[macro_export]
macro_rules! body_values {
    ($($kind:ty $(, $secret:ident)?: $schema:expr, $read:expr;)+) => {$(
        impl $crate::body::value::Value for $kind {
            $(const SECRET: bool = $crate::__body_option!($secret secret);)?

            fn read(found: $crate::body::value::Found<'_, '_>) -> Option<Self> {
                found.read($read)
            }

            fn value_schema() -> $crate::schema::Schema {
                $schema
            }
        }
    )+};
}

body_values! {
    bool: Schema::boolean(), Found::boolean;
    String: Schema::text(), Found::parsed;
    Name: Schema::line(255), Found::parsed;
    UserName: Schema::line(50), Found::parsed;
    TagName: Schema::line(255), Found::parsed;
    RoleName: Schema::line(255), Found::parsed;
    SourceId: Schema::line(40), Found::parsed;
    SubmittedText: Schema::text(), Found::parsed;
    Phone: Schema::line(64), Found::parsed;
    MessageText: Schema::text(), Found::parsed;
    Emoji: Schema::text(), Found::parsed;
    PkceText: Schema::text(), Found::parsed;
    Lang: Schema::for_type::<Lang>(), Found::parsed;
    Password, secret: Schema::text().says(PASSWORD), Found::parsed;
    SharedSecret, secret: Schema::line(255).says(SECRET), Found::parsed;
    ChannelId: Schema::text(), Found::parsed;
    ScopeId: Schema::text(), Found::parsed;
    MediaId: Schema::text(), Found::parsed;
    MessageId: Schema::uuid(), Found::parsed;
    ClientConversationId: Schema::line(255), Found::parsed;
    ClientMessageId: Schema::line(255), Found::parsed;
    ClientPersonId: Schema::line(255), Found::parsed;
    ConversationId: Schema::uuid(), Found::parsed;
    AccountId: Schema::uuid(), Found::parsed;
    OauthClientId: Schema::uuid(), Found::parsed;
    PersonId: Schema::uuid(), Found::parsed;
    UndoId: Schema::uuid(), Found::parsed;
    Number: Schema::number(), |found| found.number().map(Self);
    ContactId: Schema::number(), |found| found.number().map(Self);
    PipelineId: Schema::number(), |found| found.number().map(Self);
    SourceNumber: Schema::number(), |found| found.number().map(Self);
    StageId: Schema::number(), |found| found.number().map(Self);
    GroupId: Schema::number(), |found| found.number().map(Self);
    UserId: Schema::number(), |found| found.number().map(Self);
    HookVersion: Schema::choice(&HookVersion::NAMES), |found| found.choice(&HookVersion::NAMES);
    ReactionKind: Schema::choice(&ReactionKind::NAMES), |found| found.choice(&ReactionKind::NAMES);
    GrantType: Schema::choice(&GRANT_TYPES), |found| found.choice(&GRANT_TYPES);
    Right: Schema::for_type::<Right>(), |found| found.choice(&Right::LETTERS);
    Grant: Schema::for_type::<Grant>(), |found| found.choice(&Grant::LETTERS);
    FieldName: Schema::line(255), Found::parsed;
    FieldCode: Schema::line(255), Found::parsed;
    FieldType: Schema::for_type::<FieldType>(), |found| found.choice(&FieldType::NAMES);
    Scalar: Schema::either([Schema::text(), Schema::any_number(), Schema::boolean()]), Found::scalar;
}

const PASSWORD: &str = "At least 6 characters and at most 1,024 bytes, with a digit, a lower-case and an upper-case letter.";
const SECRET: &str = "1 to 255 characters of ASCII without spaces; made when it is left out.";
const GRANT_TYPES: [(&str, GrantType); 2] = [
    ("authorization_code", GrantType::Code),
    ("refresh_token", GrantType::RefreshToken),
];

/// The number of something, whatever that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(pub u64);

/// A whole number from `LEAST` to `MOST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const LEAST: i64, const MOST: i64>(i64);

impl<const LEAST: i64, const MOST: i64> Whole<LEAST, MOST> {
    /// The number.
    #[must_use]
    pub fn get(self) -> i64 {
        self.0
    }

    /// The number, where there are no negative ones.
    #[must_use]
    pub fn count(self) -> u64 {
        u64::try_from(self.0).unwrap_or_default()
    }
}

/// The nearest number of those that fit.
impl<const LEAST: i64, const MOST: i64> From<i64> for Whole<LEAST, MOST> {
    fn from(number: i64) -> Self {
        Self(number.max(LEAST).min(MOST))
    }
}

impl<const LEAST: i64, const MOST: i64> Value for Whole<LEAST, MOST> {
    fn read(found: Found<'_, '_>) -> Option<Self> {
        found.whole(LEAST..=MOST).map(Self)
    }

    fn value_schema() -> Schema {
        Schema::between(LEAST, MOST)
    }
}

/// A text that may be empty, which stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrEmpty<T>(pub Option<T>);

impl<T: Value> Value for OrEmpty<T> {
    fn read(found: Found<'_, '_>) -> Option<Self> {
        if *found.node == Node::Text("".into()) {
            return Some(Self(None));
        }
        T::read(found).map(|value| Self(Some(value)))
    }

    fn value_schema() -> Schema {
        T::value_schema()
    }
}

/// A text for which clients send numbers, too: the digits become the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextOrNumber<T>(T);

impl<T> TextOrNumber<T> {
    /// The text.
    #[must_use]
    pub fn get(self) -> T {
        self.0
    }
}

impl<T: Value + FromStr<Err: Display>> Value for TextOrNumber<T> {
    fn read(found: Found<'_, '_>) -> Option<Self> {
        let Some(digits) = digits(found.node) else {
            return T::read(found).map(Self);
        };
        found.object.parsed(found.key, &digits).map(Self)
    }

    fn value_schema() -> Schema {
        Schema::either([T::value_schema(), Schema::any_number()])
    }
}

/// The digits of a number; `None` for any other value.
fn digits(node: &Node<'_>) -> Option<String> {
    match node {
        Node::Unsigned(number) => Some(number.to_string()),
        Node::Negative(number) => Some(number.to_string()),
        Node::Float(number) => Some(number.to_string()),
        Node::Text(_) | Node::Bool(_) | Node::Null | Node::List(_) | Node::Object(_) => None,
    }
}

/// An array of objects. An item that is wrong is `None`, so that the others keep their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T, const MOST: usize = { usize::MAX }>(pub Vec<Option<T>>);

impl<T, const MOST: usize> List<T, MOST> {
    /// The items that are right, each with its place.
    pub fn placed(&self) -> impl Iterator<Item = (usize, &T)> {
        let items = self.0.iter().enumerate();
        items.filter_map(|(place, item)| Some((place, item.as_ref()?)))
    }
}

impl<T: Body, const MOST: usize> Value for List<T, MOST> {
    fn read(found: Found<'_, '_>) -> Option<Self> {
        let list = found.object.list(found.key, found.node)?;
        Some(Self(list.each(T::from_object)))
    }

    /// The number of items is checked where they are used, in words about them.
    fn value_schema() -> Schema {
        match MOST {
            usize::MAX => Schema::list(T::schema()),
            most => Schema::few(T::schema(), 0, most),
        }
    }
}

/// One of a few words, or another value, which was reported: what depends on it is not reported as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrWrong<T> {
    /// It is right.
    Right(T),
    /// It is wrong.
    Wrong,
}

impl<T: Value> Value for OrWrong<T> {
    fn read(found: Found<'_, '_>) -> Option<Self> {
        Some(T::read(found).map_or(Self::Wrong, Self::Right))
    }

    fn value_schema() -> Schema {
        T::value_schema()
    }
}

/// An object that is read apart, with what its owner knows: its form alone is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread<T>(PhantomData<T>);

impl<T: Body> Value for Unread<T> {
    fn read(found: Found<'_, '_>) -> Option<Self> {
        found.object(|_| Some(Self(PhantomData)))
    }

    fn value_schema() -> Schema {
        T::schema()
    }
}
