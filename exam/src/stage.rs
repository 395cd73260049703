//! The stage of a case: a world, the program in it, and what judges do and see.

mod account_calls;
mod callbacks;
mod exchange;
mod hooks;
mod journal;
mod judges;
mod outside;
mod posts;
mod prompts;
mod questions;
mod service;
mod signs;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use switchboard_worlds::served_world::{Launch, Process, ServedWorld, free_port};
use tempfile::TempDir;

pub(crate) use self::exchange::{Answer, Exchange, Request, sign};
pub(crate) use self::hooks::{
    with_account_last, with_plain_brackets, with_small_letters, with_value,
};
pub(crate) use self::journal::{CallbackAttempt, ChatRequest, Event, HookAttempt, ProgramRequest};
pub(crate) use self::posts::Post;
pub(crate) use self::prompts::Call;
pub(crate) use self::questions::LOOP_MAX;
pub(crate) use self::signs::Signs;
use crate::examinee::Examinee;
use crate::role::Role;
use crate::verdict::{StopError, breaks};

/// The longest real time in which a program has to do what it does at once in general.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// The pause between two looks at what a program has done: nothing reports it.
const EACH: Duration = Duration::from_millis(50);
/// The customer of a case.
pub(crate) const CUSTOMER: &str = "bo";
/// The path of the program's redirect address, where it takes reports of uninstallations too.
pub(crate) const REDIRECT_PATH: &str = "/oauth";
/// The variable with the secret that a rotation brings.
const NEXT_SECRET_VARIABLE: &str = "SWITCHBOARD_CHANNEL_SECRET_NEXT";
/// The variable that names the directory of a case.
pub const DIRECTORY_VARIABLE: &str = "SWITCHBOARD_EXAM_DIRECTORY";

/// A message of an account user, on its way to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// The stage.
pub(crate) struct Stage {
    world: ServedWorld,
    /// The directory of the program, which outlives its restarts.
    _directory: TempDir,
    launch: Launch,
    process: Process,
    /// The role in which the program is examined.
    role: Role,
    path: String,
    hooks_path: String,
    /// The service's id of the customer's conversation.
    conversation: String,
    exchanges: Vec<Exchange>,
}

impl Stage {
    /// A world with the program in it. A bridge receives the callbacks, and the customer has written; a bot is subscribed to
    /// messages of customers.
    ///
    /// # Errors
    /// [`StopError::NotTried`] when the program does not start.
    pub(crate) fn set(examinee: &Examinee, seed: u64, role: Role) -> Result<Self, StopError> {
        let port = free_port()?;
        let redirect_uri = format!("http://127.0.0.1:{port}{REDIRECT_PATH}");
        let body = json!({ "seed": seed, "redirect_uri": redirect_uri });
        let world = ServedWorld::try_with(&body)?;
        let directory = tempfile::tempdir().context("no directory for the program")?;
        let scope = world.facts().get("scope_id").and_then(Value::as_str);
        let path = examinee.path_for(scope.unwrap_or_default());
        let launch = launch(examinee, &path, &directory);
        let process = Process::start(&launch, world.facts(), Some(port));
        let mut stage = Self {
            process: process.map_err(|why| StopError::NotTried(format!("{why:#}")))?,
            launch,
            world,
            _directory: directory,
            role,
            path,
            hooks_path: examinee.hooks_path.clone(),
            conversation: String::new(),
            exchanges: Vec::new(),
        };
        match role {
            Role::Bridge => {
                let url = stage.process.url();
                stage.order("PUT", "/webhook", &json!({ "url": url }))?;
                stage.conversation = stage.writes(CUSTOMER, "Have you any tulips?")?;
            }
            Role::Bot => stage.subscribe(&["add_message"])?,
        }
        Ok(stage)
    }

    /// The role in which the program is examined.
    pub(crate) fn role(&self) -> Role {
        self.role
    }

    /// The port of the program.
    pub(crate) fn port(&self) -> u16 {
        self.process.port()
    }

