//! One template of an account.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{MediaId, OauthClientId, TemplateId};
use crate::templates::review::{Review, ReviewStatus};
use crate::text::url::HttpUrl;
use crate::text::{
    ButtonText, FileName, TemplateContent, TemplateExternalId, TemplateName, WabaLine,
};
use crate::time::UnixMillis;
use switchboard_values::words;

/// The most buttons of a template.
pub const BUTTONS_MAX: usize = 10;
/// The most examples of a template.
pub const EXAMPLES_MAX: usize = 50;

/// A template: a text with markers, and what a message made of it carries besides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// Its number.
    pub id: TemplateId,
    /// The OAuth client that created it; `None` when a token of no client did. No other one sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<OauthClientId>,
    /// Its settings.
    pub settings: TemplateSettings,
    /// The time of its creation.
    pub created_at: UnixMillis,
    /// The time of its last change.
    pub updated_at: UnixMillis,
    /// Its reviews, one for each source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviews: Vec<Review>,
}

/// The settings of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateSettings {
    /// Its name.
    pub name: TemplateName,
    /// The text with its markers.
    pub content: TemplateContent,
    /// The integration's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<TemplateExternalId>,
    /// True when users of the account may change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_editable: bool,
    /// Its kind.
    pub kind: TemplateKind,
    /// The buttons, all of one kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<Button>,
    /// The file that goes with the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachment: Option<TemplateFile>,
    /// The fields that WhatsApp asks for besides.
    #[serde(default)]
    pub waba: Waba,
}

words! {
    /// The kind of a template.
    pub enum TemplateKind {
        /// It may be sent at once.
        Amocrm = "amocrm",
        /// It is for WhatsApp, which reviews it first.
        Waba = "waba",
    }

    /// The kind of the file of a template.
    pub enum TemplateFileKind {
        /// A picture.
        Picture = "picture",
        /// A file.
        File = "file",
        /// A document.
        Document = "document",
        /// A video.
        Video = "video",
    }

    /// The header of a template for WhatsApp.
    pub enum WabaHeaderKind {
        /// A text.
        Text = "text",
        /// A file.
        Media = "media",
    }

    /// The category of a template for WhatsApp.
    pub enum WabaCategory {
        /// About something that the customer ordered or asked for.
        Utility = "UTILITY",
        /// A code with which the customer signs in.
        Authentication = "AUTHENTICATION",
        /// An advertisement.
        Marketing = "MARKETING",
    }

    /// The kind of a button.
    pub enum ButtonKind {
        /// Its text becomes the customer's message.
        Inline = "inline",
        /// It opens a link.
        Url = "url",
    }
}

/// A button below a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// Its text.
    pub text: ButtonText,
    /// The link that it opens; `None` for one whose text becomes the customer's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<HttpUrl>,
}

impl Button {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ButtonKind {
        match self.url {
            None => ButtonKind::Inline,
            Some(_) => ButtonKind::Url,
        }
    }

    /// Returns the size of its texts, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let link = self.url.as_ref().map_or(0, |url| url.as_str().len());
        self.text.as_str().len().saturating_add(link)
    }
}

/// The file of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateFile {
    /// The id that the upload of the file answered.
    pub id: MediaId,
    /// Its name.
    pub name: FileName,
    /// Its kind.
    pub kind: TemplateFileKind,
}

/// The fields that WhatsApp asks for besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waba {
    /// The header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<WabaLine>,
    /// The kind of the header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_kind: Option<WabaHeaderKind>,
    /// The footer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<WabaLine>,
    /// The category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<WabaCategory>,
    /// The code of the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<WabaLine>,
    /// An example for each marker.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub examples: BTreeMap<String, String>,
}

