//! The external forms of values, beside their types: the descriptions of interfaces use them.

/// Declares the schema of a value. It stands where the value does, without a name of its own.
#[macro_export]
macro_rules! schema_of {
    ($name:ty, $schema:tt) => {
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

pub use schema_of;
