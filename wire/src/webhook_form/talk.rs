//! A talk: the part of a chat that belongs to one lead. It has the number of the lead.

use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::{Lead, LeadChat};
use crate::webhook_form::writer::FormWriter;

/// A talk after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct TalkItem<'r> {
    pub(super) lead: &'r Lead,
    pub(super) chat: &'r LeadChat,
    pub(super) is_in_work: bool,
    pub(super) is_read: bool,
}

impl TalkItem<'_> {
    pub(super) fn write(&self, form: &mut FormWriter) {
        let lead = self.lead;
        form.put("talk_id", lead.id);
        form.put("created_at", lead.created_at.secs());
        form.put("updated_at", lead.updated_at.secs());
        // Customers are not asked for a rating.
        form.put("rate", 0);
        form.put_some("contact_id", lead.contact);
        form.put("chat_id", self.chat.conversation);
        form.put("entity_id", lead.id);
        form.put("entity_type", EntityKind::Leads.singular());
        form.put_flag("is_in_work", self.is_in_work);
        form.put_flag("is_read", self.is_read);
        form.put("origin", self.chat.scope.channel());
    }
}
