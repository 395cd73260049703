//! The stage of a case: a world, the program in it, and what judges do and see.

mod account_calls;
mod callbacks;
mod exchange;
mod hooks;
mod journal;
mod judges;
mod outside;
mod patience;
mod posts;
mod program;
mod prompts;
mod questions;
mod repeats;
mod service;
mod signs;
mod worlds;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use switchboard_worlds::served_world::{Launch, ServedWorld};

pub(crate) use self::exchange::{Answer, Exchange, Request, sign};
pub(crate) use self::hooks::{
    with_account_last, with_plain_brackets, with_small_letters, with_value,
};
pub(crate) use self::journal::{CallbackAttempt, ChatRequest, Event, HookAttempt, ProgramRequest};
pub(crate) use self::patience::Calm;
use self::patience::Patience;
pub(crate) use self::posts::Post;
use self::program::{Candidate, Program, runs_already};
pub(crate) use self::prompts::Call;
pub(crate) use self::questions::LOOP_MAX;
pub(crate) use self::repeats::count_repeats;
pub(crate) use self::signs::Signs;
pub(crate) use self::worlds::fixed_variables;
use crate::examinee::Examinee;
use crate::role::Role;
use crate::verdict::{StopError, not_tried};

/// The longest time in which a program has to do what it does at once in general, as [`Patience`] counts it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// The time in which the last requests of a program that has died are seen.
const LAST_REQUESTS: Duration = Duration::from_secs(1);
/// The pause between two looks at what a program has done: nothing reports it.
const EACH: Duration = Duration::from_millis(50);
/// The silence of a program that has nothing more to do.
const SILENCE: Duration = Duration::from_secs(3);
/// The longest time until it is silent: it may report 1,000 deliveries, seven in a second.
const SILENT_WITHIN: Duration = Duration::from_secs(300);
/// The customer of a case.
pub(crate) const CUSTOMER: &str = "bo";
/// The path of the program's redirect address, where it takes reports of uninstallations too.
pub(crate) const REDIRECT_PATH: &str = "/oauth";
/// The variable with the secret that a rotation brings.
const NEXT_SECRET_VARIABLE: &str = "SWITCHBOARD_CHANNEL_SECRET_NEXT";
/// The deed of rules about tokens and installations, which a program that runs already cannot get.
pub(crate) const GIVE_CODE: &str = "give the program an OAuth code of its world";
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
    program: Program,
    /// The role in which the program is examined.
    role: Role,
    path: String,
    hooks_path: String,
    /// The service's id of the customer's conversation.
    conversation: String,
    /// True once deliveries to customers take longer.
    is_slowed: bool,
    exchanges: Vec<Exchange>,
}

impl Stage {
    /// A world with the program in it. A bridge receives the callbacks, and the customer has written; a bot is subscribed to
    /// messages of customers.
    ///
    /// # Errors
    /// [`StopError::NotTried`] when the program does not start.
    pub(crate) fn set(examinee: &Examinee, seed: u64, role: Role) -> Result<Self, StopError> {
        let (candidate, port) = Candidate::from_examinee(examinee)?;
        let world = worlds::world(examinee, seed, port)?;
        let scope = world.facts().get("scope_id").and_then(Value::as_str);
        let path = examinee.path_for(scope.unwrap_or_default());
        let mut stage = Self {
            program: candidate.start(port, &path, world.facts())?,
            world,
            role,
            path,
            hooks_path: examinee.hooks_path.clone(),
            conversation: String::new(),
            is_slowed: false,
            exchanges: Vec::new(),
        };
        match role {
            Role::Bridge => {
                let url = format!("http://127.0.0.1:{port}{}", stage.path);
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
        self.program.port()
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

    /// Ends all faults.
    pub(crate) fn end_faults(&self) -> Result<()> {
        self.order("DELETE", "/faults", &Value::Null).map(drop)
    }

    /// Orders a fault of requests whose method and path have this text.
    pub(crate) fn fault_at(&self, fault: &Value, target: &str) -> Result<(), StopError> {
        let mut order = fault.clone();
        if let Some(fields) = order.as_object_mut() {
            fields.insert("match".to_owned(), target.into());
        }
        Ok(self.fault(&order)?)
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

    /// Looks until there is something, for so much time at most, of which less counts while the machine is busy: not much longer
    /// than the program lives, unless the exam itself has killed it.
    pub(crate) fn until_within<T>(
        &mut self,
        limit: Duration,
        mut look: impl FnMut(&mut Self) -> Result<Option<T>, StopError>,
    ) -> Result<Option<T>, StopError> {
        let mut patience = Patience::new(limit);
        loop {
            let has_died = self.program.has_died();
            if let Some(thing) = look(self)? {
                return Ok(Some(thing));
            }
            if has_died {
                patience.shorten(LAST_REQUESTS);
            }
            if patience.is_over() {
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

    /// The requests of the program but for the first ones, of which there are `begin`.
    pub(crate) fn requests_after(&self, begin: usize) -> Result<Vec<ProgramRequest>> {
        Ok(self.program_requests()?.into_iter().skip(begin).collect())
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
    ///
    /// # Errors
    /// When the exam did not start it.
    pub(crate) fn kill(&mut self) -> Result<(), StopError> {
        self.program.kill()
    }

    /// Starts the program again, on the same port and with the same variables.
    ///
    /// # Errors
    /// When it does not start any more.
    pub(crate) fn start_again(&mut self) -> Result<(), StopError> {
        self.program.start_again(self.world.facts(), Launch::clone)
    }

    /// Starts the program again, with the secret that a rotation brings.
    ///
    /// # Errors
    /// When it does not start any more.
    pub(crate) fn start_with_next_secret(&mut self, secret: &str) -> Result<(), StopError> {
        let change = |launch: &Launch| launch.clone().variable(NEXT_SECRET_VARIABLE, secret);
        self.program.start_again(self.world.facts(), change)
    }

    /// Returns whether the exam did not start the program.
    pub(crate) fn runs_already(&self) -> bool {
        self.program.runs_already()
    }

    /// Ends the case of a program that the exam did not start, for which the exam has to do so.
    ///
    /// # Errors
    /// When the exam did not start the program.
    pub(crate) fn require_start(&self, deed: &str) -> Result<(), StopError> {
        if self.runs_already() {
            return not_tried(runs_already(deed));
        }
        Ok(())
    }

    /// The memory of the program in bytes; `None` when the exam did not start it.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.program.memory()
    }

    /// The limit of the exam for which the program was ended, in a sentence.
    pub(crate) fn excess(&self) -> Option<&str> {
        self.program.excess()
    }

    /// Returns whether the program still runs.
    pub(crate) fn is_alive(&self) -> bool {
        self.program.is_alive()
    }

    /// The end of what the program has written.
    pub(crate) fn output(&self) -> String {
        self.program.output()
    }

    /// Lets a program that runs already come to the end of its work for this world, and leaves it as it was before: what it does
    /// late would strike the world of the next case.
    pub(crate) fn finish(&mut self) -> Result<(), StopError> {
        if !self.runs_already() || !self.is_alive() {
            return Ok(());
        }
        self.end_faults()?;
        if self.is_slowed {
            self.slow_outside(0.0)?;
        }
        // It comes behind what the program still has to send.
        self.is_still_working()?;
        let (mut count, mut since) = (0, Instant::now());
        self.until_within(SILENT_WITHIN, |stage| {
            let count_now = stage.program_requests()?.len();
            if count_now != count {
                (count, since) = (count_now, Instant::now());
            }
            Ok((since.elapsed() >= SILENCE).then_some(()))
        })?;
        Ok(())
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
