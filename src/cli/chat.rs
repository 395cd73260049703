//! The chat interface as commands speak it that play the integration: where it is, and requests signed as the channel
//! takes them.

mod answer;
mod signed;

use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use reqwest::{Client, StatusCode};
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::domain::signature::Signer;
use tokio::sync::Mutex;
use url::Url;

pub(super) use self::answer::ServiceAnswer;
use super::given::{Given, given, parsed};
use super::key::KeyArgs;
use super::output::{CommandFailure, print};
use super::secret::SecretInDoubt;
use super::url::UrlArgs;
use super::web::{client, unreachable};
use crate::config::Settings;
use crate::config::program::command;
use crate::variables;

/// Where the path of every operation begins.
const PREFIX: &str = "v2/origin/custom";

/// Where the messages go, and who signs them.
#[derive(Debug, Args)]
pub(super) struct ChatArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// The account that receives the messages [default: the first of the configuration]
    #[arg(
        long,
        value_name = "ID",
        env = variables::ACCOUNT_ID,
        value_parser = given(parsed::<AccountId>)
    )]
    account: Option<Given<AccountId>>,
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
        scope.map_or(Ok(()), |scope| self.agrees(scope))?;
        let named = self.key.channel.as_ref().map(|it| &it.value);
        let channel = scope.map(ScopeId::channel).or(named);
        let named = self.account.as_ref().map(|it| it.value);
        let account = scope.map(ScopeId::account).or(named);
        let given = self.url.given().is_some()
            && account.is_some()
            && self.key.secret.is_some()
            && channel.is_some();
        let settings = if given { None } else { self.key.settings()? };
        let settings = settings.as_ref();
        let url = self.url.or_configured(settings)?;
        let declared = self.key.declared(channel, settings)?;
        let account = account.or_else(|| Some(settings?.accounts.first()?.id));
        let config = &self.key.config;
        let account = account.ok_or_else(|| {
            let names = ["--account", variables::ACCOUNT_ID];
            config.lacks("account", names, "account list")
        })?;
        let channel = channel.or_else(|| Some(&declared?.id));
        let channel = channel.ok_or_else(|| {
            let names = ["--channel", variables::CHANNEL_ID];
            config.lacks("channel", names, "channel list")
        })?;
        let secret = self.key.secret(declared)?;
        // Another service has another operator.
        let configured = |it: &&Settings| it.service_url().as_ref() == Some(&url.value);
        let its_own = settings.filter(configured);
        let scope = ScopeId::new(channel.clone(), account);
        Ok(Chat {
            client: client(timeout)?,
            signer: Signer::new(&secret),
            secret: SecretInDoubt::new(&self.key, &secret, Some(channel.clone()), its_own),
            connect: self.connect(&scope),
            scope,
            url,
            taken: Mutex::new(None),
        })
    }

    /// Refuses flags that contradict the scope. The scope outranks variables.
    fn agrees(&self, scope: &ScopeId) -> Result<(), CommandFailure> {
        let account = self.account.as_ref().filter(|it| it.is_flag());
        let channel = self.key.channel.as_ref().filter(|it| it.is_flag());
        let wrong = if account.is_some_and(|it| it.value != scope.account()) {
            Some("--account")
        } else if channel.is_some_and(|it| it.value != *scope.channel()) {
            Some("--channel")
        } else {
            None
        };
        wrong.map_or(Ok(()), |flag| {
            let why = format!("--scope contradicts {flag}\n  help: leave one of the two out");
            Err(CommandFailure::Usage(why))
        })
    }

    /// The command that connects this account to this channel, at the same service and with the same secret.
    fn connect(&self, scope: &ScopeId) -> String {
        let (channel, account) = (scope.channel(), scope.account());
        let mut words = format!("connect --channel {channel} --account {account}");
        if let Some(url) = self.url.given().filter(|it| it.is_flag()) {
            words.push_str(&format!(" --url {}", url.value));
        }
        if self.key.secret.as_ref().is_some_and(Given::is_flag) {
            words.push_str(" --secret SECRET");
        }
        if let Some(config) = &self.key.config.config {
            words.push_str(&format!(" --config {}", config.display()));
        }
        command(&words)
    }
}

/// Posts to the chat interface of one service, for one account in one channel.
pub(super) struct Chat {
    client: Client,
    url: Given<Url>,
    scope: ScopeId,
    signer: Signer,
    secret: SecretInDoubt,
    /// The command that connects the account.
    connect: String,
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
    pub(super) fn url(&self) -> &Given<Url> {
        &self.url
    }

    /// The account in the channel.
    pub(super) fn scope(&self) -> &ScopeId {
        &self.scope
    }

    /// Connects the account to the channel, with this title or without one.
    pub(super) async fn connect(
        &self,
        version: HookVersion,
        title: Option<&str>,
    ) -> Result<ServiceAnswer, CommandFailure> {
        let mut body = serde_json::json!({
            "account_id": self.scope.account(),
            "hook_api_version": version,
        });
        if let (Some(title), Some(body)) = (title, body.as_object_mut()) {
            body.insert("title".to_owned(), title.into());
        }
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
        let mut url = self.url.value.clone();
        url.set_path(&format!("{}{path}", url.path()));
        let mut request = self.client.post(url.clone()).body(body.clone());
        for (name, value) in signed::headers(&self.signer, generation, &url, body) {
            request = request.header(name, value);
        }
        ServiceAnswer::read(request.send().await?).await
    }

    /// The sentence about a new connection.
    pub(super) fn connected(&self, version: HookVersion) -> String {
        format!(
            "connected: account {} to channel {}, callbacks {version}",
            self.scope.account(),
            self.scope.channel()
        )
    }

    /// Succeeds when the service accepted the step; otherwise prints the refusal in the service's own words.
    pub(super) async fn accepted(
        &self,
        step: &str,
        answer: &ServiceAnswer,
        json: bool,
    ) -> Result<(), CommandFailure> {
        if answer.status.is_success() {
            return Ok(());
        }
        if json {
            print(&answer.body.to_string())?;
        }
        let mut told = format!("{step} was answered {}", answer.refusal());
        if let Some(remedy) = self.remedy(answer).await {
            told.push('\n');
            told.push_str(&remedy);
        }
        Err(CommandFailure::Failed(told))
    }

    /// What to do after a refusal: about the secret, when it is of the signature; about the connection, when the service
    /// knows none.
    pub(super) async fn remedy(&self, answer: &ServiceAnswer) -> Option<String> {
        if answer.refuses_the_signature() {
            return self.secret.explained().await;
        }
        (answer.status == StatusCode::NOT_FOUND).then(|| {
            format!(
                "  help: if the account is not connected to the channel, this connects it:  {}",
                self.connect
            )
        })
    }
}

impl As {
    fn allows(self, generation: Generation) -> bool {
        self == Self::Either || generation == Generation::Current
    }
}
