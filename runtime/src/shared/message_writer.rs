//! The writer of a message that was imported as one to a customer.

use crate::shared::Shared;
use switchboard_domain::account::users::Users;
use switchboard_domain::id::{AccountId, ChannelId, PersonId};
use switchboard_wire::webhook_form::MessageWriter;

/// The kind of a person on the account's side. Users that are not among these are not there any more.
pub fn message_writer(
    shared: &Shared,
    account: AccountId,
    users: Option<&Users>,
    channel: &ChannelId,
    person: PersonId,
) -> MessageWriter {
    let ids = &shared.ids;
    if ids.bot(channel) == person {
        return MessageWriter::Bot;
    }
    let mut users = users.into_iter().flat_map(Users::iter);
    let user = users.find(|user| ids.user(account, user.id) == person);
    MessageWriter::User(user.map(|user| user.id))
}
