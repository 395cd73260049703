//! The parameters of a call, whatever the form of its body.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::reply::ApiError;

/// A file in the body of a call, or behind an address that a call names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Upload {
    /// The name that the sender gave it.
    pub(crate) name: String,
    /// The type that the sender gave it.
    pub(crate) mime_type: Option<String>,
    /// The content.
    pub(crate) bytes: Bytes,
}

/// The parameters of a call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Params {
    /// Those that are values: texts in a form, values of any type in JSON.
    pub(crate) values: Map<String, Value>,
    /// The files of the body, by the names of their parts.
    pub(crate) uploads: BTreeMap<String, Upload>,
    /// The files behind addresses, by address.
    pub(crate) fetched: BTreeMap<String, Result<Upload, ApiError>>,
}

impl Params {
    /// Returns a parameter as a text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Some(value.to_string())
            }
        }
    }

    /// Returns a parameter as a whole number.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, ApiError> {
        let Some(text) = self.text(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let number = text.trim().parse();
        number
            .map(Some)
            .map_err(|error| ApiError::bad(format!("parameter {name:?} is no integer: {error}")))
    }

    /// Returns a parameter as a number.
    ///
    /// # Errors
    /// When it is missing, or none.
    pub(crate) fn number(&self, name: &str) -> Result<f64, ApiError> {
        let text = self.text(name).unwrap_or_default();
        if text.is_empty() {
            return Err(ApiError::bad(format!("{name} is empty")));
        }
        let number: f64 = text
            .trim()
            .parse()
            .map_err(|error| ApiError::bad(format!("can't parse {name}: {error}")))?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(ApiError::bad(format!(
                "can't parse {name}: it is not finite"
            )))
        }
    }

    /// Returns whether a parameter is true.
    pub(crate) fn flag(&self, name: &str) -> bool {
        let text = self.text(name).unwrap_or_default().to_ascii_lowercase();
        matches!(text.as_str(), "true" | "yes" | "1")
    }

    /// Returns a parameter that is an object or a list: a value of JSON, or its text.
    ///
    /// # Errors
    /// When its text is no JSON.
    pub(crate) fn structure(&self, name: &str) -> Result<Option<Value>, ApiError> {
        match self.values.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text)
                .map(Some)
                .map_err(|error| ApiError::bad(format!("can't parse {name} JSON object: {error}"))),
            Some(value) => Ok(Some(value.clone())),
        }
    }

    /// Returns the number of the chat that the call is about, unless it has none or another form.
    pub(crate) fn chat(&self) -> Option<i64> {
        self.integer("chat_id").ok().flatten()
    }
}
