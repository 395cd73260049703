//! Bodies: JSON, forms, and forms of several parts.

mod multipart;

use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::timeout;

use crate::bounds::LARGE_BODY;
use crate::params::Params;
use crate::reply::ApiError;
use crate::shared::Shared;

const BODY_WITHIN: Duration = Duration::from_secs(120);
/// The most parameters of a call.
pub(crate) const PARAMETERS_MAX: usize = 256;

/// Reads a body within its bound.
pub(crate) async fn read(shared: &Shared, body: Incoming, most: usize) -> Result<Bytes, ApiError> {
    let length = body.size_hint().upper();
    let place = if length.is_none_or(|it| it > LARGE_BODY) {
        // The semaphore is never closed.
        shared.bodies.acquire().await.ok()
    } else {
        None
    };
    let outcome = within(body, most).await;
    drop(place);
    outcome
}

async fn within(body: Incoming, most: usize) -> Result<Bytes, ApiError> {
    match timeout(BODY_WITHIN, Limited::new(body, most).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(ApiError::too_large()),
        Ok(Err(_)) => Err(ApiError::bad("the body is incomplete")),
        Err(_) => Err(ApiError::new(408, "Request Timeout")),
    }
}

/// Reads the parameters of a query and of a body.
pub(crate) fn params(query: &str, kind: &str, body: &Bytes) -> Result<Params, ApiError> {
    let mut params = Params::default();
    add_form(query, &mut params.values);
    let essence = kind.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "multipart/form-data" => multipart::parse(kind, body, &mut params)?,
        "application/x-www-form-urlencoded" => {
            add_form(&String::from_utf8_lossy(body), &mut params.values);
        }
        "application/json" => params.values.extend(object(body)?),
        // Others are not read, as with Telegram.
        _ => {}
    }
    if params.values.len() > PARAMETERS_MAX {
        return Err(ApiError::bad("too many parameters"));
    }
    Ok(params)
}

fn object(body: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if body.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_slice(body).map_err(|error| {
        ApiError::bad(format!(
            "can't parse the JSON object of the request: {error}"
        ))
    })
}

fn add_form(text: &str, values: &mut Map<String, Value>) {
    let pairs = url::form_urlencoded::parse(text.as_bytes()).take(PARAMETERS_MAX + 1);
    values
        .extend(pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))));
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use serde_json::json;

    use super::params;

    #[test]
    fn all_forms_of_bodies_give_the_same() {
        let json = params(
            "limit=5",
            "application/json; charset=utf-8",
            &Bytes::from_static(b"{\"text\":\"a b\"}"),
        );
        let form = params(
            "",
            "application/x-www-form-urlencoded",
            &Bytes::from_static(b"text=a+b&limit=5"),
        );
        for outcome in [json, form] {
            let Ok(params) = outcome else {
                unreachable!("it is readable")
            };
            assert_eq!(params.text("text").as_deref(), Some("a b"));
            assert_eq!(params.integer("limit"), Ok(Some(5)));
        }
    }

    #[test]
    fn a_body_of_several_parts_has_values_and_files() {
        let body = "--X\r\ncontent-disposition: form-data; name=\"chat_id\"\r\n\r\n7\r\n\
            --X\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a \\\"b\\\".jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\
            ab\r\n--Y\r\n\r\n--X--\r\n";
        let outcome = params("", "multipart/form-data; boundary=X", &Bytes::from(body));
        let Ok(params) = outcome else {
            unreachable!("{outcome:?}")
        };
        assert_eq!(params.integer("chat_id"), Ok(Some(7)));
        let photo = params.uploads.get("photo");
        assert!(
            photo.is_some_and(|it| it.name == "a \"b\".jpg" && it.bytes == "ab\r\n--Y\r\n"),
            "{photo:?}"
        );
        assert_eq!(
            photo.and_then(|it| it.mime_type.as_deref()),
            Some("image/jpeg")
        );
    }

    #[test]
    fn broken_bodies_are_refused_and_do_not_panic() {
        for (kind, body) in [
            ("application/json", "[1]"),
            ("application/json", "{\"a\":"),
            ("multipart/form-data", "--X\r\n"),
            ("multipart/form-data; boundary=", "--\r\n"),
            ("multipart/form-data; boundary=X", "no boundary"),
            ("multipart/form-data; boundary=X", "--X\r\n\r\n"),
            (
                "multipart/form-data; boundary=X",
                "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n7",
            ),
        ] {
            assert!(
                params("", kind, &Bytes::from(body)).is_err(),
                "{kind} {body:?}"
            );
        }
        let empty = params(
            "a=1&a=2&%ff=%zz",
            "text/plain",
            &Bytes::from_static(b"text=x"),
        );
        assert_eq!(
            empty.ok().map(|it| it.values["a"].clone()),
            Some(json!("2"))
        );
    }
}
