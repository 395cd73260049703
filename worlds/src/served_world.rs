//! A world whose interface is on a loopback port, for a program that is tested from outside: in any language, or a binary of
//! one's own.
//!
//! The program speaks HTTP with the world as with any other service, and receives the callbacks. A test orders what people do,
//! and how time passes; `docs/worlds.md` describes all orders.
//!
//! ```no_run
//! use switchboard_worlds::served_world::ServedWorld;
//!
//! let world = ServedWorld::start();
//! let _bot = world.program(["python3", "examples/python/echo_bot.py"]);
//! world.says("bo", "Have you any tulips?");
//! world.replies("ada", "Red ones.");
//! world.wait("until=callback.delivered");
//! assert_eq!(world.texts("bo").last().map(String::as_str), Some("echo: Red ones."));
//! ```

mod group;
mod launch;
mod process;
mod program;
mod thread;

use std::fmt::{self, Display};
use std::time::Duration;

use anyhow::{Result, bail};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use self::thread::WorldThread;
use crate::dev::problem::detail;
use crate::dev::world_place::WorldPlace;

pub use group::GroupLimits;
pub use launch::Launch;
pub use process::Process;
pub use program::Program;

pub use crate::dev::scenario::program::{accepts, free_port};

/// A world with a port, on a thread of its own. It ends when it is dropped. When a test fails while it has one, the journal
/// of the world is printed.
///
/// It cannot be used inside of an event loop, such as in a test that is `async`.
pub struct ServedWorld {
    thread: WorldThread,
    /// The facts of the world, as it answered when it was made.
    facts: Value,
    id: String,
    base_url: String,
}