/// The changes of a template; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateChange {
    /// Its name.
    pub name: Option<TemplateName>,
    /// The text with its markers.
    pub content: Option<TemplateContent>,
    /// The integration's own id.
    pub external_id: Option<Option<TemplateExternalId>>,
    /// True when users of the account may change it.
    pub is_editable: Option<bool>,
    /// Its kind.
    pub kind: Option<TemplateKind>,
    /// The buttons.
    pub buttons: Option<Vec<Button>>,
    /// The file that goes with the text.
    pub attachment: Option<Option<TemplateFile>>,
    /// The header for WhatsApp.
    pub header: Option<Option<WabaLine>>,
    /// The kind of the header.
    pub header_kind: Option<Option<WabaHeaderKind>>,
    /// The footer for WhatsApp.
    pub footer: Option<Option<WabaLine>>,
    /// The category for WhatsApp.
    pub category: Option<Option<WabaCategory>>,
    /// The code of the language for WhatsApp.
    pub language: Option<Option<WabaLine>>,
    /// An example for each marker.
    pub examples: Option<BTreeMap<String, String>>,
}

impl TemplateChange {
    /// The settings with this change.
    #[must_use]
    pub fn apply_to(self, before: &TemplateSettings) -> TemplateSettings {
        let before = before.clone();
        TemplateSettings {
            name: self.name.unwrap_or(before.name),
            content: self.content.unwrap_or(before.content),
            external_id: self.external_id.unwrap_or(before.external_id),
            is_editable: self.is_editable.unwrap_or(before.is_editable),
            kind: self.kind.unwrap_or(before.kind),
            buttons: self.buttons.unwrap_or(before.buttons),
            attachment: self.attachment.unwrap_or(before.attachment),
            waba: Waba {
                header: self.header.unwrap_or(before.waba.header),
                header_kind: self.header_kind.unwrap_or(before.waba.header_kind),
                footer: self.footer.unwrap_or(before.waba.footer),
                category: self.category.unwrap_or(before.waba.category),
                language: self.language.unwrap_or(before.waba.language),
                examples: self.examples.unwrap_or(before.waba.examples),
            },
        }
    }

    /// The settings of a new template; `None` without a name or a text.
    #[must_use]
    pub fn into_new(self) -> Option<TemplateSettings> {
        let blank = TemplateSettings {
            name: self.name.clone()?,
            content: self.content.clone()?,
            external_id: None,
            is_editable: false,
            kind: TemplateKind::Amocrm,
            buttons: Vec::new(),
            attachment: None,
            waba: Waba::default(),
        };
        Some(self.apply_to(&blank))
    }
}

impl Template {
    /// The common status of its reviews: one of them that waits or fails decides.
    #[must_use]
    pub fn review_status(&self) -> ReviewStatus {
        const DECIDING: [ReviewStatus; 4] = [
            ReviewStatus::Review,
            ReviewStatus::Rejected,
            ReviewStatus::Paused,
            ReviewStatus::Approved,
        ];
        let has = |status: &ReviewStatus| self.reviews.iter().any(|it| it.status == *status);
        DECIDING
            .into_iter()
            .find(has)
            .unwrap_or(ReviewStatus::Draft)
    }

    /// Returns whether its settings are fixed: one for WhatsApp that is under review, or has passed it.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        let status = self.review_status();
        let is_open = matches!(status, ReviewStatus::Draft | ReviewStatus::Rejected);
        self.settings.kind == TemplateKind::Waba && !is_open
    }

    /// Returns its approximate size in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        const REST: usize = 512;
        let settings = &self.settings;
        let buttons = settings.buttons.iter().map(Button::bytes);
        let examples = settings.waba.examples.iter();
        let examples = examples.map(|(marker, text)| marker.len().saturating_add(text.len()));
        let reasons = self
            .reviews
            .iter()
            .map(|it| it.reject_reason.as_str().len());
        let sizes = buttons.chain(examples).chain(reasons);
        sizes.fold(
            settings.content.as_str().len().saturating_add(REST),
            usize::saturating_add,
        )
    }
}
