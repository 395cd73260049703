//! A message to a customer: a user or a bot wrote it here, or it was written elsewhere and imported.

use crate::domain::chat::message::PostedMessage;
use crate::domain::conversation::{Customer, Received, Replied};
use crate::webhook_form::context::ConversationContext;
use crate::webhook_form::message::{Message, Person};
use crate::webhook_form::writer::FormWriter;

/// A message to a customer.
#[derive(Clone, Debug)]
pub(super) struct OutgoingItem<'r> {
    pub(super) record: OutgoingRecord<'r>,
    pub(super) context: &'r ConversationContext<'r>,
}

/// The record of the message.
#[derive(Clone, Debug)]
pub(super) enum OutgoingRecord<'r> {
    /// It was written here.
    Replied(&'r Replied),
    /// It was imported.
    Imported {
        received: &'r Received,
        /// The receiver.
        to: &'r Customer,
        /// The body, if it is readable.
        posted: Option<Box<PostedMessage>>,
    },
}

impl OutgoingItem<'_> {
    pub(super) fn write(&self, form: &mut FormWriter) {
        let context = self.context;
        let (message, to) = match &self.record {
            OutgoingRecord::Replied(replied) => (Message::replied(replied), &replied.to),
            OutgoingRecord::Imported {
                received,
                to,
                posted,
            } => {
                let message = Message::received(received, posted.as_deref(), context);
                (message, *to)
            }
        };
        message.write_head(context, form);
        form.put("type", "outgoing");
        form.put("origin", context.channel);
        form.put_some("source_id", context.source_number);
        message.author.write("author", form);
        Person::recipient(to).write("recipient", form);
        message.write_file(form);
    }
}
