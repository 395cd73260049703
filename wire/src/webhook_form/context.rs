//! The facts that a form needs and a record does not carry. The caller looks them up.

use crate::domain::conversation::Customer;
use crate::domain::crm::predefined_field::FieldIds;
use crate::domain::crm::{Crm, Lead};
use crate::domain::id::{
    ChannelId, ContactId, ConversationId, MessageId, PersonId, SourceNumber, UserId,
};
use crate::domain::text::{Name, SourceId};
use crate::domain::time::UnixMillis;

/// The facts for a record of the CRM.
#[derive(Clone, Copy, Debug)]
pub struct CrmContext<'c> {
    /// The CRM: its stages, and its custom fields.
    pub crm: &'c Crm,
    /// The numbers of the predefined fields of contacts.
    pub field_ids: FieldIds,
    /// The name of the user who wrote a note. No other record needs it.
    pub note_author: Option<&'c Name>,
    /// The chat that a lead came from. No other record needs it, and no lead without a chat.
    pub chat: Option<&'c ChatContext<'c>>,
}

/// The chat that a lead came from, as it is now.
#[derive(Clone, Copy, Debug)]
pub struct ChatContext<'c> {
    /// The name of the channel.
    pub channel_name: &'c str,
    /// The title that the integration gave to the connection, or the name of the channel.
    pub title: &'c str,
    /// The customer.
    pub customer: Option<&'c Customer>,
    /// The entrance of the integration that the chat came through.
    pub source: Option<&'c SourceId>,
    /// The source of the account with that external id.
    pub source_number: Option<SourceNumber>,
    /// True when users have read everything.
    pub is_read: bool,
    /// The number of the last loud message or reply, as [`Lead::talk_is_in_work`] expects it.
    pub spoken: Option<u64>,
    /// The newest message of the customer. Only a record of an unsorted lead needs it.
    pub last_message: Option<CustomerMessage<'c>>,
}

/// A message of a customer.
#[derive(Clone, Copy, Debug)]
pub struct CustomerMessage<'c> {
    /// Its id.
    pub id: MessageId,
    /// The time of writing.
    pub written_at: UnixMillis,
    /// The text; empty when there is none.
    pub text: &'c str,
}

/// The facts for a record of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct ConversationContext<'c> {
    /// The conversation.
    pub conversation: ConversationId,
    /// Its channel.
    pub channel: &'c ChannelId,
    /// The lead that the message belongs to: the last one that the message, or an earlier one, opened.
    pub lead: Option<&'c Lead>,
    /// The contact of the chat. A lead names its own.
    pub contact: Option<ContactId>,
    /// The customer.
    pub customer: Option<&'c Customer>,
    /// The source of the account that the chat came through.
    pub source_number: Option<SourceNumber>,
    /// The number of the last loud message or reply before this one, if it is known. Only a talk that a user closed needs it;
    /// without it, the message before is taken for one.
    pub spoken_before: Option<u64>,
    /// The chat, while its lead waits for a decision: the customer's next message changes the waiting lead.
    pub unsorted: Option<&'c ChatContext<'c>>,
    /// The writer of an imported message. No other record needs it.
    pub writer: Option<MessageWriter>,
}

/// The writer of a message that was written to a customer elsewhere, and imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageWriter {
    /// An account user; `None` for one who is not there any more.
    User(Option<UserId>),
    /// The bot of the channel.
    Bot,
}

impl<'c> ConversationContext<'c> {
    /// The lead whose talk the message belongs to.
    pub(super) fn talk(&self) -> Option<&'c Lead> {
        let conversation = Some(self.conversation);
        self.lead.filter(|lead| lead.conversation() == conversation)
    }

    /// The customer, if they are this person.
    pub(super) fn customer(&self, person: PersonId) -> Option<&'c Customer> {
        self.customer.filter(|customer| customer.person == person)
    }
}
