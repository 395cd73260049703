//! Installing and uninstalling the bridge in the account.

use std::time::Duration;

use anyhow::Result;
use hyper::StatusCode;
use serde_json::json;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::log::log;
use crate::messenger::Messenger;
use crate::page::Query;
use crate::service::backoff;
use crate::signature::is_uninstall_signed;

/// The most bytes of an authorization code.
const CODE_MAX: usize = 4_096;

impl<M: Messenger> Bridge<M> {
    /// Answers a GET: the report of an uninstallation, or the browser with a code.
    pub(crate) async fn on_browser(&self, query: Query<'_>) -> (StatusCode, &'static str) {
        if let Some(signature) = query.value("signature") {
            return (self.on_uninstall(query, &signature).await, "");
        }
        let code = query.value("code").filter(|it| it.len() <= CODE_MAX);
        // Without a client there is nothing to exchange a code for.
        let Some(code) = code.filter(|_| !self.settings.client_id.is_empty()) else {
            return (StatusCode::NOT_FOUND, "");
        };
        self.store.change_account(|it| it.code = Some(code)).await;
        self.has_code.notify_one();
        (StatusCode::OK, "The program is installed in the account.")
    }

    async fn on_uninstall(&self, query: Query<'_>, signature: &str) -> StatusCode {
        let account = query.value("account_id").unwrap_or_default();
        let client = &self.settings.client_id;
        let text = format!("{client}|{account}");
        let is_signed = is_uninstall_signed(&self.settings.client_secret, &text, signature);
        if !is_signed || query.value("client_uuid").as_ref() != Some(client) {
            return StatusCode::FORBIDDEN;
        }
        if self.account_number().is_none_or(|it| it == account) {
            let change = self.store.change_account(|account| {
                account.is_uninstalled = true;
                account.tokens = None;
                account.exchanged_code = None;
            });
            change.await;
            log(
                "the account has uninstalled the program: nothing is sent until it is installed again",
            );
        }
        StatusCode::OK
    }

    /// Installs the bridge with each code that comes.
    pub(crate) async fn install_forever(&self) {
        let first = self.settings.code.clone();
        if first.is_some() && first != self.store.account().first_code {
            let change = self.store.change_account(|account| {
                account.first_code.clone_from(&first);
                account.code = first;
            });
            change.await;
        }
        let mut tries = 0;
        loop {
            let code = self.store.account().code.clone();
            let Some(code) = code else {
                tries = 0;
                self.has_code.notified().await;
                continue;
            };
            let outcome = {
                let _task = self.task();
                self.install(code).await
            };
            match outcome {
                Ok(()) => tries = 0,
                Err(why) => {
                    log(format!("the code is exchanged later: {why}"));
                    sleep(backoff(tries)).await;
                    tries += 1;
                }
            }
        }
    }

    /// Exchanges the code, once, and connects the account again if it had uninstalled the bridge.
    async fn install(&self, code: String) -> Result<()> {
        if self.store.account().exchanged_code.as_ref() != Some(&code) {
            let redirect_uri = &self.settings.redirect_uri;
            let grant = json!({ "grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri });
            let answer = self.request_tokens(grant).await?;
            if !answer.is_done() {
                log(format!(
                    "the account side has no tokens: the service refuses the code. {answer}"
                ));
                self.end_code(&code).await;
                // Strangers with codes must not use up the requests.
                sleep(Duration::from_secs(1)).await;
                return Ok(());
            }
            self.keep_tokens(&answer, Some(code.clone())).await;
        }
        if self.store.account().is_uninstalled {
            self.connect().await?;
        }
        let change = self.store.change_account(|it| it.is_uninstalled = false);
        change.await;
        self.end_code(&code).await;
        Ok(())
    }

    /// Another code may have come meanwhile.
    async fn end_code(&self, code: &str) {
        let change = self.store.change_account(|account| {
            account.code.take_if(|it| it.as_str() == code);
        });
        change.await;
    }
}
