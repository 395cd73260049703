//! Templates as answers show them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use switchboard_actors::domain::id::{AccountNumber, MediaId, ReviewId, SourceNumber, TemplateId};
use switchboard_actors::domain::templates::review::{Review, ReviewStatus};
use switchboard_actors::domain::templates::template::{
    Button, ButtonKind, Template, TemplateFile, TemplateFileKind, TemplateKind, WabaCategory,
    WabaHeaderKind,
};
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{
    ButtonText, FileName, RejectReason, TemplateContent, TemplateExternalId, TemplateName, WabaLine,
};

use crate::extract::query::Query;
use crate::openapi::Seconds;
use crate::reply::hal::Links;

/// The things that all templates of an answer share.
pub(super) struct View<'v> {
    base: &'v str,
    account: AccountNumber,
    with_reviews: bool,
}

impl<'v> View<'v> {
    /// As the query asks for them.
    pub(super) fn new(base: &'v str, account: AccountNumber, query: &Query) -> Self {
        Self {
            base,
            account,
            with_reviews: query.words("with").any(|word| word == "reviews"),
        }
    }

    /// Without their reviews.
    pub(super) fn brief(base: &'v str, account: AccountNumber) -> Self {
        Self {
            base,
            account,
            with_reviews: false,
        }
    }
}

view! {
    #[schemars(rename = "TemplateButton")]
    struct ButtonView<'t>(button: &'t Button) {
        #[serde(rename = "type")]
        kind: ButtonKind = button.kind(),
        text: &'t ButtonText = &button.text,
        /// The link of a button of the type `url`.
        url ?: &'t HttpUrl = button.url.as_ref(),
    }

    #[schemars(rename = "TemplateAttachment")]
    struct FileView<'t>(file: &'t TemplateFile) {
        id: MediaId = file.id,
        name: &'t FileName = &file.name,
        #[serde(rename = "type")]
        kind: TemplateFileKind = file.kind,
        /// Always true: the file is of the integration, or of the uploads here.
        is_external: bool = true,
    }

    #[schemars(rename = "TemplateReview")]
    pub(super) struct ReviewView<'t>(review: &'t Review) {
        id: ReviewId = review.id,
        /// The source that it is for; null in an account without sources.
        source_id: Option<SourceNumber> = review.source,
        status: ReviewStatus = review.status,
        reject_reason: &'t RejectReason = &review.reject_reason,
    }

    #[schemars(rename = "TemplateParts")]
    struct Embedded<'t>(template: &'t Template) {
        reviews: Vec<ReviewView<'t>> = template.reviews.iter().map(ReviewView::new).collect(),
    }

    #[schemars(rename = "Template")]
    pub(super) struct TemplateView<'t>(view: &View<'_>, template: &'t Template) [
        let settings = &template.settings;
        let waba = &settings.waba;
        let is_waba = settings.kind == TemplateKind::Waba;
        let line = |text: &'t Option<WabaLine>| text.as_ref().filter(|_| is_waba).map_or("", WabaLine::as_str);
    ] {
        id: TemplateId = template.id,
        account_id: AccountNumber = view.account,
        name: &'t TemplateName = &settings.name,
        /// The text with its markers.
        content: &'t TemplateContent = &settings.content,
        created_at: Seconds = template.created_at.into(),
        updated_at: Seconds = template.updated_at.into(),
        external_id: Option<&'t TemplateExternalId> = settings.external_id.as_ref(),
        /// True when users of the account may change it.
        is_editable: bool = settings.is_editable,
        #[serde(rename = "type")]
        kind: TemplateKind = settings.kind,
        buttons: Vec<ButtonView<'t>> = settings.buttons.iter().map(ButtonView::new).collect(),
        attachment: Option<FileView<'t>> = settings.attachment.as_ref().map(FileView::new),
        waba_header: Option<&'t WabaLine> = waba.header.as_ref(),
        waba_header_type: Option<WabaHeaderKind> = waba.header_kind,
        /// Empty unless the type is `waba`.
        waba_footer: &'t str = line(&waba.footer),
        /// Empty unless the type is `waba`.
        waba_category: Category = Category(waba.category.filter(|_| is_waba)),
        /// Empty unless the type is `waba`.
        waba_language: &'t str = line(&waba.language),
        /// An object; an empty list when there are none.
        waba_examples: Examples<'t> = Examples::new(&waba.examples),
        /// The common status of the reviews, when they are asked for: `review` if one waits, else `rejected`, `paused` or `approved` if one is, else `draft`.
        review_status ?: ReviewStatus = view.with_reviews.then(|| template.review_status()),
        is_on_review ?: bool = view.with_reviews.then(|| template.review_status() == ReviewStatus::Review),
        _embedded ?: Embedded<'t> = view.with_reviews.then(|| Embedded::new(template)),
        _links: Links = Links::to(format!("{}{}/{}", view.base, super::PATH, template.id)),
    }

    pub(super) struct TemplateMade<'t>(view: &View<'_>, template: &'t Template, request_id: &'t str) {
        #[serde(flatten)]
        template: TemplateView<'t> = TemplateView::new(view, template),
        request_id: &'t str = request_id,
    }
}

/// A category, or the empty text.
#[derive(JsonSchema)]
#[schemars(inline, with = "String", extend("enum" = ["", "UTILITY", "AUTHENTICATION", "MARKETING"]))]
struct Category(Option<WabaCategory>);

impl Serialize for Category {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.map_or("", |category| category.as_str()))
    }
}

/// Examples as PHP writes them: an empty list when there are none.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Examples<'t> {
    None([(); 0]),
    Some(&'t BTreeMap<String, String>),
}

impl<'t> Examples<'t> {
    fn new(examples: &'t BTreeMap<String, String>) -> Self {
        if examples.is_empty() {
            Self::None([])
        } else {
            Self::Some(examples)
        }
    }
}
