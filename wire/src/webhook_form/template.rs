//! A template whose review is asked for.

use crate::domain::templates::review::ReviewStatus;
use crate::domain::templates::template::{Template, TemplateKind};
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::writer::FormWriter;

/// A template with its reviews.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateItem<'r> {
    pub(super) template: &'r Template,
}

impl TemplateItem<'_> {
    pub(super) fn write(self, account: &HookAccount<'_>, form: &mut FormWriter) {
        let Self { template } = self;
        let settings = &template.settings;
        form.put("id", template.id);
        form.put("type", settings.kind);
        form.put("account_id", account.number);
        form.put("name", &settings.name);
        form.put("content", &settings.content);
        form.put("created_at", template.created_at.secs());
        form.put("updated_at", template.updated_at.secs());
        form.put_flag("is_editable", settings.is_editable);
        form.each("reviews", &template.reviews, |form, review| {
            form.put("id", review.id);
            form.put_some("source_id", review.source);
            form.put("status", review.status);
            form.put("reject_reason", &review.reject_reason);
        });
        form.put_flag(
            "is_on_review",
            template.review_status() == ReviewStatus::Review,
        );
        let waba = Some(&settings.waba).filter(|_| settings.kind == TemplateKind::Waba);
        let line = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let footer = waba.and_then(|waba| waba.footer.as_ref());
        form.put("waba_footer", line(footer.map(|it| it.as_str())));
        let category = waba.and_then(|waba| waba.category);
        form.put("waba_category", line(category.map(|it| it.as_str())));
        let language = waba.and_then(|waba| waba.language.as_ref());
        form.put("waba_language", line(language.map(|it| it.as_str())));
    }
}
