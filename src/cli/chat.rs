//! The chat interface as commands speak it that play the integration: where it is, and requests signed as the channel
//! takes them.

mod answer;
mod signed;

use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use reqwest::Client;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::domain::signature::Signer;
use tokio::sync::Mutex;
use url::Url;

pub(super) use self::answer::ServiceAnswer;
use super::key::KeyArgs;
use super::output::CommandFailure;
use super::secret::SecretInDoubt;
use super::url::{UrlArgs, no_default};
use super::web::{client, unreachable};

/// Where the path of every operation begins.
const PREFIX: &str = "v2/origin/custom";

/// Where the messages go, and who signs them.
#[derive(Debug, Args)]
pub(super) struct ChatArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// The account that receives the messages [default: the first of the configuration]
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
    #[command(flatten)]
    key: KeyArgs,
}

impl ChatArgs {
    /// Takes from the flags what they give, and the rest from the configuration. A `scope` outranks both.
    pub(super) fn chat(
        &self,
        scope: Option<&ScopeId>,
        timeout: Duration,
    ) -> Result<Chat, CommandFailure> {
        let channel = scope.map(ScopeId::channel).or(self.key.channel.as_ref());
        let account = scope.map(ScopeId::account).or(self.account);
        let given = self.url.given().is_some()
            && account.is_some()
            && self.key.secret.is_some()
            && channel.is_some();
        let settings = if given { None } else { self.key.settings()? };
        let settings = settings.as_ref();
        let url = self.url.or_configured(settings)?;
        let declared = self.key.declared(channel, settings)?;
        let account = account.or_else(|| Some(settings?.accounts.first()?.id));
        let account = account.ok_or_else(|| no_default("no account to send to", "--account"))?;
        let channel = channel.or_else(|| Some(&declared?.id));
        let channel =
            channel.ok_or_else(|| no_default("no channel to send through", "--channel"))?;
        let secret = self.key.secret(declared)?;
        // Another service has another operator.
        let its_own = settings.filter(|settings| settings.service_url().as_ref() == Some(&url));
        Ok(Chat {
            client: client(timeout)?,
            signer: Signer::new(&secret),
            scope: ScopeId::new(channel.clone(), account),
            secret: SecretInDoubt::new(&self.key, &secret, Some(channel.clone()), its_own),
            url,
            taken: Mutex::new(None),
        })
    }
}

/// Posts to the chat interface of one service, for one account in one channel.
pub(super) struct Chat {
    client: Client,
    url: Url,
    scope: ScopeId,
    signer: Signer,
    secret: SecretInDoubt,
    /// The generation that the channel took last.
    taken: Mutex<Option<Generation>>,
}

/// What a request may be signed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum As {
    /// As a request of either generation: it says the same in both.
    Either,
    /// As one of the current generation only: the other one does not know what it says.
    Current,
}

impl Chat {
    /// The service.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The account in the channel.
    pub(super) fn scope(&self) -> &ScopeId {
        &self.scope
    }

    /// Connects the account to the channel.
    pub(super) async fn connect(&self, version: &str) -> Result<ServiceAnswer, CommandFailure> {
        let body = serde_json::json!({
            "account_id": self.scope.account(),
            "hook_api_version": version,
        });
        let path = format!("{PREFIX}/{}/connect", self.scope.channel());
        let answer = self.post(&path, &body.to_string().into(), As::Either).await;
        answer.map_err(|error| unreachable(&self.url, &error))
    }

    /// Sends a body of the send operation.
    pub(super) async fn send(
        &self,
        body: &Bytes,
        signed: As,
    ) -> Result<ServiceAnswer, reqwest::Error> {
        let path = format!("{PREFIX}/{}", self.scope);
        self.post(&path, body, signed).await
    }

    /// Posts a body; one whose signature is refused is signed once more, as the other generation has it.
    async fn post(
        &self,
        path: &str,
        body: &Bytes,
        signed: As,
    ) -> Result<ServiceAnswer, reqwest::Error> {
        let known = *self.taken.lock().await;
        if let Some(generation) = known.filter(|known| signed.allows(*known)) {
            let answer = self.signed(path, body, generation).await?;
            if !answer.refuses_the_signature() {
                return Ok(answer);
            }
        }
        // One request finds out for all that are in progress: each try that fails is a wrong signature to the service.
        let mut taken = self.taken.lock().await;
        let mut answer = self.signed(path, body, Generation::Current).await?;
        let mut generation = Generation::Current;
        if answer.refuses_the_signature() && signed.allows(Generation::V2019) {
            let other = self.signed(path, body, Generation::V2019).await?;
            // The service has more to say of what is wrong with a signature of the current generation.
            if !other.refuses_the_signature() {
                (answer, generation) = (other, Generation::V2019);
            }
        }
        if answer.proves_the_signature() {
            *taken = Some(generation);
        }
        Ok(answer)
    }

    async fn signed(
        &self,
        path: &str,
        body: &Bytes,
        generation: Generation,
    ) -> Result<ServiceAnswer, reqwest::Error> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", url.path()));
        let mut request = self.client.post(url.clone()).body(body.clone());
        for (name, value) in signed::headers(&self.signer, generation, &url, body) {
            request = request.header(name, value);
        }
        ServiceAnswer::read(request.send().await?).await
    }

    /// What is wrong with the secret, when an answer refuses the signature.
    pub(super) async fn wrong_secret(&self, answer: &ServiceAnswer) -> Option<String> {
        if answer.refuses_the_signature() {
            self.secret.explained().await
        } else {
            None
        }
    }
}

impl As {
    fn allows(self, generation: Generation) -> bool {
        self == Self::Either || generation == Generation::Current
    }
}
