//! A contact.

use crate::domain::crm::{ContactBefore, ContactChanged};
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::context::CrmContext;
use crate::webhook_form::lead::user;
use crate::webhook_form::values::{write_contact_values, write_tags};
use crate::webhook_form::writer::FormWriter;

/// A contact after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactItem<'r> {
    pub(super) changed: &'r ContactChanged,
    pub(super) context: &'r CrmContext<'r>,
}

impl ContactItem<'_> {
    pub(super) fn write(&self, account: &HookAccount<'_>, form: &mut FormWriter) {
        let contact = &self.changed.contact;
        form.put("id", contact.id);
        form.put("name", &contact.name);
        form.put("responsible_user_id", user(contact.responsible));
        let old = passed_on(self.changed).map(|before| user(before.responsible));
        form.put_some("old_responsible_user_id", old);
        form.put("date_create", contact.created_at.secs());
        form.put("last_modified", contact.updated_at.secs());
        form.put("created_user_id", user(None));
        form.put("modified_user_id", user(self.changed.by));
        write_tags(&contact.tags, form);
        form.put("account_id", account.number);
        write_contact_values(contact, self.context, form);
        form.put("created_at", contact.created_at.secs());
        form.put("updated_at", contact.updated_at.secs());
        // Companies come under the same key, where there are any.
        form.put("type", "contact");
    }
}

/// The contact before, if it has another responsible user now.
pub(super) fn passed_on(changed: &ContactChanged) -> Option<&ContactBefore> {
    let before = changed.before.as_ref()?;
    (before.responsible != changed.contact.responsible).then_some(before)
}
