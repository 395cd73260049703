//! Answers of the service, with what must be true of every one of them.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// The beginning of the paths of the chat interface.
pub const CHAT: &str = "/v2/origin/custom/";

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub body: String,
    /// The body as JSON; null when it is none.
    pub json: Value,
}

impl Answer {
    /// An answer to this request; fails when it has not the form that every answer has, or is not as the document
    /// describes it.
    pub fn new(method: &str, target: &str, status: u16, headers: HeaderMap, body: &[u8]) -> Self {
        let answer = Self::undescribed(status, headers, body);
        if method == "HEAD" {
            assert_eq!(answer.body, "", "HEAD {target}");
        } else if status >= 400 && format!("{target}/").starts_with(CHAT) {
            answer.assert_envelope();
        } else if status >= 400 && !matches!(target, "/readyz" | "/healthz") && !answer.is_page() {
            answer.assert_problem();
        }
        super::described::answer(method, target, status, &answer.headers, &answer.body);
        answer
    }

    /// An answer that no document describes.
    pub fn undescribed(status: u16, headers: HeaderMap, body: &[u8]) -> Self {
        let body = String::from_utf8(body.to_vec()).unwrap();
        Self {
            json: serde_json::from_str(&body).unwrap_or(Value::Null),
            status,
            headers,
            body,
        }
    }

    /// Fails unless the status is this one; gives the answer back.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    /// A read must work: 200, or the 204 of an empty list.
    #[track_caller]
    pub fn when_read(self) -> Self {
        assert!(matches!(self.status, 200 | 204), "{}", self.body);
        self
    }

    /// Returns whether it is a page of the console, which browsers get at an unknown address.
    fn is_page(&self) -> bool {
        self.header("content-type").starts_with("text/html")
    }

    /// A header, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The `error_type` of the chat interface, empty when there is none.
    pub fn error_type(&self) -> &str {
        self.json["error_type"].as_str().unwrap_or_default()
    }

    /// Path and code of everything that is wrong with a body, sorted.
    pub fn wrong(&self) -> Vec<(String, String)> {
        let chat = self.json["errors"].as_array();
        let account = self.json["validation-errors"][0]["errors"].as_array();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut wrong: Vec<_> = chat
            .or(account)
            .into_iter()
            .flatten()
            .map(|wrong| (text(&wrong["path"]), text(&wrong["code"])))
            .collect();
        wrong.sort();
        wrong
    }

    /// Errors of the chat interface: never empty, always JSON, the keys in the order that is promised.
    fn assert_envelope(&self) {
        let Self { status, body, .. } = self;
        assert_eq!(self.header("content-type"), "application/json", "{body}");
        let start = format!("{{\"status\":0,\"error_code\":{status},\"error_type\":\"");
        assert!(body.starts_with(&start), "{status}: {body}");
        let keys = ["error_type", "error_description", "errors", "hint"];
        let places: Vec<_> = keys
            .iter()
            .filter_map(|key| body.find(&format!(",\"{key}\":")))
            .collect();
        assert!(places.is_sorted() && places.len() >= 2, "{body}");
        let sentence = self.json["error_description"].as_str().unwrap();
        assert!(!sentence.is_empty(), "{body}");
        let key_count = self.json.as_object().unwrap().len();
        assert_eq!(key_count, places.len() + 2, "no other keys: {body}");
        for wrong in self.json["errors"].as_array().into_iter().flatten() {
            assert!(!wrong["detail"].as_str().unwrap().is_empty(), "{body}");
        }
    }

    /// Errors of the account side: exactly this media type, and the four keys.
    fn assert_problem(&self) {
        let Self { status, body, .. } = self;
        let media_type = self.header("content-type");
        assert_eq!(media_type, "application/problem+json", "{body}");
        let kind = format!("https://httpstatus.es/{status}");
        assert_eq!(self.json["type"], kind.as_str(), "{body}");
        assert_eq!(self.json["status"], *status, "{body}");
        for key in ["title", "detail"] {
            assert!(!self.json[key].as_str().unwrap().is_empty(), "{body}");
        }
        assert_eq!(self.header("cache-control"), "no-store", "{body}");
        assert_eq!(self.header("x-content-type-options"), "nosniff", "{body}");
    }
}