impl ServedWorld {
    /// A world with an account, the administrator `ada`, a channel and an OAuth client. While the test waits, its time passes
    /// at once.
    ///
    /// # Panics
    /// When no port or no thread can be had.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        Self::with(&json!({}))
    }

    /// A world with a name, a seed, another clock or ids of one's own: the body of `POST /dev/v1/worlds`.
    ///
    /// # Panics
    /// As [`ServedWorld::start`], and when the body is wrong, with all that is wrong.
    #[must_use]
    #[track_caller]
    pub fn with(wanted: &Value) -> Self {
        Self::try_with(wanted).unwrap_or_else(|why| fail(format!("{why:#}")))
    }

    /// As [`ServedWorld::with`], for callers that are no tests.
    ///
    /// # Errors
    /// When no port or no thread can be had, or the body is wrong.
    pub fn try_with(body: &Value) -> Result<Self> {
        Self::on(WorldThread::start(None)?, body)
    }

    /// As [`ServedWorld::try_with`], in the place of another world that has ended. The secrets are those of the other world, and
    /// what it draws is not: a program that remembers the ids of messages meets none of them again.
    ///
    /// # Errors
    /// When the port is taken or no thread can be had, or the body is wrong.
    pub fn try_at(place: &WorldPlace, body: &Value) -> Result<Self> {
        Self::on(WorldThread::start(Some(place.clone()))?, body)
    }

    fn on(thread: WorldThread, body: &Value) -> Result<Self> {
        let (status, facts) = thread.order("POST", "", body);
        if status != 201 {
            bail!("the world is not made: {}", detail(&facts));
        }
        let text = |key: &str| facts.get(key).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            id: text("id").unwrap_or_default(),
            base_url: text("base_url").unwrap_or_default(),
            thread,
            facts,
        })
    }

    /// The address of its interface, such as `http://127.0.0.1:41233`.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns the facts of the world from the time when it was made: its ids and secrets.
    #[must_use]
    pub fn facts(&self) -> &Value {
        &self.facts
    }

    /// Starts the tested program with what it needs to know of the world, the variables of scenario files, and sends the
    /// callbacks of the world to it. It ends, with all that it has started, when the result is dropped.
    ///
    /// # Panics
    /// When it does not accept connections on `PORT` in time; the failure has what it has written.
    #[track_caller]
    pub fn program(&self, launch: impl Into<Launch>) -> Program<'_> {
        let process = Process::start(&launch.into(), &self.facts, None);
        let program = Program::new(process.unwrap_or_else(|why| fail(format!("{why:#}"))));
        self.order("PUT", "/webhook", &json!({ "url": program.url() }));
        program
    }

    /// A customer writes this; gives the ids of the message and the conversation.
    #[track_caller]
    pub fn says(&self, customer: &str, text: &str) -> Value {
        let path = format!("/customers/{}/say", word(customer));
        self.order("POST", &path, &json!({ "text": text }))
    }

    /// A user answers the customer who wrote last; gives the ids of the message and the conversation.
    #[track_caller]
    pub fn replies(&self, user: &str, text: &str) -> Value {
        let path = format!("/users/{}/reply", word(user));
        self.order("POST", &path, &json!({ "text": text }))
    }

    /// Subscribes an address to these events of the account, or to all when there are none. Without an address, a receiver in
    /// memory takes the hooks.
    #[track_caller]
    pub fn subscribes(&self, url: Option<&str>, settings: &[&str]) {
        let settings = (!settings.is_empty()).then_some(settings);
        self.order(
            "PUT",
            "/hooks",
            &json!({ "url": url, "settings": settings }),
        );
    }

    /// The texts in the conversation of a customer, oldest first. The customer may also be the integration's id of a
    /// conversation.
    #[track_caller]
    pub fn texts(&self, customer: &str) -> Vec<String> {
        let path = format!("/customers/{}/messages", word(customer));
        let document = self.order("GET", &path, &Value::Null);
        let messages = document.get("messages").and_then(Value::as_array);
        let text = |message: &Value| message.get("text")?.as_str().map(str::to_owned);
        messages.into_iter().flatten().filter_map(text).collect()
    }

    /// Lets time pass.
    #[track_caller]
    pub fn advance(&self, by: Duration) {
        self.order("POST", "/advance", &json!({ "seconds": by.as_secs_f64() }));
    }

    /// Waits for a state: the query of `GET …/wait`, such as `until=callback.delivered&count=2`.
    ///
    /// # Panics
    /// When it is not met, with what came near.
    #[track_caller]
    pub fn wait(&self, query: &str) -> Value {
        let answer = self.order("GET", &format!("/wait?{query}"), &Value::Null);
        if answer.get("met") != Some(&json!(true)) {
            let near: String = answer
                .get("near")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(|near| format!("\n  {near}"))
                .collect();
            let why = answer
                .get("why")
                .and_then(Value::as_str)
                .unwrap_or_default();
            fail(format!("the wait for {query} was not met: {why}{near}"));
        }
        answer
    }

    /// Gives any other order: its method, its path behind the world, and its body (null for none).
    ///
    /// # Panics
    /// When it is refused.
    #[track_caller]
    pub fn order(&self, method: &str, path: &str, body: &Value) -> Value {
        self.accepted_order(method, path, body)
            .unwrap_or_else(|why| fail(why.to_string()))
    }

    /// As [`ServedWorld::order`], for callers that are no tests.
    ///
    /// # Errors
    /// When it is refused.
    pub fn accepted_order(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let (status, answer) = self.try_order(method, path, body);
        if !(200..300).contains(&status) {
            let why = detail(&answer);
            bail!("{method} {path} is answered with {status}: {why}");
        }
        Ok(answer)
    }

    /// As [`ServedWorld::order`], with the status and the answer of a refusal too.
    #[must_use]
    pub fn try_order(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        self.thread
            .order(method, &format!("/{}{path}", self.id), body)
    }

    /// Returns the journal so far, one line for each entry.
    #[must_use]
    pub fn journal(&self) -> String {
        let (_, journal) = self.try_order("GET", "/journal?form=text", &Value::Null);
        journal.as_str().map(str::to_owned).unwrap_or_default()
    }
}

/// A word of a path.
fn word(text: &str) -> impl Display {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

#[track_caller]
#[expect(clippy::panic, reason = "a test fails by panicking")]
fn fail(why: String) -> ! {
    panic!("{why}")
}

impl Drop for ServedWorld {
    /// Prints the journal when the test fails.
    #[expect(
        clippy::print_stderr,
        reason = "the output of a failing test shows what happened"
    )]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("journal of the world {}:\n{}", self.id, self.journal());
        }
    }
}

impl fmt::Debug for ServedWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedWorld")
            .field("id", &self.id)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}
