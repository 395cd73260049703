//! Every request of the bridge to the service.

use std::time::Duration;

use md5::{Digest as _, Md5};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response};
use thiserror::Error;

use crate::answer::Answer;
use crate::clock::Clock;
use crate::pace::Pace;
use crate::signature::sign;

/// An OAuth code works once: if its answer is given up, an administrator has to agree again.
const TIMEOUT: Duration = Duration::from_secs(30);
const ANSWER_MAX: usize = 4 << 20;
const BACKOFF_MAX: Duration = Duration::from_secs(5);
const JSON: &str = "application/json";

/// The reason why a call has no answer.
#[derive(Debug, Error)]
pub enum CallError {
    /// The service may have done what it was asked for, or not.
    #[error("no whole answer: {0}")]
    Lost(String),
    #[error("the account side has no valid tokens: a person has to consent again")]
    AccountStopped,
}

/// The proof of who asks.
pub enum Proof {
    None,
    /// The signature of the current generation, with this secret.
    Secret(String),
    /// The access token of the account side.
    Bearer(String),
}

/// A request.
pub struct Call {
    pub method: Method,
    /// The path with its query, percent-encoded.
    pub path: String,
    pub body: Option<String>,
    pub proof: Proof,
}

/// The way to the service.
pub struct Service {
    pub client: Client,
    url: String,
    pub clock: Clock,
    pub pace: Pace,
}

impl Service {
    /// # Errors
    /// When there is no HTTP client.
    pub fn new(url: &str, requests_per_second: usize) -> reqwest::Result<Self> {
        // For services with TLS. Another provider may be there already.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            // A signed request is valid at one address.
            .redirect(Policy::none())
            // A connection that has ended meanwhile would look like a lost answer, and a token is refreshed once.
            .pool_max_idle_per_host(0)
            .timeout(TIMEOUT)
            .build()?;
        Ok(Self {
            client,
            url: url.to_owned(),
            clock: Clock::default(),
            pace: Pace::new(requests_per_second),
        })
    }

    /// Returns whether an address is one of the service.
    pub fn has(&self, url: &str) -> bool {
        url.strip_prefix(&self.url)
            .is_some_and(|rest| rest.starts_with('/'))
    }

    /// Returns the whole answer, whatever its status.
    ///
    /// # Errors
    /// When there is none.
    pub async fn send(&self, call: &Call) -> Result<Answer, CallError> {
        let _slot = self.pace.slot().await;
        let _only_one = self.pace.pause().await;
        let answer = self.request(call).await?;
        self.clock.watch(&answer);
        self.pace.watch(&answer, self.clock.now());
        Ok(answer)
    }

    async fn request(&self, call: &Call) -> Result<Answer, CallError> {
        let url = format!("{}{}", self.url, call.path);
        let body = call.body.clone().unwrap_or_default();
        let mut request = self.client.request(call.method.clone(), url);
        request = match &call.proof {
            Proof::None => request.header("Content-Type", JSON),
            Proof::Bearer(token) => request.header("Content-Type", JSON).bearer_auth(token),
            Proof::Secret(secret) => {
                let md5 = hex::encode(Md5::digest(&body));
                let date = self.clock.date();
                let lines = [call.method.as_str(), &md5, JSON, &date, &call.path];
                let signature = sign(secret, lines.join("\n").as_bytes());
                request
                    .header("Content-MD5", md5)
                    .header("Content-Type", JSON)
                    .header("Date", date)
                    .header("X-Signature", signature)
            }
        };
        if call.body.is_some() {
            request = request.body(body);
        }
        let response = request.send().await.map_err(lost)?;
        read(response).await
    }
}

/// Reads an answer. Of a refusal, what there is counts.
async fn read(mut response: Response) -> Result<Answer, CallError> {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    while body.len() < ANSWER_MAX {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) if status < 300 => return Err(lost(error)),
            Err(_) => break,
        }
    }
    Ok(Answer::new(status, headers, body))
}

fn lost(error: reqwest::Error) -> CallError {
    CallError::Lost(format!("{error:?}"))
}

/// The pause before another attempt.
pub fn backoff(tries: u32) -> Duration {
    Duration::from_millis(200)
        .saturating_mul(1 << tries.min(20))
        .min(BACKOFF_MAX)
}
