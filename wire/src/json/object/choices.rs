//! Fields with a few words, and arrays of such words.

use super::ObjectReader;
use crate::domain::violation::ViolationCode;
use crate::json::meant::meant;
use crate::json::node::Node;

impl ObjectReader<'_, '_> {
    /// The value that a string in the field `name` stands for.
    pub fn choice<T: Copy>(&self, name: &str, text: &str, choices: &[(&str, T)]) -> Option<T> {
        let choice = choice_of(text, choices);
        let reject = |detail| self.reject(name, ViolationCode::NotSupportedChoice, detail);
        choice.map_err(reject).ok()
    }

    /// The values that the strings of an array in the field `name` stand for. Each item that stands for none is reported.
    pub fn choices<T: Copy>(
        &self,
        name: &str,
        node: &Node<'_>,
        choices: &[(&str, T)],
    ) -> Option<Vec<T>> {
        self.items(name, node, |item| {
            let Node::Text(text) = item else {
                let detail = format!("expected a string, found {}", item.kind());
                return Err((ViolationCode::InvalidType, detail));
            };
            choice_of(text, choices).map_err(|detail| (ViolationCode::NotSupportedChoice, detail))
        })
    }
}

/// The value that a text stands for, or the choices that there are.
fn choice_of<T: Copy>(text: &str, choices: &[(&str, T)]) -> Result<T, String> {
    let choice = choices.iter().find(|(word, _)| *word == text);
    choice.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let suggestion = meant(text, &words).map(|word| format!("; did you mean {word}?"));
        format!(
            "expected one of {}{}",
            words.join(", "),
            suggestion.unwrap_or_default()
        )
    })
}
