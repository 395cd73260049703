//! The hook that a record of templates causes.

use crate::domain::hooks::hook::HookObject;
use crate::domain::templates::TemplatesEvent;
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::hook::{Hook, HookItem};
use crate::webhook_form::template::TemplateItem;

/// The hook that a change of a template causes: `add_chat_template_review` when its review is asked for.
#[must_use]
pub fn hook_of_template(event: &TemplatesEvent) -> Option<Hook<'_>> {
    let template = event.now.as_deref().filter(|_| event.asks_review)?;
    Some(Hook {
        event: WebhookCode::AddChatTemplateReview,
        object: HookObject::Template(template.id),
        item: HookItem::Template(TemplateItem { template }),
    })
}
