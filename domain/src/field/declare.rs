//! The macros that declare fields, and types whose values may stand in them.

/// Makes types that are read from text values of fields.
macro_rules! text_fields {
    ($($kind:ty: $shape:expr;)+) => {$(
        impl $crate::field::FieldValue for $kind {
            const SHAPE: $crate::field::Shape = $shape;

            fn given(given: $crate::field::Given<'_>) -> Result<Self, String> {
                use $crate::field::Given;
                match given {
                    Given::Text(text) => text.parse().map_err(|wrong| format!("{wrong}")),
                    Given::Null | Given::Switch(_) | Given::Whole(_) | Given::Texts(_) => {
                        $crate::field::unfit(Self::SHAPE)
                    }
                }
            }
        }
    )+};
}
pub(crate) use text_fields;

/// Makes numbers of something that are read from fields.
macro_rules! number_fields {
    ($($kind:ty),+ $(,)?) => {$(
        impl $crate::field::FieldValue for $kind {
            const SHAPE: $crate::field::Shape = $crate::field::Shape::Number;

            fn given(given: $crate::field::Given<'_>) -> Result<Self, String> {
                use $crate::field::Given;
                match given {
                    Given::Whole(number) => u64::try_from(number)
                        .map(Self)
                        .map_err(|_below| "expected a whole number from 1".to_owned()),
                    Given::Null | Given::Text(_) | Given::Switch(_) | Given::Texts(_) => {
                        $crate::field::unfit(Self::SHAPE)
                    }
                }
            }
        }
    )+};
}
pub(crate) use number_fields;

