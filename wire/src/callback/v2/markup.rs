//! The parts of a callback that a message of a template has: its buttons, and the template itself.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::id::TemplateId;
use crate::domain::templates::sent::SentTemplate;
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{ButtonText, TemplateContent, TemplateExternalId};

/// The buttons below a message.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Markup<'a> {
    #[schemars(extend("const" = "inline"))]
    mode: &'static str,
    /// Rows of buttons. All buttons of a message are texts, or all of them open links.
    buttons: Vec<[Button<'a>; 1]>,
}

/// A button.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Button<'a> {
    #[schemars(length(min = 1, max = 255))]
    text: &'a ButtonText,
    /// The link that it opens. Without one, its text becomes the customer's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required, extend("format" = "uri"), length(max = 2_048))]
    url: Option<&'a HttpUrl>,
}

impl<'a> Markup<'a> {
    /// The buttons of a template, each in a row of its own; `None` without buttons.
    pub(super) fn new(template: &'a SentTemplate) -> Option<Self> {
        let buttons: Vec<_> = template
            .shown_buttons()
            .iter()
            .map(|button| {
                [Button {
                    text: &button.text,
                    url: button.url.as_ref(),
                }]
            })
            .collect();
        (!buttons.is_empty()).then_some(Self {
            mode: "inline",
            buttons,
        })
    }
}

/// The template of a message.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct TemplatePart<'a> {
    id: TemplateId,
    /// The integration's own id of the template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    external_id: Option<&'a TemplateExternalId>,
    /// The text with its markers.
    content: &'a TemplateContent,
    /// Each marker once, in the order of the text.
    params: Vec<Param<'a>>,
}

/// A marker and its value.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Param<'a> {
    /// The marker with its braces.
    key: &'a str,
    /// Empty when there is none.
    value: &'a str,
}

impl<'a> TemplatePart<'a> {
    /// The template.
    pub(super) fn new(template: &'a SentTemplate) -> Self {
        let parameters = template.parameters.iter();
        Self {
            id: template.id,
            external_id: template.external_id.as_ref(),
            content: &template.content,
            params: parameters
                .map(|it| Param {
                    key: &it.key,
                    value: &it.value,
                })
                .collect(),
        }
    }
}
