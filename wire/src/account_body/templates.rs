//! The bodies of templates and of their reviews.

use std::collections::{BTreeMap, BTreeSet};

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{self, Item, Items, WithId};
use crate::body::Body;
use crate::body::value::{Found, List, OrEmpty};
use crate::domain::id::{MediaId, OauthClientId, TemplateId};
use crate::domain::templates::Templates;
use crate::domain::templates::review::ReviewStatus;
use crate::domain::templates::template::{
    BUTTONS_MAX, Button, ButtonKind, EXAMPLES_MAX, TemplateChange, TemplateFile, TemplateFileKind,
    TemplateKind, TemplateSettings, WabaCategory, WabaHeaderKind,
};
use crate::domain::templates::update::NumberedChange;
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{
    ButtonText, FileName, RejectReason, TemplateContent, TemplateExternalId, TemplateName, WabaLine,
};
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

/// The most templates that one request creates, changes or deletes.
pub const ITEMS_MAX: usize = 250;

body!(
    /// A template to be created.
    #[body(open)]
    pub struct NewTemplate {
        #[body(needed)]
        name: Option<TemplateName>,
        /// The text with its markers.
        #[body(needed)]
        content: Option<TemplateContent>,
        #[body(flatten)]
        others: OtherFields,
    }

    /// A change of a template.
    #[body(open, lenient)]
    pub struct ChangedTemplate {
        name: Option<TemplateName>,
        /// The text with its markers.
        content: Option<TemplateContent>,
        #[body(flatten)]
        others: OtherFields,
    }

    /// The fields of a template beside its name and its text.
    #[body(open)]
    pub struct OtherFields {
        /// The integration's own id; null for none.
        external_id: Option<TemplateExternalId>,
        /// True when users of the account may change the template.
        is_editable: Option<bool>,
        /// `amocrm` if it is left out.
        #[body(key("type"))]
        kind: Option<TemplateKind>,
        /// Buttons of one kind; null for none.
        buttons: Option<List<ButtonBody, BUTTONS_MAX>>,
        /// The file that goes with the text; null for none.
        attachment: Option<FileBody>,
        /// For WhatsApp.
        waba_header: Option<WabaLine>,
        /// For WhatsApp.
        waba_header_type: Option<OrEmpty<WabaHeaderKind>>,
        /// For WhatsApp.
        waba_footer: Option<WabaLine>,
        /// For WhatsApp.
        waba_category: Option<OrEmpty<WabaCategory>>,
        /// The code of the language, for WhatsApp.
        waba_language: Option<WabaLine>,
        /// An example for each marker, for WhatsApp. An empty list stands for none.
        waba_examples: Option<Examples>,
    }

    /// A button of a template.
    #[body(open, check(check_link(kind)))]
    pub struct ButtonBody {
        #[body(key("type"))]
        kind: ButtonKind,
        text: ButtonText,
        /// The link of a button of the type `url`.
        url: Option<HttpUrl>,
    }

    /// The file of a template.
    #[body(open)]
    pub struct FileBody {
        /// The id that the upload of the file answered.
        id: MediaId,
        name: FileName,
        #[body(key("type"))]
        kind: TemplateFileKind,
    }

    /// The answer to a review.
    #[body(open)]
    pub struct ReviewAnswer {
        status: AnsweredStatus,
        /// The reason of a rejection.
        #[body(null)]
        reject_reason: Option<RejectReason>,
    }
);

/// An example for each marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples(pub BTreeMap<String, String>);

/// The status that the answer to a review gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnsweredStatus(pub ReviewStatus);

const ANSWERED: [(&str, AnsweredStatus); 3] = [
    ("approved", AnsweredStatus(ReviewStatus::Approved)),
    ("paused", AnsweredStatus(ReviewStatus::Paused)),
    ("rejected", AnsweredStatus(ReviewStatus::Rejected)),
];
/// The longest marker of an example, and the longest example, in characters.
const EXAMPLE_MAX: usize = 1_024;

