//! Answers as types: each field is named once, with its type, its description and where it comes from.
//!
//! What is declared here serialises itself and describes itself, so an answer and its schema cannot part. A comment on a
//! field is its description. `field ?: Type` may be left out, and holds an `Option`.

/// Declares a struct of an answer.
macro_rules! fields {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$life:lifetime>)? {
            $($(#[$about:meta])* $field:ident $(?: $maybe:ty)? $(: $ty:ty)?),* $(,)?
        }
    ) => {
        #[derive(serde::Serialize, schemars::JsonSchema)]
        $(#[$meta])*
        $vis struct $name $(<$life>)? {
            $(
                $(#[$about])*
                $($field: $ty,)?
                $(
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    #[schemars(required)]
                    $field: Option<$maybe>,
                )?
            )*
        }
    };
}

/// Declares structs of answers, and how each is made: `Name::new(…)` takes what stands in the parentheses; what several
/// fields need stands in brackets.
macro_rules! view {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$life:lifetime>)? ($($arg:ident : $of:ty),* $(,)?) $([$($before:tt)*])? {
            $(
                $(#[$about:meta])*
                $field:ident $(?: $maybe:ty)? $(: $ty:ty)? = $value:expr
            ),* $(,)?
        }
    )+) => {$(
        fields! {
            $(#[$meta])*
            $vis struct $name $(<$life>)? {
                $($(#[$about])* $field $(?: $maybe)? $(: $ty)?),*
            }
        }

        impl $(<$life>)? $name $(<$life>)? {
            $vis fn new($($arg: $of),*) -> Self {
                $($($before)*)?
                Self { $($field: $value),* }
            }
        }
    )+};
}
