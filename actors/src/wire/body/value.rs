//! Values of fields: how each type is read, and its schema.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use crate::domain::account::password::Password;
use crate::domain::account::rights::{Grant, Right};
use crate::domain::chat::channel::HookVersion;
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::crm::custom_field::CustomField;
use crate::domain::id::{
    AccountId, ChannelId, ContactId, ConversationId, MediaId, MessageId, OauthClientId, PersonId,
    PipelineId, ScopeId, SourceNumber, StageId, UserId,
};
use crate::domain::installation::accounts::Lang;
use crate::domain::oauth::grants::rejection::GrantType;
use crate::domain::oauth::redirect::PkceText;
use crate::domain::signature::SharedSecret;
use crate::domain::text::{Emoji, MessageText, Name, Phone, RoleName, SourceId, TagName, UserName};
use crate::wire::body::Body;
use crate::wire::json::node::Node;
use crate::wire::json::object::ObjectReader;
use crate::wire::schema::{Field, Schema, may, must};

/// What may stand in a field of a body.
pub trait Value: Sized {
    /// Whether it has to be there.
    const NEEDED: bool = true;
    /// Whether it is always a secret.
    const SECRET: bool = false;

    /// Reads it; what is wrong with it is reported.
    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self>;

    /// Reads the field, and reports it when it has to be there and is not.
    fn of_field(object: &ObjectReader<'_, '_>, key: &'static str) -> Option<Self> {
        Self::of_node(object, key, object.required(key)?)
    }

    /// Its schema.
    fn value_schema() -> Schema;
}

/// One that is wrong counts as none: the report decides in the end.
impl<T: Value> Value for Option<T> {
    const NEEDED: bool = false;
    const SECRET: bool = T::SECRET;

    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        Some(T::of_node(object, key, node))
    }

    fn of_field(object: &ObjectReader<'_, '_>, key: &'static str) -> Option<Self> {
        let node = object.find(key);
        Some(node.and_then(|node| T::of_node(object, key, node)))
    }

    fn value_schema() -> Schema {
        T::value_schema()
    }
}

impl Field {
    /// A field of this type.
    #[must_use]
    pub fn of<T: Value>(name: &'static str) -> Self {
        let field = if T::NEEDED { must } else { may };
        let field = field(name, T::value_schema());
        if T::SECRET { field.secret() } else { field }
    }
}

/// Reads text that has to be a `T`.
pub fn parsed<'r, 'a, T: FromStr<Err: Display>>(
    object: &ObjectReader<'r, 'a>,
    key: &'static str,
    node: &'r Node<'a>,
) -> Option<T> {
    object.parsed(key, object.text(key, node)?)
}

/// Lets types that are read from text stand in bodies, each with its schema; a `secret` one is always a secret.
#[macro_export]
macro_rules! body_texts {
    ($($kind:ty: $schema:expr $(, $secret:ident)?;)+) => {$(
        impl $crate::wire::body::value::Value for $kind {
            $(const SECRET: bool = { let $secret = true; $secret };)?

            fn of_node<'r, 'a>(
                object: &$crate::wire::json::object::ObjectReader<'r, 'a>,
                key: &'static str,
                node: &'r $crate::wire::json::node::Node<'a>,
            ) -> Option<Self> {
                $crate::wire::body::value::parsed(object, key, node)
            }

            fn value_schema() -> $crate::wire::schema::Schema {
                $schema
            }
        }
    )+};
}

/// Lets types that are one of a few words stand in bodies, each with its table of words.
#[macro_export]
macro_rules! body_choices {
    ($($kind:ty: $words:expr;)+) => {$(
        impl $crate::wire::body::value::Value for $kind {
            fn of_node<'r, 'a>(
                object: &$crate::wire::json::object::ObjectReader<'r, 'a>,
                key: &'static str,
                node: &'r $crate::wire::json::node::Node<'a>,
            ) -> Option<Self> {
                object.choice(key, object.text(key, node)?, &$words)
            }

            fn value_schema() -> $crate::wire::schema::Schema {
                $crate::wire::schema::Schema::choice(&$words)
            }
        }
    )+};
}

body_texts! {
    String: Schema::text();
    Name: Schema::line(255);
    UserName: Schema::line(50);
    TagName: Schema::line(255);
    RoleName: Schema::line(255);
    SourceId: Schema::line(40);
    Phone: Schema::line(64);
    MessageText: Schema::text();
    Emoji: Schema::text();
    PkceText: Schema::text();
    Lang: Schema::words(Lang::WORDS);
    Password: Schema::text().says(
        "At least 6 characters and at most 1,024 bytes, with a digit, a lower-case and an upper-case letter."
    ), secret;
    SharedSecret: Schema::line(255).says(
        "1 to 255 characters of ASCII without spaces; made when it is left out."
    ), secret;
    ChannelId: Schema::text();
    ScopeId: Schema::text();
    MediaId: Schema::text();
    MessageId: Schema::uuid();
    ConversationId: Schema::uuid();
    AccountId: Schema::uuid();
    OauthClientId: Schema::uuid();
    PersonId: Schema::uuid();
}