body_values! {
    HttpUrl: Schema::url(), Found::parsed;
    TemplateName: Schema::line(255), Found::parsed;
    TemplateContent: Schema::text(), Found::parsed;
    TemplateExternalId: Schema::line(255), Found::parsed;
    ButtonText: Schema::line(255), Found::parsed;
    FileName: Schema::line(255), Found::parsed;
    WabaLine: Schema::text(), Found::parsed;
    RejectReason: Schema::text(), Found::parsed;
    TemplateKind: Schema::choice(&Self::NAMES), |found| found.choice(&Self::NAMES);
    TemplateFileKind: Schema::choice(&Self::NAMES), |found| found.choice(&Self::NAMES);
    WabaHeaderKind: Schema::choice(&Self::NAMES), |found| found.choice(&Self::NAMES);
    WabaCategory: Schema::choice(&Self::NAMES), |found| found.choice(&Self::NAMES);
    ButtonKind: Schema::choice(&Self::NAMES), |found| found.choice(&Self::NAMES);
    AnsweredStatus: Schema::choice(&ANSWERED), |found| found.choice(&ANSWERED);
    Examples: Schema::either([Schema::object([]).open(), Schema::few(Schema::text(), 0, 0)]), examples;
}

/// Reads examples: an object of texts. PHP writes an empty one as a list.
fn examples(found: Found<'_, '_>) -> Option<Examples> {
    if found.is_empty_list() {
        return Some(Examples::default());
    }
    found.object(|object| {
        let count = object.keys().count();
        if count > EXAMPLES_MAX {
            let detail = format!("expected at most {EXAMPLES_MAX} examples, found {count}");
            let key = object.keys().next().unwrap_or_default().to_owned();
            object.reject(&key, ViolationCode::InvalidValue, detail);
            return None;
        }
        let keys = object.keys();
        let pairs = keys.filter_map(|key| Some((key.to_owned(), example(object, key)?)));
        Some(Examples(pairs.collect()))
    })
}

fn example(object: &ObjectReader<'_, '_>, key: &str) -> Option<String> {
    let text = object.required_string(key)?;
    if key.chars().count() > EXAMPLE_MAX || text.chars().count() > EXAMPLE_MAX {
        let detail = format!("expected a marker and a text of at most {EXAMPLE_MAX} characters");
        object.reject(key, ViolationCode::InvalidValue, detail);
        return None;
    }
    Some(text.to_owned())
}

fn check_link(button: &ObjectReader<'_, '_>, kind: &Option<ButtonKind>) {
    if *kind == Some(ButtonKind::Url) && !button.has("url") {
        let detail = "a button of the type url needs the link that it opens".to_owned();
        button.reject("url", ViolationCode::FieldMissing, detail);
    }
}

/// Reads templates to be created.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8]) -> Result<Vec<Item<TemplateSettings>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "templates", ITEMS_MAX)?.read(|item| {
        let template = NewTemplate::take(item)?;
        let change = TemplateChange {
            name: template.name,
            content: template.content,
            ..change(item, template.others)
        };
        change.into_new()
    })
}

/// Reads the change of a template.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(body: &[u8]) -> Result<TemplateChange, BodyError> {
    ChangedTemplate::read_as(body, |item, template| Some(whole_change(item, template)))
}

/// Reads the changes of several templates of the OAuth client, each named by its `id`.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_changes(
    body: &[u8],
    own: &OwnTemplates<'_>,
) -> Result<Vec<Item<NumberedChange>>, BatchError> {
    let root = batch::parse(body)?;
    let mut ids = BTreeSet::new();
    Items::new(&root, "templates", ITEMS_MAX)?.read(|item| {
        let id = own.named(item, &mut ids)?;
        let template = ChangedTemplate::take(item)?;
        let change = whole_change(item, template);
        Some(NumberedChange { id, change })
    })
}

/// Reads which templates of the OAuth client are to be deleted, each named by its `id`.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_ids(body: &[u8], own: &OwnTemplates<'_>) -> Result<BTreeSet<TemplateId>, BatchError> {
    let root = batch::parse(body)?;
    let mut ids = BTreeSet::new();
    let items = Items::new(&root, "templates", ITEMS_MAX)?;
    items.read(|item| own.named(item, &mut ids))?;
    Ok(ids)
}

