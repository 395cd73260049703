//! Reads the query of an order: all that is wrong with it at once, in words of its own.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use bytes::Bytes;
use hyper::Request;
use url::form_urlencoded;

use crate::dev::worlds::error::DevError;

/// The longest part of a wrong value that a refusal repeats, in characters.
const SHOWN_MAX: usize = 64;

/// The parameters of a query that were not read yet.
pub(super) struct QueryReader {
    given: BTreeMap<String, String>,
    known: Vec<&'static str>,
    wrong: Vec<String>,
}

impl QueryReader {
    pub(super) fn new(request: &Request<Bytes>) -> Self {
        let query = request.uri().query().unwrap_or_default();
        let (mut given, mut wrong) = (BTreeMap::new(), Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if given.contains_key(&*name) {
                wrong.push(format!("{}: is given twice", shown(&name)));
            }
            given.insert(name.into_owned(), value.into_owned());
        }
        Self {
            given,
            known: Vec::new(),
            wrong,
        }
    }

    /// A text.
    pub(super) fn text(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        self.given.remove(name)
    }

    /// A value that is read from its text.
    pub(super) fn parsed<T: FromStr<Err: Display>>(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> Option<T> {
        let text = self.text(name)?;
        let value = text.parse().ok();
        if value.is_none() {
            let text = shown(&text);
            self.wrong
                .push(format!("{name}: expected {expected}, not «{text}»"));
        }
        value
    }

    /// A word, as what it stands for; `what` names such a thing.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        what: &str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let text = self.text(name)?;
        let choice = choices.iter().find(|(word, _)| *word == text);
        if choice.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let (text, words) = (shown(&text), words.join(", "));
            self.wrong.push(format!(
                "{name}: there is no {what} «{text}»; there are {words}"
            ));
        }
        choice.map(|(_, value)| *value)
    }

    /// A parameter has to be there and is not, unless it was wrong already.
    pub(super) fn miss(&mut self, name: &str, what: &str) {
        if self.wrong.iter().all(|wrong| !wrong.starts_with(name)) {
            self.wrong.push(format!("{name}: is missing; {what}"));
        }
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// When something is wrong, a parameter that was not read too.
    pub(super) fn finish(mut self) -> Result<(), DevError> {
        let names = self.known.join(", ");
        for name in self.given.keys() {
            let name = shown(name);
            self.wrong.push(format!(
                "{name}: there is no such parameter; there are {names}"
            ));
        }
        if self.wrong.is_empty() {
            return Ok(());
        }
        Err(DevError::wrong(self.wrong.join("; ")))
    }
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}
