//! Calls of the chat interface, which are signed.

use reqwest::Method;
use serde_json::json;

use crate::answer::Answer;
use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::log::log;
use crate::service::{Call, CallError, Proof};

/// The seconds for which a secret that was changed is valid.
const SECRET_SECONDS: i64 = 86_400;

impl Bridge {
    /// Remembers the secrets of the environment: two are valid during a rotation, so those before are kept for a day.
    pub(crate) async fn remember_secrets(&self) {
        let secrets = self.settings.secrets.clone();
        let before = self.store.state().account.secrets.clone();
        if before != secrets {
            let change = self.store.change_account(|account| {
                account.secrets = secrets;
                account.secrets_before = before;
                account.secrets_changed_at = unix_seconds();
            });
            change.await;
        }
    }

    /// The secrets of the channel that are valid.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let mut secrets = self.settings.secrets.clone();
        let state = self.store.state();
        let account = &state.account;
        if unix_seconds() < account.secrets_changed_at + SECRET_SECONDS {
            let before = account.secrets_before.iter();
            let others = before.filter(|it| !self.settings.secrets.contains(it));
            secrets.extend(others.cloned());
        }
        secrets
    }

    /// Returns the answer to a signed request. The path is percent-encoded.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn chat_call(&self, path: String, body: &str) -> Result<Answer, CallError> {
        let (secrets, number) = (self.secrets(), self.signing_secret.get());
        let secret = secrets.get(number).or(secrets.first()).cloned();
        let call = Call {
            method: Method::POST,
            path,
            body: Some(body.to_owned()),
            proof: Proof::Secret(secret.unwrap_or_default()),
        };
        let answer = self.service.send(&call).await?;
        if answer.status == 403 && answer.is_json() && answer.date_refusal().is_none() {
            log(format!("the service refuses the signature: {answer}"));
            if secrets.len() > 1 && self.signing_secret.get() == number {
                // The rotation is over.
                self.signing_secret.set((number + 1) % secrets.len());
            }
        }
        Ok(answer)
    }

    /// Connects the account to the channel.
    ///
    /// # Errors
    /// When the service does not do it.
    pub(crate) async fn connect(&self) -> Result<(), CallError> {
        let body = json!({ "account_id": self.settings.account_id, "title": "Bridge", "hook_api_version": "v2" });
        let path = format!("/v2/origin/custom/{}/connect", self.settings.channel_id);
        let answer = self.chat_call(path, &body.to_string()).await?;
        if answer.is_done() {
            return Ok(());
        }
        Err(CallError::Lost(format!(
            "the account is not connected: {answer}"
        )))
    }
}