/// The templates that an OAuth client created.
#[derive(Clone, Copy, Debug)]
pub struct OwnTemplates<'t> {
    /// All templates of the account.
    pub all: &'t Templates,
    /// The OAuth client.
    pub client: Option<OauthClientId>,
}

impl OwnTemplates<'_> {
    /// The template that an item names. One that is not there, or that an earlier item names, is reported.
    fn named(
        &self,
        item: &ObjectReader<'_, '_>,
        seen: &mut BTreeSet<TemplateId>,
    ) -> Option<TemplateId> {
        let id = TemplateId(WithId::take(item)?.id.0);
        if self.all.find(id, self.client).is_none() {
            let detail = "expected the id of a template that this integration created".to_owned();
            item.reject("id", ViolationCode::NotSupportedChoice, detail);
            return None;
        }
        items::once(item, "id", "template", id, seen);
        Some(id)
    }
}

fn whole_change(item: &ObjectReader<'_, '_>, template: ChangedTemplate) -> TemplateChange {
    TemplateChange {
        name: template.name,
        content: template.content,
        ..change(item, template.others)
    }
}

/// The change of the fields beside name and text. Null ends what a field held.
fn change(item: &ObjectReader<'_, '_>, fields: OtherFields) -> TemplateChange {
    let line = |key: &str, line: Option<WabaLine>| {
        let non_empty = |line: WabaLine| Some(line).filter(|line| !line.as_str().is_empty());
        nullable(item, key, line).map(|line| line.and_then(non_empty))
    };
    let buttons = fields.buttons.map(|list| buttons(item, list));
    let attachment = fields.attachment.map(|file| TemplateFile {
        id: file.id,
        name: file.name,
        kind: file.kind,
    });
    let header_kind = fields.waba_header_type.map(|kind| kind.0);
    let category = fields.waba_category.map(|category| category.0);
    let no_buttons = item.is_null("buttons").then(Vec::new);
    TemplateChange {
        name: None,
        content: None,
        external_id: nullable(item, "external_id", fields.external_id),
        is_editable: fields.is_editable,
        kind: fields.kind,
        buttons: buttons.or(no_buttons),
        attachment: nullable(item, "attachment", attachment),
        header: line("waba_header", fields.waba_header),
        header_kind: nullable(item, "waba_header_type", header_kind).map(Option::flatten),
        footer: line("waba_footer", fields.waba_footer),
        category: nullable(item, "waba_category", category).map(Option::flatten),
        language: line("waba_language", fields.waba_language),
        examples: fields.waba_examples.map(|examples| examples.0),
    }
}

/// The value of a field that null ends; `None` when it is not given.
fn nullable<T>(item: &ObjectReader<'_, '_>, key: &str, value: Option<T>) -> Option<Option<T>> {
    match value {
        None if item.is_null(key) => Some(None),
        given => given.map(Some),
    }
}

