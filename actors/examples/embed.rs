//! The system in a program of yours, with its data in files and a sender of your own: a customer writes, a user replies,
//! and the reply leaves as a signed callback. Every run adds one message to the same conversation.
//!
//! ```sh
//! cargo run -p switchboard-actors --example embed -- /tmp/flower-shop
//! ```

use std::error::Error;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt};
use switchboard_actors::system::chat::ConnectRequest;
use switchboard_actors::system::user_access::ReplyRequest;
use switchboard_actors::wire::chat_body::{Rules, send};
use switchboard_actors::{Ports, System, SystemConfig};
use tokio::sync::mpsc;

const TOKEN: &str = "a long random token";

/// A sender that hands callbacks to this program. One that uses the network resolves the name, guards the address and
/// speaks TLS here; the system has decided when and what to send.
#[derive(Debug)]
struct Handover(mpsc::Sender<Attempt>);

impl CallbackSender for Handover {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let callbacks = self.0.clone();
        Box::pin(async move {
            let began = attempt.at;
            // A failure here would be an outcome, too: the system tries again after a while.
            let is_taken = callbacks.send(attempt).await.is_ok();
            let status = if is_taken { 200 } else { 503 };
            let trace = AttemptTrace {
                began,
                address: None,
                answered_ms: None,
                took_ms: 0,
                excerpt: String::new(),
            };
            (Outcome::Answered(ReceiverAnswer::plain(status)), trace)
        })
    }

    /// No program subscribes here to what happens in the account.
    fn send_hook(
        &self,
        attempt: HookAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let trace = AttemptTrace::unsent(attempt.at, "this program sends no hooks");
        let outcome = Outcome::Failed(AttemptFailure::NoAddress);
        Box::pin(std::future::ready((outcome, trace)))
    }
}

/// Declares an account with a user, and a channel. What is there already is left as it is.
async fn declare(system: &System) -> Result<Channel, Box<dyn Error>> {
    let account = "af9945ff-1490-4cad-807d-945c15d88bec".parse()?;
    let settings = AccountSettings::new("Flower shop".parse()?);
    system
        .declare_account(DeclareAccount {
            id: account,
            settings,
        })
        .await?;
    let ada = DeclareUser {
        id: None,
        name: "Ada".parse()?,
        email: "ada@example.com".parse()?,
        is_admin: true,
        password: None,
        token: Some(TokenHash::new(TOKEN)),
    };
    system.declare_user(account, ada).await?;
    let settings = ChannelSettings {
        webhook_v2: Some("https://messenger.example/in/:scope_id".parse()?),
        ..ChannelSettings::new("Messenger".parse()?)
    };
    let secret = "what-callbacks-are-signed-with".parse()?;
    let channel = Channel::new("messenger".parse()?, secret, settings);
    system.declare_channel(channel.clone()).await?;
    Ok(channel)
}

/// Runs the system on this directory. Returns the callback of one reply.
async fn exchange(directory: &Path) -> Result<Attempt, Box<dyn Error>> {
    let (sender, mut callbacks) = mpsc::channel(16);
    let ports = Ports::files(directory, Arc::new(Handover(sender)))?;
    let system = System::start(SystemConfig::default(), ports)?;
    let channel = declare(&system).await?;

    // An account and a channel that are connected are a scope.
    let request = ConnectRequest {
        account: "af9945ff-1490-4cad-807d-945c15d88bec".parse()?,
        title: None,
        version: HookVersion::V2,
        time_window_disabled: false,
    };
    let (scope, _) = system.connect(&channel.id, request).await?;

    // A customer writes. The ids are those of the messenger: a repeat would get the same answer.
    let now = system.now();
    let seconds = now.secs();
    let json = format!(
        r#"{{"event_type": "new_message", "payload": {{
            "timestamp": {seconds}, "msgid": "m-{}", "conversation_id": "c-1",
            "sender": {{"id": "u-1", "name": "Bo", "avatar": "https://example.com/bo.png"}},
            "message": {{"type": "text", "text": "Have you any tulips?"}}, "silent": false}}}}"#,
        now.get()
    );
    let body = bytes::Bytes::from(json);
    let message = send::parse(&body, Rules::V2019, now)?;
    let connected = system.connected(scope).await?;
    let receipt = system.send_message(connected, message, body).await?;

    // Ada replies, as far as her rights go.
    let caller = system
        .caller(TOKEN)
        .await?
        .ok_or("no user has this token")?;
    let access = system.user_access(&caller).await?;
    let reply = ReplyRequest {
        content: OutgoingContent::Text {
            text: "Red ones and white ones.".parse()?,
        },
        reply_to: None,
        resends: None,
        seen: None,
        draft: None,
        scheduled_reply: None,
        template: None,
    };
    access.reply(receipt.conversation, reply, None).await?;
    let callback = callbacks.recv().await.ok_or("the system has ended")?;

    // Accepted commands are answered, and callbacks under way end.
    system.shutdown(Duration::from_secs(10)).await;
    Ok(callback)
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os()
        .nth(1)
        .map(PathBuf::from)
        .ok_or("usage: embed DIRECTORY")?;
    actix::System::new().block_on(async {
        let callback = exchange(&directory).await?;
        let body = String::from_utf8_lossy(&callback.body);
        writeln!(
            stdout(),
            "POST {}\nX-Signature: {}\n\n{body}",
            callback.url,
            callback.signature
        )?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_leaves_as_a_callback_in_every_run() {
        let directory = tempfile::tempdir().unwrap();
        for _run in 0..2 {
            let callback = actix::System::new()
                .block_on(exchange(directory.path()))
                .unwrap();
            assert!(callback.url.starts_with("https://messenger.example/in/"));
            assert!(String::from_utf8_lossy(&callback.body).contains("Red ones and white ones."));
            assert_eq!(callback.attempt, 1);
        }
    }
}
