//! The orders that the double of Telegram takes.

use std::time::Duration;

use reqwest::{Client, Method};
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

use super::settings::ExamSettings;

const TIMEOUT: Duration = Duration::from_secs(30);
/// The methods that show something, which a slow messenger slows.
const SENDS: [&str; 8] = [
    "sendMessage",
    "sendPhoto",
    "sendDocument",
    "sendVideo",
    "sendAudio",
    "sendVoice",
    "sendLocation",
    "sendContact",
];

/// The reason why an order is not done.
#[derive(Debug, Error)]
pub(crate) enum OrderError {
    #[error("the double of Telegram refuses {path}: {answer}")]
    Refused { path: String, answer: String },
    #[error("the double of Telegram gives no answer: {0}")]
    Lost(#[from] reqwest::Error),
}

/// The double.
pub(super) struct Double {
    client: Client,
    url: String,
    token: String,
    pub(super) bot: i64,
}

/// A chat of the bot, as people see it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ShownChat {
    pub(super) id: i64,
    pub(super) messages: Vec<ShownMessage>,
}

/// A message in a chat.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ShownMessage {
    pub(super) message_id: i64,
    /// The moment, in milliseconds.
    pub(super) at: i64,
    /// The person; none for the bot.
    pub(super) from: Option<i64>,
    content: Value,
}

impl ShownMessage {
    /// The text or the caption.
    pub(super) fn text(&self) -> &str {
        let text = self
            .content
            .get("text")
            .or_else(|| self.content.get("caption"));
        text.and_then(Value::as_str).unwrap_or_default()
    }
}

impl Double {
    pub(super) fn new(settings: &ExamSettings, bot: i64) -> reqwest::Result<Self> {
        let client = Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        Ok(Self {
            client,
            url: settings.url.clone(),
            token: settings.token.clone(),
            bot,
        })
    }

    async fn order(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, OrderError> {
        let url = format!("{}/double/{path}", self.url);
        let mut request = self.client.request(method, url);
        if let Some(body) = body {
            request = request
                .header("Content-Type", "application/json")
                .body(body.to_string());
        }
        let response = request.send().await?;
        let is_done = response.status().is_success();
        let answer = response.text().await?;
        if !is_done {
            let path = path.to_owned();
            return Err(OrderError::Refused { path, answer });
        }
        Ok(serde_json::from_str(&answer).unwrap_or_default())
    }

    async fn post(&self, path: &str, body: Value) -> Result<Value, OrderError> {
        self.order(Method::POST, path, Some(body)).await
    }

    /// Registers the bot. One that is registered goes on.
    pub(super) async fn register(&self) -> Result<(), OrderError> {
        let body = json!({ "token": self.token });
        self.post("bots", body).await.map(drop)
    }

    /// Adds a person who has opened the chat with the bot.
    pub(super) async fn add_person(&self, id: i64, name: &str) -> Result<(), OrderError> {
        self.post("people", json!({ "id": id, "first_name": name }))
            .await?;
        self.post("start", json!({ "bot": self.bot, "from": id }))
            .await
            .map(drop)
    }

    /// Lets a person share a phone number.
    pub(super) async fn share_phone(&self, id: i64, phone: &str) -> Result<(), OrderError> {
        let body = json!({ "bot": self.bot, "from": id, "phone_number": phone });
        self.post("share_contact", body).await.map(drop)
    }

    /// Lets a person write. Returns the number of the update.
    pub(super) async fn say(&self, from: i64, text: &str) -> Result<i64, OrderError> {
        let body = json!({ "bot": self.bot, "from": from, "text": text });
        let answer = self.post("say", body).await?;
        let number = answer.get("update_id").and_then(Value::as_i64);
        number.ok_or_else(|| OrderError::Refused {
            path: "say".to_owned(),
            answer: "the bot gets no update of it".to_owned(),
        })
    }

    /// Lets each message to a person take so long from now on.
    pub(super) async fn slow_down(&self, time: Duration) -> Result<(), OrderError> {
        let path = format!("faults?bot={}", self.bot);
        self.order(Method::DELETE, &path, None).await?;
        if time.is_zero() {
            return Ok(());
        }
        let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        for method in SENDS {
            let fault = json!({
                "kind": { "slow": { "millis": millis } }, "bot": self.bot, "method": method, "count": u32::MAX,
            });
            self.post("faults", fault).await?;
        }
        Ok(())
    }

    /// The chats of the bot.
    pub(super) async fn chats(&self) -> Result<Vec<ShownChat>, OrderError> {
        let path = format!("state?bot={}", self.bot);
        let mut world = self.order(Method::GET, &path, None).await?;
        let chats = world.pointer_mut("/bots/0/chats").map(Value::take);
        Ok(serde_json::from_value(chats.unwrap_or_default()).unwrap_or_default())
    }
}