/// The buttons; too many, and those of another kind than the first, are reported.
fn buttons(item: &ObjectReader<'_, '_>, list: List<ButtonBody, BUTTONS_MAX>) -> Vec<Button> {
    let count = list.0.len();
    let reject = |detail: String| item.reject("buttons", ViolationCode::InvalidValue, detail);
    if count > BUTTONS_MAX {
        reject(format!(
            "expected at most {BUTTONS_MAX} buttons, found {count}"
        ));
    }
    let bodies: Vec<ButtonBody> = list.0.into_iter().flatten().collect();
    let kind = bodies.first().map(|button| button.kind);
    if bodies.iter().any(|button| Some(button.kind) != kind) {
        reject(
            "all buttons of a template are of one kind: of the type inline, or of the type url"
                .to_owned(),
        );
    }
    let all = bodies.into_iter().map(|button| Button {
        text: button.text,
        url: button.url.filter(|_| button.kind == ButtonKind::Url),
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(body: &str) -> Result<TemplateSettings, Vec<String>> {
        parse_new(body.as_bytes())
            .map(|mut items| items.remove(0).value)
            .map_err(|error| {
                let BatchError::Wrong(wrong) = error else {
                    panic!("{body}: {error:?}");
                };
                let violations = wrong.iter().flat_map(|item| item.violations.kept());
                violations
                    .map(|it| format!("{} {:?}", it.path, it.code))
                    .collect()
            })
    }

    #[test]
    fn a_template_needs_a_name_and_a_text() {
        let missing = ["name FieldMissing", "content FieldMissing"];
        assert_eq!(new("[{}]"), Err(missing.map(str::to_owned).to_vec()));
        let result = new(
            r#"[{"name":"N","content":"Hi {{name}}","request_id":"a","buttons":null,
            "attachment":null,"external_id":null,"is_editable":null,"type":"amocrm"}]"#,
        );
        let settings = result.unwrap();
        assert_eq!(settings.kind, TemplateKind::Amocrm);
        assert_eq!((settings.buttons, settings.attachment), (Vec::new(), None));
        assert!(!settings.is_editable);
    }

    #[test]
    fn everything_that_is_wrong_with_buttons_is_reported() {
        let body = r#"[{"name":"N","content":"C","buttons":[{"type":"inline","text":"Yes"},
            {"type":"url","text":"Site"},{"type":"dance","text":""}]}]"#;
        let wrong = [
            "buttons.1.url FieldMissing",
            "buttons.2.type NotSupportedChoice",
            "buttons.2.text InvalidValue",
        ];
        let violations = new(body).unwrap_err();
        for path in wrong {
            assert!(
                violations.iter().any(|it| it == path),
                "{path}: {violations:?}"
            );
        }
        let both = r#"[{"name":"N","content":"C","buttons":[{"type":"inline","text":"Yes"},
            {"type":"url","text":"Site","url":"https://a.example"}]}]"#;
        assert_eq!(new(both).unwrap_err(), ["buttons InvalidValue"]);
        let button = r#"{"type":"inline","text":"Yes"}"#;
        let many = [button; 11].join(",");
        let body = format!(r#"[{{"name":"N","content":"C","buttons":[{many}]}}]"#);
        assert_eq!(new(&body).unwrap_err(), ["buttons InvalidValue"]);
    }

    #[test]
    fn examples_are_an_object_or_an_empty_list() {
        let of = |examples: &str| {
            let body = format!(r#"[{{"name":"N","content":"C","waba_examples":{examples}}}]"#);
            new(&body).map(|settings| settings.waba.examples)
        };
        assert_eq!(of("[]"), Ok(BTreeMap::new()));
        let one = BTreeMap::from([("{{name}}".to_owned(), "Ada".to_owned())]);
        assert_eq!(of(r#"{"{{name}}":"Ada"}"#), Ok(one));
        assert_eq!(of("[1]").unwrap_err(), ["waba_examples InvalidType"]);
        let wrong = of(r#"{"{{name}}":7}"#).unwrap_err();
        assert_eq!(wrong, ["waba_examples.{{name}} InvalidType"]);
        let fields = (0..51).map(|number| format!(r#""{number}":"x""#));
        let many = fields.collect::<Vec<_>>().join(",");
        assert!(of(&format!("{{{many}}}")).is_err());
    }

    #[test]
    fn null_ends_what_a_change_names() {
        let body = br#"{"external_id":null,"attachment":null,"buttons":null,"waba_footer":"","name":null}"#;
        let change = parse_change(body).unwrap();
        let ends = TemplateChange {
            external_id: Some(None),
            attachment: Some(None),
            buttons: Some(Vec::new()),
            footer: Some(None),
            ..TemplateChange::default()
        };
        assert_eq!(change, ends);
        assert_eq!(parse_change(b"{}"), Ok(TemplateChange::default()));
    }

    #[test]
    fn a_long_reason_of_a_rejection_is_refused() {
        let body = |length: usize| {
            let reason = "x".repeat(length);
            format!(r#"{{"status":"rejected","reject_reason":"{reason}"}}"#)
        };
        assert!(ReviewAnswer::read(body(65_535).as_bytes()).is_ok());
        let Err(BodyError::Invalid(wrong)) = ReviewAnswer::read(body(65_536).as_bytes()) else {
            panic!("it is read");
        };
        assert_eq!(wrong.kept().first().unwrap().path, "reject_reason");
        assert!(ReviewAnswer::read(br#"{"status":"draft"}"#).is_err());
    }
}
