//! The operations whose requests are recorded: their names, and which of their fields hold secrets. Both come from the
//! descriptions beside the handlers, so a field that is declared as a secret is never recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

use crate::address::Address;
use crate::all_addresses;
use crate::openapi::SECRET;
use switchboard_gate::requests::sender::Surface;

/// The operations by route and method.
static OPERATIONS: LazyLock<BTreeMap<&'static str, OfRoute>> = LazyLock::new(|| {
    let addresses = all_addresses().filter(|address| Surface::of_path(address.path).is_some());
    addresses
        .map(|address| (address.path, of_route(address)))
        .collect()
});

/// The fields of all of them: for requests that name no operation.
static ALL_FIELDS: LazyLock<OperationFields> = LazyLock::new(|| {
    let mut all = OperationFields::default();
    for operation in OPERATIONS.values().flat_map(BTreeMap::values) {
        let OperationFields { sent, given } = &operation.fields;
        // What is plain for one operation may be a secret for another.
        all.sent.secret.extend(sent.secret.iter().cloned());
        all.given.secret.extend(given.secret.iter().cloned());
        all.given.plain.extend(given.plain.iter().cloned());
    }
    all
});

type OfRoute = BTreeMap<&'static str, RecordedOperation>;

/// An operation as its records need it.
#[derive(Debug)]
pub(crate) struct RecordedOperation {
    /// Its name for programs.
    pub(crate) id: String,
    fields: OperationFields,
}

/// The fields that an operation names.
#[derive(Debug, Default)]
pub(super) struct OperationFields {
    /// Of requests.
    pub(super) sent: FieldNames,
    /// Of answers.
    pub(super) given: FieldNames,
}

/// Names of fields and parameters.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    secret: BTreeSet<String>,
    plain: BTreeSet<String>,
}

/// The route that is written so.
pub(super) fn route(pattern: &str) -> Option<&'static str> {
    OPERATIONS.get_key_value(pattern).map(|(route, _)| *route)
}

/// The operation at a route.
pub(crate) fn at(route: Option<&str>, method: &str) -> Option<&'static RecordedOperation> {
    let method = if method == "HEAD" { "GET" } else { method };
    OPERATIONS.get(route?)?.get(method)
}

/// The fields of an operation; of all of them, where there is none.
pub(super) fn fields(operation: Option<&'static RecordedOperation>) -> &'static OperationFields {
    operation.map_or(&ALL_FIELDS, |operation| &operation.fields)
}

fn of_route(address: &Address) -> OfRoute {
    let described = address.operations.iter().map(|(method, describe)| {
        let (operation, schemas) = describe().written(method);
        let part = |name| operation.get(name).into_iter();
        let mut fields = OperationFields::default();
        for sent in part("requestBody")
            .chain(part("parameters"))
            .chain(schemas.values())
        {
            fields.sent.add_all(sent);
        }
        for given in part("responses").chain(schemas.values()) {
            fields.given.add_all(given);
        }
        let id = operation.get("operationId").and_then(Value::as_str);
        let entry = RecordedOperation {
            id: id.unwrap_or_default().to_owned(),
            fields,
        };
        (*method, entry)
    });
    described.collect()
}

impl FieldNames {
    /// Returns whether the value of this field is a secret. A field that the operation does not name is one if it
    /// looks so: clients send secrets in wrong places too.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        self.secret.contains(&name) || (!self.plain.contains(&name) && looks_secret(&name))
    }

    /// Adds each property and each parameter below a description.
    fn add_all(&mut self, described: &Value) {
        each_field(described, &mut |name, schema| {
            let is_secret = schema.get(SECRET) == Some(&Value::Bool(true));
            let names = if is_secret {
                &mut self.secret
            } else {
                &mut self.plain
            };
            names.insert(name.to_ascii_lowercase());
        });
    }
}

