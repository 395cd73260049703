//! The rows by which a conversation is found: the phone numbers, the e-mail addresses and the ids of its customers.

use crate::conversation::{Conversation, Customer};
use crate::id::{AccountId, ConversationId};
use crate::keys::addresses::{Addresses, change_rows};
use crate::tables;
use switchboard_engine::entries::IndexEntries;

impl Conversation {
    /// Lists the conversation by the addresses of a customer who writes or is written to. It stays listed by those of
    /// earlier customers.
    pub(super) fn list_addresses(
        &self,
        account: AccountId,
        customer: &Customer,
        entries: &mut IndexEntries,
    ) {
        let earlier = self
            .customer
            .as_ref()
            .filter(|earlier| earlier.person == customer.person);
        let (then, now) = (earlier.map(addresses), addresses(customer));
        if then == Some(now) {
            return;
        }
        let then = then.map(|then| then.rows(account, &self.id.bytes()));
        let now = now.rows(account, &self.id.bytes());
        let table = tables::CONVERSATIONS_BY_ADDRESS;
        change_rows(table, &then.unwrap_or_default(), now, entries);
    }
}

/// Lists a conversation by all its customers, as if they had come one after another.
pub(super) fn list_all(
    conversation: ConversationId,
    account: AccountId,
    customers: &[Customer],
    entries: &mut IndexEntries,
) {
    for customer in customers {
        let rows = addresses(customer).rows(account, &conversation.bytes());
        change_rows(tables::CONVERSATIONS_BY_ADDRESS, &[], rows, entries);
    }
}

fn addresses(customer: &Customer) -> Addresses<'_> {
    Addresses {
        phone: customer.phone.as_ref(),
        email: customer.email.as_ref(),
        person: Some(customer.person),
    }
}