body_choices! {
    HookVersion: HookVersion::NAMES;
    ReactionKind: ReactionKind::NAMES;
    Right: Right::LETTERS;
    Grant: Grant::LETTERS;
    CustomField: CustomField::ALL.map(|field| (field.code(), field));
    GrantType: [
        ("authorization_code", GrantType::Code),
        ("refresh_token", GrantType::RefreshToken),
    ];
}

/// Lets numbers of something stand in bodies.
macro_rules! numbers {
    ($($kind:ident),+ $(,)?) => {$(
        impl Value for $kind {
            fn of_node<'r, 'a>(
                object: &ObjectReader<'r, 'a>,
                key: &'static str,
                node: &'r Node<'a>,
            ) -> Option<Self> {
                let number = object.integer(key, node, &(1..=i64::MAX))?;
                u64::try_from(number).ok().map(Self)
            }

            fn value_schema() -> Schema {
                Schema::number()
            }
        }
    )+};
}

/// The number of something, whatever that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(pub u64);

numbers!(Number, ContactId, PipelineId, SourceNumber, StageId, UserId);

impl Value for bool {
    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        object.boolean(key, node)
    }

    fn value_schema() -> Schema {
        Schema::boolean()
    }
}

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
    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        object.integer(key, node, &(LEAST..=MOST)).map(Self)
    }

    fn value_schema() -> Schema {
        Schema::between(LEAST, MOST)
    }
}

/// Text that the empty string stands for none of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlessEmpty<T>(pub Option<T>);

impl<T: Value + FromStr<Err: Display>> Value for UnlessEmpty<T> {
    const NEEDED: bool = false;
    const SECRET: bool = T::SECRET;

    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        let text = object.text(key, node)?;
        let text = (!text.is_empty()).then_some(text);
        Some(Self(text.and_then(|text| object.parsed(key, text))))
    }

    fn of_field(object: &ObjectReader<'_, '_>, key: &'static str) -> Option<Self> {
        let read = object.find(key);
        let read = read.and_then(|node| Self::of_node(object, key, node));
        Some(read.unwrap_or(Self(None)))
    }

    fn value_schema() -> Schema {
        Schema::text()
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
    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        let list = object.list(key, node)?;
        let items = list.each(|item| T::of_object(item));
        Some(Self(items))
    }

    /// How many items there may be is checked where they are used, in words about them.
    fn value_schema() -> Schema {
        match MOST {
            usize::MAX => Schema::list(T::schema()),
            most => Schema::few(T::schema(), 0, most),
        }
    }
}

/// A value that may be null, which is not the same as none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrNull<T> {
    /// There is none.
    Absent,
    /// It is null.
    Null,
    /// It is there.
    Given(T),
}

impl<T> OrNull<T> {
    /// The value, and `null` where it is null.
    pub fn or_else(self, null: impl FnOnce() -> T) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Null => Some(null()),
            Self::Given(value) => Some(value),
        }
    }
}

impl<T: Value> Value for OrNull<T> {
    const NEEDED: bool = false;
    const SECRET: bool = T::SECRET;

    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        if *node == Node::Null {
            return Some(Self::Null);
        }
        T::of_node(object, key, node).map(Self::Given)
    }

    fn of_field(object: &ObjectReader<'_, '_>, key: &'static str) -> Option<Self> {
        let read = object.raw(key);
        let read = read.and_then(|node| Self::of_node(object, key, node));
        Some(read.unwrap_or(Self::Absent))
    }

    fn value_schema() -> Schema {
        T::value_schema().or_null()
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
    const SECRET: bool = T::SECRET;

    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        let read = T::of_node(object, key, node);
        Some(read.map_or(Self::Wrong, Self::Right))
    }

    fn value_schema() -> Schema {
        T::value_schema()
    }
}

/// An object that is read apart, with what its owner knows: its form alone is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread<T>(PhantomData<T>);

impl<T: Body> Value for Unread<T> {
    fn of_node<'r, 'a>(
        object: &ObjectReader<'r, 'a>,
        key: &'static str,
        node: &'r Node<'a>,
    ) -> Option<Self> {
        object.object(key, node).map(|_| Self(PhantomData))
    }

    fn value_schema() -> Schema {
        T::schema()
    }
}