/// Gives each property and each parameter below a description, with its schema.
fn each_field(described: &Value, give: &mut impl FnMut(&str, &Value)) {
    match described {
        Value::Array(each) => each.iter().for_each(|it| each_field(it, give)),
        Value::Object(fields) => {
            if let (Some(Value::String(name)), Some(schema)) =
                (fields.get("name"), fields.get("schema"))
            {
                give(name, schema);
            }
            if let Some(Value::Object(properties)) = fields.get("properties") {
                properties
                    .iter()
                    .for_each(|(name, schema)| give(name, schema));
            }
            let below = fields.iter().filter(|(key, _)| *key != "example");
            below.for_each(|(_, it)| each_field(it, give));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns whether a name in lower case is usually that of a secret.
fn looks_secret(name: &str) -> bool {
    let whole = [
        "code",
        "code_verifier",
        "pass",
        "pwd",
        "pin",
        "otp",
        "jwt",
        "auth",
    ];
    let parts = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "authorization",
        "credential",
        "cookie",
        "api_key",
        "apikey",
        "api-key",
        "private_key",
    ];
    whole.contains(&name) || parts.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::document;

    /// Fields whose names look like those of secrets, though their values are none: their names, and what they hold.
    const PLAIN: &[(&str, &str)] = &[
        ("secret_fingerprint", "a part of a hash"),
        ("old_secret_fingerprint", "a part of a hash"),
        ("reason_code", "a word that is declared"),
        ("not_copied_code", "a word that is declared"),
        (
            "code",
            "the word of a custom field, where it is no secret of OAuth",
        ),
        ("field_code", "the word of a custom field"),
        ("enum_code", "the word of a value of a custom field"),
        ("service_code", "the name of a telephone service"),
    ];

    /// Returns whether values of this schema may be any text.
    fn is_free_text(schema: &Value) -> bool {
        let is_text = |kind: &Value| kind == "string";
        let kind = schema.get("type");
        let is_text = kind.is_none_or(|kind| match kind.as_array() {
            Some(kinds) => kinds.iter().any(is_text),
            None => is_text(kind),
        });
        is_text && schema.get("enum").is_none() && schema.get("const").is_none()
    }

    /// No field of any interface is forgotten: what looks like a secret is declared as one, or stands in the list above.
    #[test]
    fn each_field_that_looks_like_a_secret_is_declared() {
        let (mut undeclared, mut declared, mut plain) = (BTreeSet::new(), 0, BTreeSet::new());
        each_field(&document(), &mut |name, schema| {
            let words = ["password", "secret", "token", "code"];
            let looks = |name: &str| words.iter().any(|part| name.contains(part));
            if schema.get(SECRET).is_some() {
                declared += 1;
            } else if PLAIN.iter().any(|(known, _)| *known == name) {
                plain.insert(name.to_owned());
            } else if looks(&name.to_ascii_lowercase()) && is_free_text(schema) {
                undeclared.insert(format!("{name}: {schema}"));
            }
        });
        assert!(undeclared.is_empty(), "{undeclared:#?}");
        assert_eq!(plain.len(), PLAIN.len(), "{plain:?}");
        assert!(declared > 10, "{declared}");
    }

    #[test]
    fn an_operation_knows_its_secrets() {
        let tokens = at(Some("/oauth2/access_token"), "POST").unwrap();
        assert_eq!(tokens.id, "issueTokens");
        let OperationFields { sent, given } = fields(Some(tokens));
        for secret in [
            "client_secret",
            "code",
            "code_verifier",
            "refresh_token",
            "Client_Secret",
            "my_password",
        ] {
            assert!(sent.is_secret(secret), "{secret}");
        }
        for secret in ["refresh_token", "access_token", "api_token"] {
            assert!(given.is_secret(secret), "{secret}");
        }
        for plain in ["grant_type", "client_id", "redirect_uri"] {
            assert!(!sent.is_secret(plain), "{plain}");
        }
        for plain in ["token_type", "code", "hint"] {
            assert!(!given.is_secret(plain), "{plain}");
        }
        let contacts = at(Some("/api/v4/contacts/custom_fields"), "HEAD").unwrap();
        assert!(
            !fields(Some(contacts)).given.is_secret("code"),
            "the code of a custom field"
        );
        assert!(fields(None).sent.is_secret("code"));
        assert!(at(Some("/oauth2/access_token"), "PUT").is_none());
    }
}
