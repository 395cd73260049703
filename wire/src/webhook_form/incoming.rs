//! A message of a customer.

use crate::domain::chat::message::PostedMessage;
use crate::domain::conversation::Received;
use crate::domain::crm::entity::EntityKind;
use crate::webhook_form::context::ConversationContext;
use crate::webhook_form::message::Message;
use crate::webhook_form::note::element_number;
use crate::webhook_form::writer::FormWriter;

/// A message of a customer.
#[derive(Clone, Debug)]
pub(super) struct IncomingItem<'r> {
    pub(super) received: &'r Received,
    /// The body, if it is readable.
    pub(super) posted: Option<Box<PostedMessage>>,
    pub(super) context: &'r ConversationContext<'r>,
}

impl IncomingItem<'_> {
    pub(super) fn write(&self, form: &mut FormWriter) {
        let message = Message::received(self.received, self.posted.as_deref(), self.context);
        message.write_head(self.context, form);
        if let Some(lead) = self.context.talk() {
            let kind = EntityKind::Leads;
            form.put("element_type", element_number(kind));
            form.put("entity_type", kind.singular());
            form.put("element_id", lead.id);
            form.put("entity_id", lead.id);
        }
        form.put("type", "incoming");
        message.author.write("author", form);
        form.put("origin", self.context.channel);
        message.write_file(form);
    }
}
