//! The bots of the guide, against the service.

use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::block;
use crate::support::client::message;
use crate::support::eventually;
use crate::support::limit::Limited as _;
use crate::support::port::HeldPort;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup};
use crate::support::skip::skipped;

/// A bot that ends with its test.
struct Bot {
    process: Child,
    _folder: tempfile::TempDir,
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.process.kill().unwrap_or_default();
        self.process.wait().ok();
    }
}

impl Bot {
    /// Starts the bot of this block, which connects the account by itself.
    fn start(program: &str, mark: &str, file: &str, server: &Server, port: &HeldPort) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), block(mark)).unwrap();
        let process = Command::new(program)
            .arg(file)
            .current_dir(folder.path())
            .env("SWITCHBOARD_URL", server.url())
            .env("SWITCHBOARD_CHANNEL_ID", CHANNEL)
            .env("SWITCHBOARD_CHANNEL_SECRET", SECRET)
            .env("SWITCHBOARD_ACCOUNT_ID", ACCOUNT)
            .env("PORT", port.number().to_string())
            .env("no_proxy", "*")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            process,
            _folder: folder,
        }
    }
}

/// An answer of an account user comes back as a message of the customer, and is read.
async fn echoes(program: &str, mark: &str, file: &str) {
    echoes_to(Setup::default(), program, mark, file).await;
}

async fn echoes_to(setup: Setup, program: &str, mark: &str, file: &str) {
    if Command::new(program)
        .arg("--version")
        .limited_output()
        .is_err()
    {
        return skipped(
            &format!("there is no {program} for the guide's bot"),
            &format!("install {program}"),
        );
    }
    let lines = block(mark).lines().count();
    assert!(lines <= 40, "{mark}: {lines} lines");
    let port = HeldPort::take();
    let address = format!("http://127.0.0.1:{}/callbacks/:scope_id", port.number());
    let setup = setup.webhooks(|_version| address.clone());
    let server = setup.start().await;
    let client = server.client();
    let _bot = Bot::start(program, mark, file, &server, &port);
    let response = eventually("the bot connects the account", async || {
        let answer = client.send(&message("m", "chat-7")).await;
        (answer.status == 200).then_some(answer.json)
    })
    .await;
    let conversation = response["new_message"]["conversation_id"].as_str().unwrap();
    let reply = client.replied(conversation, "Is anybody there? 😀").await;
    let messages = eventually("the answer is echoed and read", async || {
        let messages = client.messages(conversation).await;
        let is_read = |it: &Value| it["id"] == *reply && it["delivery"]["status"] == "read";
        messages.iter().any(is_read).then_some(messages)
    })
    .await;
    assert_eq!(messages.len(), 3, "{messages:?}");
    let echo = &messages[0];
    assert_eq!(echo["direction"], "in");
    assert_eq!(echo["text"], "Is anybody there? 😀");
    assert_eq!(echo["client_id"], format!("echo-{reply}"));
    assert_eq!(echo["sender"], messages[2]["sender"], "the same customer");
    assert_eq!(client.conversations().await.len(), 1);
}

#[tokio::test]
async fn the_bot_in_python_echoes_and_reports() {
    echoes("python3", "python bot", "bot.py").await;
}

#[tokio::test]
async fn the_bot_in_node_echoes_and_reports() {
    echoes("node", "js bot", "bot.mjs").await;
}

#[tokio::test]
async fn the_bot_of_the_2019_form_echoes_and_reports() {
    // One whose signature the service takes for another form would pass for the wrong reason.
    let setup = Setup::default().variable("SWITCHBOARD_CHANNELS__0__GENERATION", "2019");
    echoes_to(setup, "python3", "python bot-2019", "bot.py").await;
}
