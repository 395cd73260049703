//! Calls of the account side, and the tokens for them.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::answer::{Answer, Verdict};
use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::forms::set;
use crate::log::log;
use crate::messenger::Messenger;
use crate::service::{Call, CallError, Proof};
use crate::state::Tokens;

/// A token that is younger is not refreshed.
const TOKEN_MIN: Duration = Duration::from_secs(30);
/// The longest pause after tokens were refused, in seconds.
const STOP_MAX: i64 = 3_600;

impl<M: Messenger> Bridge<M> {
    /// Returns the answer. After a 401 it refreshes the tokens, and repeats the call once.
    ///
    /// # Errors
    /// When there is no answer, or there are no tokens.
    pub async fn account_call(
        &self,
        method: Method,
        path: String,
        body: Option<&Value>,
    ) -> Result<Answer, CallError> {
        let access = self.access_token()?;
        let mut call = Call {
            method,
            path,
            body: body.map(Value::to_string),
            proof: Proof::Bearer(access.clone()),
        };
        let answer = self.service.send(&call).await?;
        if answer.status != 401 {
            return Ok(answer);
        }
        call.proof = Proof::Bearer(self.renew(&access).await?);
        self.service.send(&call).await
    }

    fn access_token(&self) -> Result<String, CallError> {
        let account = self.store.account();
        let is_stopped = account.stopped_until > unix_seconds();
        let tokens = account.tokens.as_ref().filter(|_| !is_stopped);
        let access = tokens.map(|it| it.access_token.clone());
        access.ok_or(CallError::AccountStopped)
    }

    /// Returns a token that is newer than this one: one refresh for all calls that got 401 with the same token.
    async fn renew(&self, access: &str) -> Result<String, CallError> {
        let mut last = self.refresh.lock().await;
        let current = self.access_token()?;
        if current != access {
            return Ok(current);
        }
        if last.is_some_and(|at| at.elapsed() < TOKEN_MIN) {
            let why = "a new token is refused, and another refresh would not help";
            return Err(CallError::Lost(why.to_owned()));
        }
        let tokens = self.store.account().tokens.clone();
        let token = tokens.ok_or(CallError::AccountStopped)?.refresh_token;
        let grant = json!({ "grant_type": "refresh_token", "refresh_token": token });
        let answer = self.request_tokens(grant).await?;
        if !answer.is_done() {
            return Err(self.stop_account(&answer).await);
        }
        self.keep_tokens(&answer, None).await;
        *last = Some(Instant::now());
        self.access_token()
    }

    /// Returns new tokens or a refusal.
    ///
    /// # Errors
    /// After anything that may pass by itself.
    pub(crate) async fn request_tokens(&self, mut grant: Value) -> Result<Answer, CallError> {
        let settings = &self.settings;
        set(&mut grant, "client_id", settings.client_id.as_str());
        set(&mut grant, "client_secret", settings.client_secret.as_str());
        let call = Call {
            method: Method::POST,
            path: "/oauth2/access_token".to_owned(),
            body: Some(grant.to_string()),
            proof: Proof::None,
        };
        let answer = self.service.send(&call).await?;
        let is_final = match answer.verdict() {
            Verdict::Done => read_tokens(&answer).is_some(),
            Verdict::Refused => true,
            Verdict::Again => answer.text("/error").as_deref() == Some("invalid_client"),
        };
        if is_final {
            return Ok(answer);
        }
        Err(CallError::Lost(answer.to_string()))
    }

    /// Stores the tokens before they are used: the old refresh token is spent, and a kill must not lose the new one.
    pub(crate) async fn keep_tokens(&self, answer: &Answer, code: Option<String>) {
        let tokens = read_tokens(answer);
        let change = self.store.change_account(|account| {
            account.tokens = tokens;
            account.stopped_until = 0;
            account.exchanged_code = code.or(account.exchanged_code.take());
        });
        change.await;
        self.refusals.set(0);
    }

    async fn stop_account(&self, answer: &Answer) -> CallError {
        let refusals = self.refusals.get();
        self.refusals.set(refusals.saturating_add(1));
        let seconds = STOP_MAX.min(65 << refusals.min(10));
        let until = unix_seconds() + seconds;
        let change = self.store.change_account(|it| it.stopped_until = until);
        change.await;
        log(format!(
            "the account side stops: its tokens are refused, and an administrator has to consent again. {answer}"
        ));
        CallError::AccountStopped
    }

    /// The number of the account, from the claims of its access token, which came from the service itself.
    pub(crate) fn account_number(&self) -> Option<String> {
        let account = self.store.account();
        let tokens = account.tokens.as_ref()?;
        let part = tokens.access_token.split('.').nth(1)?;
        let text = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
        let claims: Value = serde_json::from_slice(&text).ok()?;
        let number = claims.get("account_id")?;
        let text = number.as_str().map(str::to_owned);
        Some(text.unwrap_or_else(|| number.to_string()))
    }
}

fn read_tokens(answer: &Answer) -> Option<Tokens> {
    serde_json::from_value(answer.json()).ok()
}
