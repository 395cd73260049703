//! The chat interface as commands speak it that play the integration: where it is, and requests signed as the channel
//! takes them.

mod answer;
mod args;
mod signed;

use bytes::Bytes;
use reqwest::{Client, StatusCode};
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::signature::Signer;
use tokio::sync::Mutex;
use url::Url;

pub(super) use self::answer::ServiceAnswer;
pub(super) use self::args::ChatArgs;
use super::given::Given;
use super::output::{CliError, print};
use super::secret::SecretInDoubt;
use super::web::unreachable;

/// The beginning of the path of every operation.
const PREFIX: &str = "v2/origin/custom";

/// Posts to the chat interface of one service, for one account in one channel.
pub(super) struct Chat {
    client: Client,
    url: Given<Url>,
    scope: ScopeId,
    signer: Signer,
    secret: SecretInDoubt,
    /// The command that connects the account.
    connect: String,
    /// The variables that name the channel and the account, for people who look at flags alone.
    named: Option<String>,
    /// The generation that the channel took last.
    taken: Mutex<Option<Generation>>,
}

/// The generations in which a request may be signed.
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
    ) -> Result<ServiceAnswer, CliError> {
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
        let last_generation = *self.taken.lock().await;
        if let Some(generation) = last_generation.filter(|it| signed.allows(*it)) {
            let answer = self.signed(path, body, generation).await?;
            if !answer.refuses_the_signature() {
                return Ok(answer);
            }
        }
        // One request finds out for all that are in progress: each try that fails is a wrong signature to the service.
        let mut generation_in_use = self.taken.lock().await;
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
            *generation_in_use = Some(generation);
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
    ) -> Result<(), CliError> {
        if answer.status.is_success() {
            return Ok(());
        }
        if json {
            print(&answer.body.to_string())?;
        }
        let mut text = format!("{step} was answered {}", answer.refusal());
        if let Some(remedy) = self.remedy(answer).await {
            text.push('\n');
            text.push_str(&remedy);
        }
        Err(CliError::Failed(text))
    }

    /// The advice after a refusal. A refused signature concerns the secret; an unknown connection needs `connect`.
    pub(super) async fn remedy(&self, answer: &ServiceAnswer) -> Option<String> {
        if answer.refuses_the_signature() {
            return self.secret.explained().await;
        }
        let connect = (answer.status == StatusCode::NOT_FOUND).then(|| {
            format!(
                "  help: if the account is not connected to the channel, this connects it:  {}",
                self.connect
            )
        });
        let remedies: Vec<_> = connect.into_iter().chain(self.named.clone()).collect();
        (!remedies.is_empty()).then(|| remedies.join("\n"))
    }
}

impl As {
    fn allows(self, generation: Generation) -> bool {
        self == Self::Either || generation == Generation::Current
    }
}
