//! The calls.

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use switchboard_bridge_core::forms::set;
use thiserror::Error;
use url::Url;

use super::ALLOWED_UPDATES;
use super::body::{Attachment, form};
use super::download::Download;
use super::error::{ApiError, Refusal};
use super::token::Token;
use super::types::{File, ProfilePhotos, lenient, lenient_text};
use crate::words::beginning;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The time by which an answer to a poll may be late.
const POLL_MARGIN: Duration = Duration::from_secs(15);
/// The slowest upload that is waited for, in bytes a second.
const UPLOAD_RATE_MIN: u64 = 64 << 10;
/// A connection that Telegram has ended meanwhile would look like a lost answer.
const IDLE_MAX: Duration = Duration::from_secs(15);
/// The largest answer: 100 updates.
const ANSWER_MAX: usize = 16 << 20;
const DESCRIPTION_MAX: usize = 300;
/// The longest wait that Telegram may demand, in seconds.
const RETRY_AFTER_MAX: u64 = 86_400;
/// The signs of a path that are written as they are.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

/// The reason why there is no client.
#[derive(Debug, Error)]
pub enum SettingsError {
    #[error(
        "the address of the Bot API has to begin with «https://» or «http://», as «https://api.telegram.org» does"
    )]
    Address,
    #[error("there is no HTTP client: {0}")]
    Client(String),
}

/// The way to a Bot API.
#[derive(Clone, Debug)]
pub struct ApiSettings {
    pub token: Token,
    /// The address of the server: `https://api.telegram.org`, or that of one's own.
    pub url: String,
    /// The address that files are fetched from, when it is another one.
    pub file_url: Option<String>,
    /// True for the test network of Telegram.
    pub is_test: bool,
}

/// The bot itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct BotInfo {
    #[serde(deserialize_with = "lenient")]
    pub id: i64,
    #[serde(deserialize_with = "lenient_text")]
    pub username: String,
    #[serde(deserialize_with = "lenient_text")]
    pub first_name: String,
    /// True when the bot gets every message of its groups.
    #[serde(deserialize_with = "lenient")]
    pub can_read_all_group_messages: bool,
}