/// Declares the fields of something: what it holds, and what a change of it may hold.
///
/// Those under `given` have to be given, each with a value that it may have; those under `optional` are at first what is
/// written there. One that may be empty says what that means, `null "for no callbacks"`, and, where the word for it is not
/// [`NONE`](crate::field::NONE), by which word: `as "any"`.
macro_rules! fields {
    (
        $(#[$doc:meta])* pub struct $all:ident;
        $(#[$change_doc:meta])* pub struct $change:ident;
        given { $($given:ident: $given_kind:ty, $given_description:literal, like $example:literal;)* }
        optional { $($name:ident: $kind:ty = $default:expr, $description:literal $(, null $nothing:literal $(as $word:literal)?)?;)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(from = "stored::Stored")]
        pub struct $all {
            $(#[doc = $given_description] pub $given: $given_kind,)*
            $(#[doc = $description] pub $name: $kind,)*
        }

        $(#[$change_doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $change {
            $(#[doc = $given_description] pub $given: Option<$given_kind>,)*
            $(#[doc = $description] pub $name: Option<$kind>,)*
        }

        mod stored {
            use super::*;

            /// The fields as they are stored: one that came later is not in older records.
            #[derive(serde::Deserialize)]
            pub(super) struct Stored {
                $($given: $given_kind,)*
                $($name: Option<$kind>,)*
            }

            impl From<Stored> for $all {
                fn from(stored: Stored) -> Self {
                    Self::new($(stored.$given),*).with($change {
                        $($name: stored.$name,)*
                        ..$change::default()
                    })
                }
            }
        }

        impl $crate::field::HasFields for $all {
            const FIELDS: &'static [$crate::field::Field] = &[
                $($crate::field::Field {
                    example: $example,
                    ..$crate::field::Field::new::<$given_kind>(stringify!($given), $given_description, || None)
                },)*
                $($crate::field::Field {
                    $(nothing: $nothing, $(null_word: $word,)?)?
                    ..$crate::field::Field::new::<$kind>(stringify!($name), $description, || {
                        let value: $kind = $default;
                        Some($crate::field::FieldValue::shown(&value))
                    })
                },)*
            ];

            fn audited(&self) -> Vec<serde_json::Value> {
                use $crate::field::FieldValue;
                vec![$(self.$given.audited(),)* $(self.$name.audited(),)*]
            }
        }

        impl $all {
            /// These, and all others as they are at first.
            #[must_use]
            pub fn new($($given: $given_kind),*) -> Self {
                Self { $($given,)* $($name: $default,)* }
            }

            /// The same with what the change holds.
            #[must_use]
            pub fn with(self, change: $change) -> Self {
                Self {
                    $($given: change.$given.unwrap_or(self.$given),)*
                    $($name: change.$name.unwrap_or(self.$name),)*
                }
            }

            /// Returns the differences from `last`.
            #[must_use]
            pub fn since(&self, last: Option<&Self>) -> $change {
                let Some(last) = last else {
                    return self.clone().into();
                };
                $change {
                    $($given: (last.$given != self.$given).then(|| self.$given.clone()),)*
                    $($name: (last.$name != self.$name).then(|| self.$name.clone()),)*
                }
            }
        }

        impl $crate::field::FromFields for $all {
            type Of = Self;

            fn from_fields(source: &mut impl $crate::field::FieldSource) -> Option<Self> {
                $change::read(source).complete()
            }
        }

        impl $crate::field::FromFields for $change {
            type Of = $all;

            fn from_fields(source: &mut impl $crate::field::FieldSource) -> Option<Self> {
                Some(Self::read(source))
            }
        }

        impl From<$all> for $change {
            fn from(all: $all) -> Self {
                Self {
                    $($given: Some(all.$given),)*
                    $($name: Some(all.$name),)*
                }
            }
        }

        impl $change {
            /// Reads every field; what is wrong with them, the source reports.
            pub fn read(source: &mut impl $crate::field::FieldSource) -> Self {
                let mut fields = <$all as $crate::field::HasFields>::FIELDS.iter();
                Self {
                    $($given: fields.next().and_then(|field| source.take(field)),)*
                    $($name: fields.next().and_then(|field| source.take(field)),)*
                }
            }

            /// The fields, with what is there at first where nothing is given; `None` when one is missing that has to be
            /// given.
            #[must_use]
            pub fn complete(self) -> Option<$all> {
                Some($all {
                    $($given: self.$given?,)*
                    $($name: self.$name.unwrap_or($default),)*
                })
            }
        }
    };
}
pub(crate) use fields;

/// Declares the fields that can be given of something, where what is stored has a form of its own.
///
/// One with `like` has to be given of something new; one with a value has that at first. One that may be empty says what
/// that means, `null "for none"`; one that can be given only at some times says when, `when [New]`.
macro_rules! given {
    ($(
        $(#[$doc:meta])* pub struct $all:ident {
            $($name:ident: $kind:ty $(= $default:expr)?, $description:literal
                $(, like $example:literal)? $(, null $nothing:literal)? $(, when [$($when:ident),+])?;)*
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $all {
            $(#[doc = $description] pub $name: Option<$kind>,)*
        }

        impl $crate::field::HasFields for $all {
            const FIELDS: &'static [$crate::field::Field] = &[$(
                $crate::field::Field {
                    $(default: || {
                        let value: $kind = $default;
                        Some($crate::field::FieldValue::shown(&value))
                    },)?
                    $(example: $example, default: || None,)?
                    $(nothing: $nothing,)?
                    $(when: &[$($crate::field::When::$when),+],)?
                    ..$crate::field::Field::new::<$kind>(
                        stringify!($name),
                        $description,
                        || Some(serde_json::Value::Null),
                    )
                },
            )*];

            fn audited(&self) -> Vec<serde_json::Value> {
                use $crate::field::FieldValue;
                vec![$(self.$name.audited(),)*]
            }
        }

        impl $crate::field::FromFields for $all {
            type Of = Self;

            fn from_fields(source: &mut impl $crate::field::FieldSource) -> Option<Self> {
                Some(Self::read(source))
            }
        }

        impl $all {
            /// Reads every field that can be given; what is wrong with them, the source reports.
            pub fn read(source: &mut impl $crate::field::FieldSource) -> Self {
                let when = source.when();
                let mut fields = <Self as $crate::field::HasFields>::FIELDS
                    .iter()
                    .map(|field| field.when.contains(&when).then_some(field));
                Self {
                    $($name: fields.next().flatten().and_then(|field| source.take(field)),)*
                }
            }
        }
    )+};
}
pub(crate) use given;
