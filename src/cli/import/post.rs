//! Posts one message, patiently: a service that is busy or being restarted is asked again.

use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::signature::{ChannelSecret, HEADER, Signer};
use url::Url;

use super::super::output::Failure;
use super::super::web::{causes, client};

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long a message is tried when nothing gets through.
const PATIENCE: Duration = Duration::from_secs(60);
/// The first and the longest pause between two tries.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];
/// An answer of the chat interface is small; more is not read.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Posted {
    /// It is on disk.
    Stored,
    /// It was there before.
    Repeated,
    /// One of its id was there before, with other content.
    Differs,
    /// The service refuses it, for these reasons.
    Refused(Vec<String>),
}

/// Posts messages to one scope.
pub(super) struct Poster {
    client: Client,
    url: Url,
    signer: Signer,
}

enum Answer {
    Final(Posted),
    /// Not now; after this long it may work.
    Later(String, Option<Duration>),
}

impl Poster {
    pub(super) fn new(
        service: &Url,
        scope: &ScopeId,
        secret: &ChannelSecret,
    ) -> Result<Self, Failure> {
        let url = service.join(&format!("v2/origin/custom/{scope}"));
        Ok(Self {
            client: client(TIMEOUT)?,
            url: url.map_err(|error| {
                Failure::Usage(format!("--url cannot be joined with a path: {error}"))
            })?,
            signer: Signer::new(secret),
        })
    }

    /// Posts a message until there is an answer to it.
    pub(super) async fn post(&self, body: Bytes) -> Result<Posted, Failure> {
        let [mut pause, longest] = PAUSES;
        let begun = Instant::now();
        loop {
            let (why, wanted) = match self.attempt(body.clone()).await? {
                Answer::Final(posted) => return Ok(posted),
                Answer::Later(why, wanted) => (why, wanted),
            };
            let wait = wanted.unwrap_or(pause).min(longest);
            if begun.elapsed().saturating_add(wait) > PATIENCE {
                return Err(Failure::Failed(why));
            }
            tokio::time::sleep(wait).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    }

    async fn attempt(&self, body: Bytes) -> Result<Answer, Failure> {
        let signature = self.signer.sign(&body).to_string();
        let request = self
            .client
            .post(self.url.clone())
            .header("Content-Type", "application/json")
            .header(HEADER, signature)
            .body(body);
        let unreachable = |error: reqwest::Error| {
            Answer::Later(
                format!("cannot reach {}: {}", self.url, causes(&error)),
                None,
            )
        };
        let mut response = match request.send().await {
            Ok(response) => response,
            Err(error) => return Ok(unreachable(error)),
        };
        let status = response.status();
        let header = |name| {
            let value: Option<&reqwest::header::HeaderValue> = response.headers().get(name);
            value.and_then(|value| value.to_str().ok())
        };
        let repeated = header("Idempotent-Replayed") == Some("true");
        let wanted = header("Retry-After").and_then(|text| text.parse().ok());
        let mut answer = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if answer.len() < ANSWER_BYTES_MAX => {
                    answer.extend_from_slice(&chunk);
                }
                Ok(_) => break,
                Err(error) => return Ok(unreachable(error)),
            }
        }
        let answer = serde_json::from_slice(&answer).unwrap_or_default();
        understood(status, repeated, wanted.map(Duration::from_secs), &answer)
    }
}

fn understood(
    status: StatusCode,
    repeated: bool,
    wanted: Option<Duration>,
    answer: &Value,
) -> Result<Answer, Failure> {
    let told = || {
        let word = |key| answer.get(key).and_then(Value::as_str);
        let sentence = word("error_description").unwrap_or("no reason was given");
        let mut told = format!("the service answered {}: {sentence}", status.as_u16());
        if let Some(hint) = word("hint") {
            told.push_str(&format!("\n  hint: {hint}"));
        }
        told
    };
    Ok(match status {
        StatusCode::OK if repeated => Answer::Final(Posted::Repeated),
        StatusCode::OK => Answer::Final(Posted::Stored),
        StatusCode::CONFLICT => Answer::Final(Posted::Differs),
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => {
            Answer::Final(Posted::Refused(wrong(answer, told)))
        }
        StatusCode::NOT_FOUND => {
            return Err(Failure::Failed(format!(
                "{}; is the account connected to the channel? `switchboard send` connects it",
                told()
            )));
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            Answer::Later(told(), wanted)
        }
        status if status.is_server_error() => Answer::Later(told(), wanted),
        _ => return Err(Failure::Failed(told())),
    })
}

/// Every wrong field, or the sentence when none is named.
fn wrong(answer: &Value, told: impl Fn() -> String) -> Vec<String> {
    let errors = answer.get("errors").and_then(Value::as_array);
    let text = |error: &Value, key: &str| {
        let text = error.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let errors = errors.into_iter().flatten().map(|error| {
        let (path, code) = (text(error, "path"), text(error, "code"));
        format!("{path} ({code}): {}", text(error, "detail"))
    });
    let all: Vec<_> = errors.collect();
    if all.is_empty() { vec![told()] } else { all }
}
