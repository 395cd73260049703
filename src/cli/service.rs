//! A running service as commands speak to it: by its account side or by its operator's, with a bearer token.

mod args;

use std::io::Write;
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use url::Url;

pub(super) use self::args::{AccountUserArgs, OperatorArgs};
use super::given::Given;
use super::output::CliError;
use super::web::{client, unreachable};
use crate::config::values::Secret;

/// Longer than any one exchange takes that the service makes for a request.
const PATIENCE: Duration = Duration::from_secs(40);

/// A running service, and the token for it.
pub(super) struct Service {
    url: Given<Url>,
    token: Given<Secret>,
    client: Client,
}

impl Service {
    pub(super) fn new(url: Given<Url>, token: Given<Secret>) -> Result<Self, CliError> {
        let client = client(PATIENCE)?;
        Ok(Self { url, token, client })
    }

    /// Sends a request and returns the body of a success; a refusal is an error in the service's own words.
    pub(super) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, CliError> {
        let url = self.at(path)?;
        let mut request = self.client.request(method, url);
        if let Some(body) = body {
            request = request
                .header("Content-Type", "application/json")
                .body(body.to_string());
        }
        let unreachable = |error: reqwest::Error| unreachable(&self.url, &error);
        let response = request
            .bearer_auth(self.token.value.expose())
            .send()
            .await
            .map_err(unreachable)?;
        let status = response.status();
        let text = response.text().await.map_err(unreachable)?;
        let body = serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text));
        if status.is_success() {
            Ok(body)
        } else {
            Err(self.refused(status, &body))
        }
    }

    /// The place of a path.
    fn at(&self, path: &str) -> Result<Url, CliError> {
        let url = self.url.value.join(path);
        let source = &self.url.source;
        url.map_err(|error| {
            CliError::Usage(format!("{source}: cannot be joined with a path: {error}"))
        })
    }

    /// The refusal of a request; of a token it names the source.
    fn refused(&self, status: StatusCode, body: &Value) -> CliError {
        let mut refusal = refusal(status.as_u16(), body);
        if status == StatusCode::UNAUTHORIZED {
            refusal.push_str(&format!(
                "\n  help: the token is from {}",
                self.token.source
            ));
        }
        CliError::Failed(refusal)
    }
}

/// The number of entries on a page of a list.
const PAGE: &str = "250";

impl Service {
    /// All entries of a list, from page to page, as one answer without `next`.
    pub(super) async fn list(&self, path: &str) -> Result<Value, CliError> {
        let mut whole = self.page(path, None).await?;
        while let Some(cursor) = take_next(&mut whole) {
            let page = self.page(path, Some(&cursor)).await?;
            if page.get("next").and_then(Value::as_str) == Some(&cursor) {
                let why = format!("the service repeats a page of {path}");
                return Err(CliError::Failed(why));
            }
            append(&mut whole, page);
        }
        Ok(whole)
    }

    async fn page(&self, path: &str, cursor: Option<&str>) -> Result<Value, CliError> {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("limit", PAGE);
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
        let path = format!("{path}?{}", query.finish());
        self.ask(Method::GET, &path, None).await
    }
}

/// Takes out of a page where the next one begins.
fn take_next(page: &mut Value) -> Option<String> {
    let next = page.as_object_mut()?.remove("next")?;
    next.as_str().map(str::to_owned)
}

/// Puts the entries of a page behind those before it, and takes over where the next one begins.
fn append(whole: &mut Value, page: Value) {
    let (Value::Object(whole), Value::Object(page)) = (whole, page) else {
        return;
    };
    for (name, value) in page {
        match (whole.get_mut(&name), value) {
            (Some(Value::Array(entries)), Value::Array(more)) => entries.extend(more),
            (_, value) => {
                whole.insert(name, value);
            }
        }
    }
}

/// The time limit of an export.
const EXPORT: Duration = Duration::from_secs(3_600);

impl Service {
    /// Writes the body of a success as it comes; how many bytes.
    pub(super) async fn write_to(&self, path: &str, to: &mut impl Write) -> Result<u64, CliError> {
        let url = self.at(path)?;
        let unreachable = |error: reqwest::Error| unreachable(&self.url, &error);
        let request = self.client.get(url).timeout(EXPORT);
        let mut response = request
            .bearer_auth(self.token.value.expose())
            .send()
            .await
            .map_err(unreachable)?;
        let status = response.status();
        if !status.is_success() {
            let text = response.text().await.map_err(unreachable)?;
            let body = serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text));
            return Err(self.refused(status, &body));
        }
        let mut length = 0_u64;
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            to.write_all(&piece)
                .map_err(|error| CliError::failed("cannot write", error))?;
            let bytes = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            length = length.saturating_add(bytes);
        }
        let flushed = to.flush();
        flushed.map_err(|error| CliError::failed("cannot write", error))?;
        Ok(length)
    }
}

/// The reason for a refusal, with everything that is wrong.
fn refusal(status: u16, body: &Value) -> String {
    let text = |value: &Value, key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let detail = body.get("detail").and_then(Value::as_str);
    let mut refusal = format!(
        "the service answered {status}: {}",
        detail.unwrap_or("no reason was given")
    );
    let wrong = body.pointer("/validation-errors/0/errors");
    for wrong in wrong.and_then(Value::as_array).into_iter().flatten() {
        let (path, code) = (text(wrong, "path"), text(wrong, "code"));
        refusal.push_str(&format!("\n  {path} ({code}): {}", text(wrong, "detail")));
    }
    refusal
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_become_one_list() {
        let mut whole = json!({ "users": [1, 2], "next": "2" });
        assert_eq!(take_next(&mut whole), Some("2".to_owned()));
        append(&mut whole, json!({ "users": [3], "next": null }));
        assert_eq!(take_next(&mut whole), None);
        assert_eq!(whole, json!({ "users": [1, 2, 3] }));
    }

    #[test]
    fn a_refusal_names_every_wrong_field() {
        let body = json!({ "detail": "Request validation failed", "validation-errors": [{ "errors": [
            { "path": "name", "code": "FieldMissing", "detail": "this field is missing" },
            { "path": "accounts.0", "code": "InvalidType", "detail": "expected a string, found 7" },
        ] }] });
        let text = refusal(400, &body);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.starts_with("the service answered 400: Request validation failed\n"));
        assert!(text.ends_with("\n  accounts.0 (InvalidType): expected a string, found 7"));
        let bare = refusal(502, &Value::String("<html>".to_owned()));
        assert_eq!(bare, "the service answered 502: no reason was given");
    }
}
