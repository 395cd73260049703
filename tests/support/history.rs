//! A history that is imported while the service is killed: the command is begun again in each life of the service, and
//! has to come to its end without a loss and without a duplicate.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::client::{message, scope};
use super::ledger::Ledger;
use super::limit::Limited as _;
use super::server::{ACCOUNT, CHANNEL, SECRET, Server};
use super::shown::Shown;

/// A file with a history, and perhaps the command that brings it in.
pub struct History {
    file: PathBuf,
    msgids: Vec<String>,
    running: Option<Child>,
}

impl Drop for History {
    fn drop(&mut self) {
        self.stop();
    }
}

impl History {
    /// A history of this many messages in a few conversations, beside the data of this service.
    pub fn written(server: &Server, count: usize, ledger: &mut Ledger) -> Self {
        let mut lines = String::new();
        let mut msgids = Vec::new();
        for number in 0..count {
            let (msgid, conversation) = (format!("h-{number}"), format!("history{}", number % 5));
            let event = message(&msgid, &conversation);
            lines.push_str(&format!("{event}\n"));
            ledger.post(&msgid, &conversation, &format!("text of {msgid}"), true);
            msgids.push(msgid);
        }
        let file = server.directory().join("history.jsonl");
        std::fs::write(&file, lines).unwrap();
        Self {
            file,
            msgids,
            running: None,
        }
    }

    /// Begins to bring it in, from its beginning.
    pub fn begin(&mut self, server: &Server) {
        self.running = Some(self.command(server).spawn().unwrap());
    }

    /// Ends the command without any chance to tidy up.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.running.take() {
            child.kill().unwrap_or_default();
            child.wait().unwrap();
        }
    }

    /// Brings all of it in, while the integration of the test goes on answering.
    pub async fn finish(&self, server: &Server) {
        let mut command = self.command(server);
        let run = move || command.limited_output().unwrap();
        let output = tokio::task::spawn_blocking(run).await.unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
    }

    /// Returns the parts of it that are missing.
    pub fn missing(&self, shown: &Shown) -> Vec<String> {
        let conversations = shown.conversations.values();
        let messages = conversations.flat_map(|it| it.messages.iter().flatten());
        let there: Vec<&str> = messages.filter_map(|it| it["client_id"].as_str()).collect();
        let missing = self
            .msgids
            .iter()
            .filter(|id| !there.contains(&id.as_str()));
        missing
            .map(|id| format!("{id} was imported and is lost"))
            .collect()
    }

    fn command(&self, server: &Server) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command
            .args([
                "import",
                "--restart",
                "--url",
                server.url(),
                "--secret",
                SECRET,
            ])
            .args(["--scope", &scope(CHANNEL, ACCOUNT)])
            .arg(&self.file)
            .current_dir(server.directory())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }
}
