//! The macro that declares bodies, and its parts.

/// Declares bodies: see [`body`](mod@crate::body).
#[macro_export]
macro_rules! body {
    ($(
        $(#[doc = $about:literal])*
        $(#[derive($($derived:path),* $(,)?)])?
        $(#[body($($option:tt)*)])?
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $says:literal])*
                $(#[body($($rule:tt)*)])?
                $field:ident : $kind:ty
            ),* $(,)?
        }
    )+) => {$(
        $(#[doc = $about])*
        $(#[derive($($derived),*)])?
        $vis struct $name {
            $(
                #[doc = concat!("The field `", stringify!($field), "`.")]
                $vis $field: $kind,
            )*
        }

        impl $crate::body::Body for $name {
            const OPEN: bool = $crate::__body_option!(open $($($option)*)?);
            const NULLS: $crate::json::object::Nulls =
                if $crate::__body_option!(lenient $($($option)*)?) {
                    $crate::json::object::Nulls::Absent
                } else {
                    $crate::json::object::Nulls::Refused
                };

            fn take(object: &$crate::json::object::ObjectReader<'_, '_>) -> Option<Self> {
                $(
                    let $field = $crate::__body_take!(
                        object, $crate::__body_key!($field $($($rule)*)?), $kind; $($($rule)*)?
                    );
                )*
                $crate::__body_check!(object; $($($option)*)?);
                Some(Self { $($field: $field?,)* })
            }

            fn fields() -> Vec<$crate::schema::Field> {
                let mut fields = Vec::<$crate::schema::Field>::from([]);
                $($crate::__body_fields!(
                    fields, $crate::__body_key!($field $($($rule)*)?), $kind, &[$($says),*]; $($($rule)*)?
                );)*
                fields
            }
        }

        impl $crate::body::value::Value for $name {
            fn read(found: $crate::body::value::Found<'_, '_>) -> Option<Self> {
                found.object(<Self as $crate::body::Body>::from_object)
            }

            fn value_schema() -> $crate::schema::Schema {
                <Self as $crate::body::Body>::schema()
            }
        }
    )+};
}

/// Expands to whether a struct has this option.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_option {
    (open open $($rest:tt)*) => { true };
    (lenient lenient $($rest:tt)*) => { true };
    (secret secret $($rest:tt)*) => { true };
    ($wanted:ident $other:tt $($rest:tt)*) => { $crate::__body_option!($wanted $($rest)*) };
    ($wanted:ident) => { false };
}

/// Calls the checks of a struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_check {
    ($object:ident; check($check:ident($($field:ident),*)) $($rest:tt)*) => {
        $check($object, $(&$field),*);
        $crate::__body_check!($object; $($rest)*);
    };
    ($object:ident; $other:tt $($rest:tt)*) => { $crate::__body_check!($object; $($rest)*) };
    ($object:ident;) => {};
}

/// The name of a field.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_key {
    ($field:ident key($key:literal) $($rest:tt)*) => { $key };
    ($field:ident $other:tt $($rest:tt)*) => { $crate::__body_key!($field $($rest)*) };
    ($field:ident) => { stringify!($field) };
}

/// Reads a field.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_take {
    ($object:ident, $key:expr, $kind:ty; flatten) => {
        <$kind as $crate::body::Body>::take($object)
    };
    ($object:ident, $key:expr, $kind:ty; given($when:ident $(, $only:expr)?)) => {
        $crate::body::given::Part::given_at($crate::domain::field::When::$when)$(.only(&$only))?.take::<$kind>($object)
    };
    ($object:ident, $key:expr, $kind:ty; null, needed $($rest:tt)*) => {
        if $object.is_null($key) {
            Some(None)
        } else {
            $object.required($key);
            <$kind as $crate::body::value::Value>::from_field($object, $key)
        }
    };
    ($object:ident, $key:expr, $kind:ty; null $($rest:tt)*) => {
        if $object.is_null($key) {
            Some(None)
        } else {
            <$kind as $crate::body::value::Value>::from_field($object, $key)
        }
    };
    ($object:ident, $key:expr, $kind:ty; needed $($rest:tt)*) => {{
        $object.required($key);
        <$kind as $crate::body::value::Value>::from_field($object, $key)
    }};
    ($object:ident, $key:expr, $kind:ty; default($value:expr) $($rest:tt)*) => {
        Some(
            <Option<$kind> as $crate::body::value::Value>::from_field($object, $key)
                .flatten()
                .unwrap_or_else(|| <$kind>::from($value)),
        )
    };
    ($object:ident, $key:expr, $kind:ty; $other:tt $($rest:tt)*) => {
        $crate::__body_take!($object, $key, $kind; $($rest)*)
    };
    ($object:ident, $key:expr, $kind:ty;) => {
        <$kind as $crate::body::value::Value>::from_field($object, $key)
    };
}

/// Adds a field with its schema, or its parts.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_fields {
    ($fields:ident, $key:expr, $kind:ty, $says:expr; flatten) => {
        $fields.extend(<$kind as $crate::body::Body>::fields())
    };
    ($fields:ident, $key:expr, $kind:ty, $says:expr; given($when:ident $(, $only:expr)?)) => {
        $fields.extend($crate::body::given::Part::given_at($crate::domain::field::When::$when)$(.only(&$only))?.fields::<$kind>())
    };
    ($fields:ident, $key:expr, $kind:ty, $says:expr; $($rule:tt)*) => {
        $fields.push(
            $crate::__body_rules!($crate::schema::Field::typed::<$kind>($key); $($rule)*)
                .described($says),
        )
    };
}

/// Applies the rules of a field to its schema.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_rules {
    ($made:expr; null $($rest:tt)*) => { $crate::__body_rules!($made.or_null(); $($rest)*) };
    ($made:expr; secret $($rest:tt)*) => { $crate::__body_rules!($made.secret(); $($rest)*) };
    ($made:expr; needed $($rest:tt)*) => { $crate::__body_rules!($made.needed(); $($rest)*) };
    ($made:expr; default($value:expr) $($rest:tt)*) => {
        $crate::__body_rules!($made.default_is($value); $($rest)*)
    };
    ($made:expr; schema($schema:expr) $($rest:tt)*) => {
        $crate::__body_rules!($made.with_schema($schema); $($rest)*)
    };
    ($made:expr; $other:tt $($rest:tt)*) => { $crate::__body_rules!($made; $($rest)*) };
    ($made:expr;) => { $made };
}
