//! A template as part of a message that was sent.

use serde::{Deserialize, Serialize};

use crate::id::TemplateId;
use crate::markers::Parameter;
use crate::templates::template::{Button, Template};
use crate::text::{MessageText, TemplateContent, TemplateExternalId};

/// The template that a message was made of, as it was at the time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTemplate {
    /// Its number.
    pub id: TemplateId,
    /// The integration's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<TemplateExternalId>,
    /// The text with its markers.
    pub content: TemplateContent,
    /// The markers with their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The buttons below the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<Button>,
    /// True when the channel shows no buttons, so the text lists them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub buttons_in_text: bool,
}

impl SentTemplate {
    /// A template with the values of its markers, for a channel that shows buttons or not.
    #[must_use]
    pub fn new(template: &Template, parameters: Vec<Parameter>, shows_buttons: bool) -> Self {
        let settings = &template.settings;
        Self {
            id: template.id,
            external_id: settings.external_id.clone(),
            content: settings.content.clone(),
            parameters,
            buttons: settings.buttons.clone(),
            buttons_in_text: !shows_buttons && !settings.buttons.is_empty(),
        }
    }

    /// The buttons that the channel gets.
    #[must_use]
    pub fn shown_buttons(&self) -> &[Button] {
        if self.buttons_in_text {
            &[]
        } else {
            &self.buttons
        }
    }

    /// The text of the message: the filled one, and the buttons where the channel does not show them. `None` when that is
    /// empty or too long.
    #[must_use]
    pub fn text(&self, filled: &str) -> Option<MessageText> {
        let mut text = filled.to_owned();
        if self.buttons_in_text {
            for (place, button) in (1_usize..).zip(&self.buttons) {
                let line = match &button.url {
                    None => format!("{place}. {}", button.text),
                    Some(url) => format!("{place}. {}: {}", button.text, url.as_str()),
                };
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&line);
            }
        }
        text.parse().ok()
    }

    /// Returns its approximate size in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let parameters = self.parameters.iter();
        let values = parameters.map(|it| it.key.len().saturating_add(it.value.len()));
        let sizes = values.chain(self.buttons.iter().map(Button::bytes));
        sizes.fold(self.content.as_str().len(), usize::saturating_add)
    }
}
