//! Calls of the chat interface, which are signed.

use std::rc::Rc;

use anyhow::Result;
use reqwest::Method;
use serde_json::json;
use thiserror::Error;
use tokio::time::sleep;

use crate::answer::{Answer, Verdict};
use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::log::log;
use crate::messenger::Messenger;
use crate::posts::quoted;
use crate::service::{Call, CallError, Proof, backoff};

/// The seconds for which a secret that was changed is valid.
const SECRET_SECONDS: i64 = 86_400;

/// The reason why the account is not connected.
#[derive(Debug, Error)]
pub(crate) enum ConnectError {
    /// It may pass by itself.
    #[error("the account is not connected: {0}")]
    Lost(String),
    #[error(
        "the service refuses to connect the account to the channel: {0}. Check the id and the secret of the channel, and the id of the account"
    )]
    Refused(String),
}

impl<M: Messenger> Bridge<M> {
    /// Remembers the secrets of the environment: two are valid during a rotation, so those before are kept for a day.
    pub(crate) async fn remember_secrets(&self) {
        let secrets = self.settings.secrets.clone();
        let before = self.store.account().secrets.clone();
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
        let account = self.store.account();
        if unix_seconds() < account.secrets_changed_at + SECRET_SECONDS {
            let before = account.secrets_before.iter();
            let others = before.filter(|it| !self.settings.secrets.contains(it));
            secrets.extend(others.cloned());
        }
        // With an empty key anybody could sign.
        secrets.retain(|it| !it.is_empty());
        secrets
    }

    /// Returns the answer to a signed request. The path is percent-encoded.
    ///
    /// # Errors
    /// When there is none.
    pub async fn chat_call(&self, path: String, body: &str) -> Result<Answer, CallError> {
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

    /// Connects the account at a start: a wrong secret or channel is said at once. Without an answer the bridge begins, and tries
    /// until it is connected.
    ///
    /// # Errors
    /// When the service refuses it.
    pub(crate) async fn connect_first(self: &Rc<Self>) -> Result<()> {
        let mut outcome = self.connect().await;
        if let Err(ConnectError::Refused(_)) = &outcome {
            // The clock or the secret that the refusal is about may be another one now.
            outcome = self.connect().await;
        }
        match outcome {
            Ok(()) => Ok(()),
            Err(error @ ConnectError::Refused(_)) => Err(error.into()),
            Err(ConnectError::Lost(why)) => {
                log(format!("the account is connected later: {why}"));
                let bridge = Rc::clone(self);
                tokio::task::spawn_local(async move { bridge.connect_until_done().await });
                Ok(())
            }
        }
    }

    async fn connect_until_done(&self) {
        let mut tries = 0;
        loop {
            sleep(backoff(tries)).await;
            match self.connect().await {
                Ok(()) => return,
                Err(why) => log(why),
            }
            tries += 1;
        }
    }

    /// Connects the account to the channel. Nothing changes if it is already.
    ///
    /// # Errors
    /// When the service does not do it.
    pub(crate) async fn connect(&self) -> Result<(), ConnectError> {
        let settings = &self.settings;
        let body = json!({ "account_id": settings.account_id, "title": settings.title, "hook_api_version": "v2" });
        let path = format!("/v2/origin/custom/{}/connect", quoted(&settings.channel_id));
        let answer = self
            .chat_call(path, &body.to_string())
            .await
            .map_err(|error| ConnectError::Lost(error.to_string()))?;
        let is_about_secrets = answer.status == 403 && answer.is_json();
        match answer.verdict() {
            Verdict::Done => {
                self.is_connected.set(true);
                Ok(())
            }
            Verdict::Again if !is_about_secrets => Err(ConnectError::Lost(answer.to_string())),
            Verdict::Again | Verdict::Refused => Err(ConnectError::Refused(answer.to_string())),
        }
    }
}
