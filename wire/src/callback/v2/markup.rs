//! The parts of a callback beside its text: the buttons of a template, the template itself, and a list.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::id::TemplateId;
use crate::domain::list_message::{ListMessage, ListRow, SentList};
use crate::domain::templates::sent::SentTemplate;
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{ButtonText, TemplateContent, TemplateExternalId};

/// The buttons or the list below a message.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum Markup<'a> {
    /// Buttons.
    Buttons(Buttons<'a>),
    /// A list: the customer chooses a row.
    List(Listed<'a>),
}

/// Buttons.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Buttons<'a> {
    #[schemars(extend("const" = "inline"))]
    mode: &'static str,
    /// Rows of buttons. All buttons of a message are texts, or all of them open links.
    buttons: Vec<[Button<'a>; 1]>,
}

/// A list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Listed<'a> {
    list_message: List<'a>,
}

/// What the customer sees of a list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct List<'a> {
    /// The line above the text, of at most 60 characters; empty without one.
    header: &'a str,
    /// At most 1,024 characters: the text of the message.
    body: &'a str,
    /// The line below the text, of at most 60 characters; empty without one.
    footer: &'a str,
    /// The label of the button that opens the list, of at most 24 characters.
    button: &'a str,
    #[schemars(length(min = 1, max = 10))]
    sections: Vec<Section<'a>>,
}

/// A section of a list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Section<'a> {
    /// At most 24 characters.
    title: &'a str,
    #[schemars(length(min = 1, max = 10))]
    rows: Vec<Row<'a>>,
}

/// A row of a list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Row<'a> {
    /// The `message.callback_data` of the customer's message that chooses the row: at most 256 bytes.
    callback_data: &'a str,
    /// The text of that message: at most 24 characters.
    title: &'a str,
    /// At most 72 characters; empty without one.
    description: &'a str,
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
    /// The list of a message, else the buttons of its template, each in a row of its own; `None` without either.
    pub(super) fn new(
        template: Option<&'a SentTemplate>,
        list: Option<&'a SentList>,
    ) -> Option<Self> {
        if let Some(list) = list.and_then(SentList::shown) {
            let list_message = List::new(list);
            return Some(Self::List(Listed { list_message }));
        }
        let buttons = template.map_or(&[][..], SentTemplate::shown_buttons);
        let rows = buttons.iter().map(|button| {
            [Button {
                text: &button.text,
                url: button.url.as_ref(),
            }]
        });
        (!buttons.is_empty()).then(|| {
            Self::Buttons(Buttons {
                mode: "inline",
                buttons: rows.collect(),
            })
        })
    }
}

impl<'a> List<'a> {
    fn new(list: &'a ListMessage) -> Self {
        let row = |row: &'a ListRow| Row {
            callback_data: row.callback_data.as_str(),
            title: row.title.as_str(),
            description: row.description.as_ref().map_or("", |it| it.as_str()),
        };
        let sections = list.sections.iter().map(|section| Section {
            title: section.title.as_str(),
            rows: section.rows.iter().map(row).collect(),
        });
        Self {
            header: list.header.as_ref().map_or("", |line| line.as_str()),
            body: list.body.as_str(),
            footer: list.footer.as_ref().map_or("", |line| line.as_str()),
            button: list.button.as_str(),
            sections: sections.collect(),
        }
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
