//! The commands for what a running service has: each verb is one request, and its answer is printed.

#[cfg(test)]
mod tests;

use clap::builder::StyledStr;
use clap::{Args, Command, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use super::output::{CliError, print, say};
use super::service::{OperatorArgs, Service};

/// Keys of answers whose values the service shows only once.
const SHOWN_ONCE: [&str; 2] = ["secret", "token"];

/// A command of the operator, with its verbs.
#[derive(Debug, Args)]
#[command(about = help::<V>())]
pub(super) struct Resource<V: Verbs> {
    #[command(subcommand)]
    verb: V,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// The help of a command: the documentation of its verbs.
fn help<V: Verbs>() -> StyledStr {
    let command = V::augment_subcommands(Command::new("resource"));
    command.get_about().cloned().unwrap_or_default()
}

impl<V: Verbs> Resource<V> {
    /// Sends the request of the verb and prints the answer.
    pub(super) fn run(&self) -> Result<(), CliError> {
        if let Some(result) = self.verb.alone(&self.operator) {
            return result;
        }
        let service = self.operator.service()?;
        self.verb.call()?.run(&service, self.operator.json)
    }
}

/// The verbs of a command. Its documentation is the help of the command.
pub(super) trait Verbs: Subcommand {
    /// The request of this verb, and how its answer is printed.
    fn call(&self) -> Result<Call<'_>, CliError>;

    /// Runs a verb that is no request of the operator; none of all others.
    fn alone(&self, _operator: &OperatorArgs) -> Option<Result<(), CliError>> {
        None
    }
}

/// A request to a running service, and the form in which people read the answer.
pub(super) struct Call<'a> {
    method: Method,
    path: String,
    body: Option<Value>,
    /// The response is to have all pages of a list.
    is_list: bool,
    show: Box<dyn Fn(&Value) -> String + 'a>,
    /// A line about the answer, for people.
    note: Option<&'static str>,
    /// The field of the answer that is false when the command failed.
    outcome: Option<&'static str>,
}

impl<'a> Call<'a> {
    fn new(
        method: Method,
        path: impl Into<String>,
        body: Option<Value>,
        show: impl Fn(&Value) -> String + 'a,
    ) -> Self {
        Self {
            method,
            path: path.into(),
            body,
            is_list: false,
            show: Box::new(show),
            note: None,
            outcome: None,
        }
    }

    /// All entries of a list.
    pub(super) fn list(path: impl Into<String>, show: impl Fn(&Value) -> String + 'a) -> Self {
        let call = Self::get(path, show);
        Self {
            is_list: true,
            ..call
        }
    }

    /// One thing, or one page of a list.
    pub(super) fn get(path: impl Into<String>, show: impl Fn(&Value) -> String + 'a) -> Self {
        Self::new(Method::GET, path, None, show)
    }

    /// Something new, or an action with a body.
    pub(super) fn post(
        path: impl Into<String>,
        body: Value,
        show: impl Fn(&Value) -> String + 'a,
    ) -> Self {
        Self::new(Method::POST, path, Some(body), show)
    }

    /// An action without fields.
    pub(super) fn act(path: impl Into<String>, show: impl Fn(&Value) -> String + 'a) -> Self {
        Self::post(path, json!({}), show)
    }

    /// An update.
    pub(super) fn patch(
        path: impl Into<String>,
        body: Value,
        show: impl Fn(&Value) -> String + 'a,
    ) -> Self {
        Self::new(Method::PATCH, path, Some(body), show)
    }

    /// A deletion.
    pub(super) fn delete(path: impl Into<String>, show: impl Fn(&Value) -> String + 'a) -> Self {
        Self::new(Method::DELETE, path, None, show)
    }

    /// Adds a line for people, before the answer.
    pub(super) fn with_note(mut self, note: &'static str) -> Self {
        self.note = Some(note);
        self
    }

    /// Lets the command fail when this field of the answer is false.
    pub(super) fn with_outcome(mut self, field: &'static str) -> Self {
        self.outcome = Some(field);
        self
    }

    /// Sends the request and prints the answer.
    pub(super) fn run(self, service: &Service, json: bool) -> Result<(), CliError> {
        let answer = actix_web::rt::System::new().block_on(self.answer(service))?;
        if let Some(note) = self.note {
            say(note);
        }
        print(&if json {
            answer.to_string()
        } else {
            (self.show)(&answer)
        })?;
        for key in SHOWN_ONCE {
            if answer.get(key).is_some() {
                say(&format!("keep the {key}: it is not shown again"));
            }
        }
        let outcome = self.outcome.and_then(|field| answer.get(field));
        if outcome == Some(&Value::Bool(false)) {
            return Err(CliError::Told);
        }
        Ok(())
    }

    async fn answer(&self, service: &Service) -> Result<Value, CliError> {
        if self.is_list {
            return service.list(&self.path).await;
        }
        let method = self.method.clone();
        service.ask(method, &self.path, self.body.as_ref()).await
    }
}