/// The webhook of the bot, which keeps it from being polled.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WebhookInfo {
    /// Empty when there is none. It may hold a secret of another program.
    #[serde(deserialize_with = "lenient_text")]
    pub url: String,
    #[serde(deserialize_with = "lenient")]
    pub pending_update_count: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope {
    #[serde(deserialize_with = "lenient")]
    ok: bool,
    result: Value,
    #[serde(deserialize_with = "lenient")]
    error_code: u16,
    #[serde(deserialize_with = "lenient_text")]
    description: String,
    #[serde(deserialize_with = "lenient")]
    parameters: Parameters,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Parameters {
    #[serde(deserialize_with = "lenient")]
    retry_after: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    migrate_to_chat_id: Option<i64>,
}

impl Envelope {
    /// Reads an answer; `None` when it is no object.
    fn read(body: &[u8]) -> Option<Self> {
        let answer: Value = serde_json::from_slice(body).ok()?;
        Self::deserialize(Some(answer).filter(Value::is_object)?).ok()
    }
}

/// The client of a bot.
#[derive(Debug)]
pub struct Api {
    client: Client,
    settings: ApiSettings,
}

impl Api {
    /// Builds a client. It needs the crypto provider of the process to be installed.
    ///
    /// # Errors
    /// When an address is none of the web, or there is no HTTP client.
    pub fn new(settings: ApiSettings) -> Result<Self, SettingsError> {
        for address in [Some(&settings.url), settings.file_url.as_ref()]
            .into_iter()
            .flatten()
        {
            let url = Url::parse(address).ok();
            let is_web =
                url.is_some_and(|it| matches!(it.scheme(), "http" | "https") && it.has_host());
            if !is_web {
                return Err(SettingsError::Address);
            }
        }
        let client = Client::builder()
            // The token is in the address: no redirect carries it elsewhere.
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_MAX)
            .build()
            .map_err(|error| SettingsError::Client(error.without_url().to_string()))?;
        Ok(Self { client, settings })
    }

    /// The id of the bot.
    #[must_use]
    pub fn bot(&self) -> i64 {
        self.settings.token.bot()
    }

    /// Returns the bot itself.
    ///
    /// # Errors
    /// When the call has no result.
    pub async fn get_me(&self) -> Result<BotInfo, ApiError> {
        self.call("getMe", &json!({})).await
    }

    /// Returns the largest form of a person's avatar that can be fetched; `None` when they have none, or hide it.
    ///
    /// # Errors
    /// When the call has no result.
    pub async fn get_avatar(&self, person: i64, bytes_max: u64) -> Result<Option<File>, ApiError> {
        let params = json!({ "user_id": person, "limit": 1 });
        let answer: ProfilePhotos = self.call("getUserProfilePhotos", &params).await?;
        let sizes = answer.photos.into_iter().next().unwrap_or_default();
        let fitting = sizes.into_iter().filter(|it| {
            it.file_size.is_none_or(|size| size <= bytes_max) && !it.file_id.is_empty()
        });
        Ok(fitting.max_by_key(|it| it.width.saturating_mul(it.height)))
    }

    /// Returns the webhook that is set.
    ///
    /// # Errors
    /// When the call has no result.
    pub async fn get_webhook_info(&self) -> Result<WebhookInfo, ApiError> {
        self.call("getWebhookInfo", &json!({})).await
    }

    /// Ends the webhook. Updates that wait stay.
    ///
    /// # Errors
    /// When the call has no result.
    pub async fn delete_webhook(&self) -> Result<(), ApiError> {
        let params = json!({ "drop_pending_updates": false });
        self.call::<Value>("deleteWebhook", &params).await.map(drop)
    }

    /// Waits for updates from an offset on. They are not read here, so that each can be stored as it came.
    ///
    /// # Errors
    /// When the call has no result.
    pub async fn get_updates(
        &self,
        offset: Option<i64>,
        wait: Duration,
    ) -> Result<Vec<Value>, ApiError> {
        let mut params =
            json!({ "limit": 100, "timeout": wait.as_secs(), "allowed_updates": ALLOWED_UPDATES });
        if let Some(offset) = offset {
            set(&mut params, "offset", offset);
        }
        let request = self
            .request_with("getUpdates", &params)
            .timeout(wait.saturating_add(POLL_MARGIN));
        self.result(request).await
    }

    /// Answers the press of a button, which ends its spinning. The text is empty for none.
    ///
    /// # Errors
    /// When the call has no result: after some seconds the press is too old.
    pub async fn answer_callback_query(&self, query: &str, text: &str) -> Result<(), ApiError> {
        let params = json!({ "callback_query_id": query, "text": text });
        self.call::<Value>("answerCallbackQuery", &params)
            .await
            .map(drop)
    }

    /// Makes a call that sends, changes or deletes something, and returns its result.
    ///
    /// # Errors
    /// When the call has no result.
    pub async fn send(
        &self,
        method: &str,
        params: &Value,
        file: Option<&Attachment>,
    ) -> Result<Value, ApiError> {
        let Some(file) = file else {
            return self.call(method, params).await;
        };
        let form = form(params, file)
            .ok_or_else(|| ApiError::Unreachable("the system has no randomness".to_owned()))?;
        let size = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
        let patience = CALL_TIMEOUT.saturating_add(Duration::from_secs(size / UPLOAD_RATE_MIN));
        let request = self
            .request(method)
            .header(CONTENT_TYPE, form.content_type)
            .body(form.body);
        self.result(request.timeout(patience)).await
    }

    /// Begins to fetch a file of a message, of at most so many bytes.
    ///
    /// # Errors
    /// When Telegram has no such file any more, or it is too large.
    pub async fn download(&self, file_id: &str, bytes_max: u64) -> Result<Download, ApiError> {
        let file: Value = self.call("getFile", &json!({ "file_id": file_id })).await?;
        let path = file
            .get("file_path")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let is_odd =
            path.is_empty() || path.starts_with('/') || path.split('/').any(|part| part == "..");
        if is_odd {
            let why = "the path of the file is none below the server: a server of one's own has to run without --local";
            return Err(ApiError::Lost(why.to_owned()));
        }
        let settings = &self.settings;
        let base = settings.file_url.as_ref().unwrap_or(&settings.url);
        let words = [
            base.trim_end_matches('/'),
            "/file/bot",
            settings.token.text(),
            self.network(),
            "/",
        ];
        let address = words.concat() + &utf8_percent_encode(path, PATH).to_string();
        let sending = self.client.get(address).send();
        let response = match tokio::time::timeout(CALL_TIMEOUT, sending).await {
            Ok(outcome) => outcome.map_err(ApiError::from_request)?,
            Err(_) => return Err(ApiError::Lost("the file does not begin to come".to_owned())),
        };
        match response.status().as_u16() {
            200 => Ok(Download::new(response, bytes_max)),
            code => Err(self.refusal(code, Envelope::default())),
        }
    }

    async fn call<T: DeserializeOwned>(&self, method: &str, params: &Value) -> Result<T, ApiError> {
        let request = self.request_with(method, params).timeout(CALL_TIMEOUT);
        self.result(request).await
    }

    fn request_with(&self, method: &str, params: &Value) -> RequestBuilder {
        let body = params.to_string();
        self.request(method)
            .header(CONTENT_TYPE, "application/json")
            .body(body)
    }

    fn network(&self) -> &'static str {
        if self.settings.is_test { "/test" } else { "" }
    }

    fn request(&self, method: &str) -> RequestBuilder {
        let (base, token) = (
            self.settings.url.trim_end_matches('/'),
            self.settings.token.text(),
        );
        let network = self.network();
        self.client
            .post(format!("{base}/bot{token}{network}/{method}"))
    }

    async fn result<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ApiError> {
        let response = request.send().await.map_err(ApiError::from_request)?;
        let status = response.status().as_u16();
        let body = read(response).await;
        let envelope = body.as_ref().ok().and_then(|it| Envelope::read(it));
        match (envelope, body) {
            (Some(envelope), _) if envelope.ok => {
                serde_json::from_value(envelope.result).map_err(|error| {
                    ApiError::Lost(
                        self.settings
                            .token
                            .redact(&format!("it cannot be read: {error}")),
                    )
                })
            }
            (Some(envelope), _) => Err(self.refusal(status, envelope)),
            // A page of a gateway: a status says enough.
            (None, _) if status >= 300 => Err(self.refusal(status, Envelope::default())),
            (None, Ok(_)) => Err(ApiError::Lost("it is no answer of the Bot API".to_owned())),
            (None, Err(error)) => Err(error),
        }
    }

    fn refusal(&self, status: u16, envelope: Envelope) -> ApiError {
        let code = if envelope.error_code == 0 {
            status
        } else {
            envelope.error_code
        };
        let description = self.settings.token.redact(&envelope.description);
        ApiError::Refused(Refusal {
            code,
            description: beginning(&description, DESCRIPTION_MAX).to_owned(),
            retry_after: envelope
                .parameters
                .retry_after
                .map(|seconds| Duration::from_secs(seconds.min(RETRY_AFTER_MAX))),
            migrate_to: envelope.parameters.migrate_to_chat_id,
        })
    }
}

/// Reads an answer of bounded size.
async fn read(mut response: Response) -> Result<Vec<u8>, ApiError> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| ApiError::Lost(super::error::describe(error)))?
    {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER_MAX {
            return Err(ApiError::Lost("it is larger than any answer".to_owned()));
        }
    }
    Ok(body)
}