    /// The path of the program's address for callbacks.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// A fact of the world, such as `/channel/secret`; empty when there is none.
    pub(crate) fn fact(&self, pointer: &str) -> &str {
        let value = self.world.facts().pointer(pointer);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Gives an order to the world.
    ///
    /// # Errors
    /// When the world refuses it.
    pub(crate) fn order(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        self.world.accepted_order(method, path, body)
    }

    /// Orders a fault, such as `{"on": "callbacks", "do": "duplicate"}`.
    pub(crate) fn fault(&self, fault: &Value) -> Result<()> {
        self.order("POST", "/faults", fault).map(drop)
    }

    /// A customer writes, as the program would post it. Gives the service's id of the conversation.
    pub(crate) fn writes(&self, customer: &str, text: &str) -> Result<String> {
        let path = format!("/customers/{customer}/say");
        let answer = self.order("POST", &path, &json!({ "text": text }))?;
        let id = answer.get("conversation_id").and_then(Value::as_str);
        Ok(id.unwrap_or_default().to_owned())
    }

    /// The account user answers the customer of the case.
    pub(crate) fn reply(&self, text: &str) -> Result<Reply> {
        self.reply_to(CUSTOMER, text)
    }

    /// The account user answers a customer.
    pub(crate) fn reply_to(&self, customer: &str, text: &str) -> Result<Reply> {
        let body = json!({ "text": text, "customer": customer });
        let answer = self.order("POST", "/users/ada/reply", &body)?;
        let id = answer.get("message_id").and_then(Value::as_str);
        Ok(Reply {
            id: id.unwrap_or_default().to_owned(),
            text: text.to_owned(),
        })
    }

    /// Waits for a state of the world, by its clock; returns whether it is met.
    pub(crate) fn wait(&self, query: &str) -> Result<bool> {
        let answer = self.order("GET", &format!("/wait?{query}"), &Value::Null)?;
        Ok(answer.get("met") == Some(&Value::Bool(true)))
    }

    /// Waits until no callback is on its way any more.
    pub(crate) fn wait_quiet(&self) -> Result<()> {
        self.wait("until=quiet&timeout=86400").map(drop)
    }

    /// Looks until there is something, for [`PATIENCE`] at most.
    pub(crate) fn until<T>(
        &mut self,
        look: impl FnMut(&mut Self) -> Result<Option<T>, StopError>,
    ) -> Result<Option<T>, StopError> {
        self.until_within(PATIENCE, look)
    }

    /// Looks until there is something, for so much real time at most.
    pub(crate) fn until_within<T>(
        &mut self,
        limit: Duration,
        mut look: impl FnMut(&mut Self) -> Result<Option<T>, StopError>,
    ) -> Result<Option<T>, StopError> {
        let start = Instant::now();
        loop {
            if let Some(thing) = look(self)? {
                return Ok(Some(thing));
            }
            if start.elapsed() >= limit {
                return Ok(None);
            }
            std::thread::sleep(EACH);
        }
    }

    /// Makes a request to the program, and keeps it for the report.
    pub(crate) fn exchange(&mut self, request: &Request) -> Answer {
        let exchange = request.send(self.port());
        let answer = exchange.answer.clone();
        self.exchanges.push(exchange);
        answer
    }

    /// The entries of the journal, oldest first.
    pub(crate) fn entries(&self) -> Result<Vec<Event>> {
        let document = self.order("GET", "/journal?form=document&limit=10000", &Value::Null)?;
        let entries = document.get("entries").cloned().unwrap_or_default();
        serde_json::from_value(entries).context("the journal cannot be read")
    }

    /// The requests of the program to the chat interface, oldest first.
    pub(crate) fn chat_requests(&self) -> Result<Vec<(ProgramRequest, ChatRequest)>> {
        let scope = self.fact("/scope_id");
        let requests = self.program_requests()?;
        let read = |request: ProgramRequest| {
            let chat_request = ChatRequest::read(&request, scope)?;
            Some((request, chat_request))
        };
        Ok(requests.into_iter().filter_map(read).collect())
    }

    /// The requests of the program, oldest first.
    pub(crate) fn program_requests(&self) -> Result<Vec<ProgramRequest>> {
        let request = |event: Event| match event {
            Event::Request(request) => Some(request),
            Event::Callback(_) | Event::Hook(_) | Event::Other => None,
        };
        Ok(self.entries()?.into_iter().filter_map(request).collect())
    }

    /// The attempts to deliver a message, oldest first.
    pub(crate) fn attempts(&self, message: &str) -> Result<Vec<CallbackAttempt>> {
        let attempt = |event: Event| match event {
            Event::Callback(attempt) if attempt.message_id == message => Some(attempt),
            Event::Callback(_) | Event::Request(_) | Event::Hook(_) | Event::Other => None,
        };
        Ok(self.entries()?.into_iter().filter_map(attempt).collect())
    }

    /// Kills the program: it loses all that it has not stored.
    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts the program again, on the same port and with the same variables.
    ///
    /// # Errors
    /// When it does not start any more.
    pub(crate) fn start_again(&mut self) -> Result<(), StopError> {
        self.start(Launch::clone)
    }

    /// Starts the program again, with the secret that a rotation brings.
    ///
    /// # Errors
    /// When it does not start any more.
    pub(crate) fn start_with_next_secret(&mut self, secret: &str) -> Result<(), StopError> {
        self.start(|launch| launch.clone().variable(NEXT_SECRET_VARIABLE, secret))
    }

    fn start(&mut self, change: impl FnOnce(&Launch) -> Launch) -> Result<(), StopError> {
        let launch = change(&self.launch);
        match Process::start(&launch, self.world.facts(), Some(self.port())) {
            Ok(process) => self.process = process,
            Err(why) => return breaks(format!("It does not start again: {why:#}")),
        }
        Ok(())
    }

    /// The memory of the program in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.process.memory()
    }

    /// Returns whether the program still runs.
    pub(crate) fn is_alive(&self) -> bool {
        !self.process.is_over()
    }

    /// The end of what the program has written.
    pub(crate) fn output(&self) -> String {
        self.process.output()
    }

    /// The requests that the exam made itself, as a report shows them.
    pub(crate) fn exchanges(&self) -> Vec<String> {
        self.exchanges.iter().map(Exchange::shown).collect()
    }

    /// The journal for people.
    pub(crate) fn journal(&self) -> String {
        self.world.journal()
    }
}

/// Limits each file that the program writes, its output too, to a gibibyte.
const LIMITED: [&str; 4] = ["sh", "-c", "ulimit -f 2097152; exec \"$@\"", "sh"];

fn launch(examinee: &Examinee, path: &str, directory: &TempDir) -> Launch {
    let command = examinee.command.iter().map(String::as_str);
    Launch::new(LIMITED.into_iter().chain(command))
        .path(path)
        .variable(DIRECTORY_VARIABLE, directory.path())
}
