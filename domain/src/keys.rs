//! The families of keys and the orders of rows, in one place so that no two collide.

pub mod addresses;
pub mod changes;
pub mod fetch;
pub mod hooks;
pub mod notes;
pub mod people;
pub mod relays;
pub mod snooze;
pub mod sorted;
pub mod tasks;
pub mod team;
pub mod waiting;

use crate::chat::fetch::AvatarMark;
use crate::fate::Fate;
use crate::id::{
    AccountId, AuditId, ChannelId, ChatLinkId, ClientConversationId, ClientMessageId,
    ClientPersonId, ContactId, ConversationId, IdempotencyKey, LeadId, MessageId, PersonId,
    PipelineId, ScopeId, StageId, UserId,
};
use crate::time::UnixMillis;
use switchboard_engine::entries::{Key, RowBytes};

/// The newest record of a message, by the service's id of it.
#[must_use]
pub fn message(id: MessageId) -> Key {
    Key::new("message", &id)
}

/// A message of a conversation, by its number.
#[must_use]
pub fn numbered(conversation: ConversationId, number: u64) -> Key {
    Key::new("numbered", &(conversation, number))
}

/// A message of a conversation, by the integration's id of it.
#[must_use]
pub fn msgid(conversation: ConversationId, msgid: &ClientMessageId) -> Key {
    Key::new("msgid", &(conversation, msgid))
}

/// An account user's message, by its number among the outgoing ones of the conversation.
#[must_use]
pub fn outgoing(conversation: ConversationId, out: u64) -> Key {
    Key::new("outgoing", &(conversation, out))
}

/// An account user's message, by what the user's program called the request.
#[must_use]
pub fn request(conversation: ConversationId, user: UserId, request: &IdempotencyKey) -> Key {
    Key::new("request", &(conversation, user, request))
}

/// The newest report of the integration on a message.
#[must_use]
pub fn report(id: MessageId) -> Key {
    Key::new("report", &id)
}

/// The newest version of a message that was changed.
#[must_use]
pub fn edit(id: MessageId) -> Key {
    Key::new("edit", &id)
}

/// The newest name that an integration gave to a message by our id of it.
#[must_use]
pub fn named(id: MessageId) -> Key {
    Key::new("named", &id)
}

/// The reactions that people left on a message.
#[must_use]
pub fn reactions(id: MessageId) -> Key {
    Key::new("reactions", &id)
}

/// The newest message by which a customer pressed a button of a message.
#[must_use]
pub fn pressed(id: MessageId) -> Key {
    Key::new("pressed", &id)
}

/// Returns the key of the last fetch result of a message's file.
#[must_use]
pub fn fetched(id: MessageId) -> Key {
    Key::new("fetched", &id)
}

/// Returns the key of the last fetch result of a person's picture.
#[must_use]
pub fn avatar(avatar: AvatarMark) -> Key {
    Key::new("avatar seen", &avatar)
}

/// The newest state of the callback of an outgoing message.
#[must_use]
pub fn dispatch(conversation: ConversationId, out: u64) -> Key {
    Key::new("dispatch", &(conversation, out))
}

/// The newest message that describes a customer of a scope, who wrote it or got it.
#[must_use]
pub fn person(scope: &ScopeId, person: PersonId) -> Key {
    Key::new("person", &(scope, person))
}

/// The newest chat of a scope that was made for a person before there was a message.
#[must_use]
pub fn expected(scope: &ScopeId, person: PersonId) -> Key {
    Key::new("expected", &(scope, person))
}

/// Returns the key of the binding of an integration's conversation id.
#[must_use]
pub fn bound_conversation(scope: &ScopeId, client: &ClientConversationId) -> Key {
    Key::new("bound conversation", &(scope, client))
}

/// Returns the key of the binding of an integration's person id.
#[must_use]
pub fn bound_person(scope: &ScopeId, client: &ClientPersonId) -> Key {
    Key::new("bound person", &(scope, client))
}

/// The newest state of a lead.
#[must_use]
pub fn lead(account: AccountId, lead: LeadId) -> Key {
    Key::new("lead", &(account, lead))
}

/// The newest lead that came from a conversation.
#[must_use]
pub fn lead_of(conversation: ConversationId) -> Key {
    Key::new("lead of", &conversation)
}

/// The newest state of a contact.
#[must_use]
pub fn contact(account: AccountId, contact: ContactId) -> Key {
    Key::new("contact", &(account, contact))
}

/// The contact that a person has.
#[must_use]
pub fn contact_of(account: AccountId, person: PersonId) -> Key {
    Key::new("contact of", &(account, person))
}

/// The contact that a chat belongs to.
#[must_use]
pub fn chat(account: AccountId, conversation: ConversationId) -> Key {
    Key::new("chat", &(account, conversation))
}

/// Returns the key of a link between a chat and a contact, by the number of the link.
#[must_use]
pub fn chat_link(account: AccountId, link: ChatLinkId) -> Key {
    Key::new("chat link", &(account, link))
}

/// Rows of one account, or of one anything, share this many bytes at their start.
pub const PREFIX: usize = 16;

/// The place of a conversation among its account's, newest activity first.
#[must_use]
pub fn activity_row(account: AccountId, at: UnixMillis, conversation: ConversationId) -> RowBytes {
    let mut key = RowBytes::new();
    key.extend_from_slice(&account.bytes());
    key.extend_from_slice(&(u64::MAX - at.get()).to_be_bytes());
    key.extend_from_slice(&conversation.bytes());
    key
}

/// The place of a lead among those of its stage, newest first.
#[must_use]
pub fn stage_row(
    account: AccountId,
    pipeline: PipelineId,
    stage: StageId,
    lead: LeadId,
) -> Vec<u8> {
    let mut key = stage_prefix(account, pipeline, stage);
    key.extend((u64::MAX - lead.0).to_be_bytes());
    key
}

/// Returns the prefix of the rows of a stage's leads.
#[must_use]
pub fn stage_prefix(account: AccountId, pipeline: PipelineId, stage: StageId) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.extend(pipeline.0.to_be_bytes());
    key.extend(stage.0.to_be_bytes());
    key
}

/// The place of a message among those that an account user wrote.
#[must_use]
pub fn written_row(account: AccountId, user: UserId, message: MessageId) -> Vec<u8> {
    let mut key = written_prefix(account, user);
    key.extend(message.bytes());
    key
}

/// The name of the stream of a user's credentials, within its kind.
#[must_use]
pub fn credentials_name(account: AccountId, user: UserId) -> Vec<u8> {
    written_prefix(account, user)
}

/// The account and the user in a [`credentials_name`].
#[must_use]
pub fn parse_credentials_name(key: &[u8]) -> Option<(AccountId, UserId)> {
    let (account, user) = key.split_first_chunk::<16>()?;
    let user = <[u8; 8]>::try_from(user).ok()?;
    Some((
        AccountId::from_bytes(*account),
        UserId(u64::from_be_bytes(user)),
    ))
}

/// The place of a lead among those that a user answers for (`follows` is false), or whose chat the user follows: by
/// number.
#[must_use]
pub fn lead_of_row(account: AccountId, user: UserId, lead: LeadId, follows: bool) -> Vec<u8> {
    let mut key = written_prefix(account, user);
    key.extend(lead.0.to_be_bytes());
    key.push(u8::from(follows));
    key
}

/// The place of a contact among those that a user answers for: by number.
#[must_use]
pub fn contact_of_row(account: AccountId, user: UserId, contact: ContactId) -> Vec<u8> {
    let mut key = written_prefix(account, user);
    key.extend(contact.0.to_be_bytes());
    key
}

/// The place of a chat among those of a contact: in the order in which chats got contacts.
#[must_use]
pub fn chat_of_row(account: AccountId, contact: ContactId, link: ChatLinkId) -> Vec<u8> {
    let mut key = contact_prefix(account, contact);
    key.extend(link.0.to_be_bytes());
    key
}

/// The place of a lead among those of a contact: by number.
#[must_use]
pub fn lead_of_contact_row(account: AccountId, contact: ContactId, lead: LeadId) -> Vec<u8> {
    let mut key = contact_prefix(account, contact);
    key.extend(lead.0.to_be_bytes());
    key
}

/// Returns the prefix of the rows of a contact's chats, and of its leads.
#[must_use]
pub fn contact_prefix(account: AccountId, contact: ContactId) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.extend(contact.0.to_be_bytes());
    key
}

/// The place of a conversation among those of a user, newest activity first.
#[must_use]
pub fn activity_of_row(
    account: AccountId,
    user: UserId,
    at: UnixMillis,
    conversation: ConversationId,
) -> Vec<u8> {
    let mut key = written_prefix(account, user);
    key.extend((u64::MAX - at.get()).to_be_bytes());
    key.extend(conversation.bytes());
    key
}

/// Returns the prefix of the rows of a user's messages, leads, contacts and conversations.
#[must_use]
pub fn written_prefix(account: AccountId, user: UserId) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.extend(user.0.to_be_bytes());
    key
}

/// The place of an outgoing message in the queue of its channel, scope and conversation.
#[must_use]
pub fn queue_row(scope: &ScopeId, conversation: ConversationId, out: u64) -> Vec<u8> {
    let mut key = queue_prefix(scope, conversation);
    key.extend(out.to_be_bytes());
    key
}

/// Returns the prefix of the rows of a conversation's delivery queue.
#[must_use]
pub fn queue_prefix(scope: &ScopeId, conversation: ConversationId) -> Vec<u8> {
    let mut key = scope_row(scope);
    key.extend(conversation.bytes());
    key
}

/// The conversation and the number in a [`queue_row`] of this channel, with the account between them.
#[must_use]
pub fn parse_queue_row(
    channel: &ChannelId,
    key: &[u8],
) -> Option<(AccountId, ConversationId, u64)> {
    let behind = key.strip_prefix(channel_prefix(channel).as_slice())?;
    let (account, behind) = behind.split_first_chunk::<16>()?;
    let (conversation, behind) = behind.split_first_chunk::<16>()?;
    let number = <[u8; 8]>::try_from(behind).ok()?;
    Some((
        AccountId::from_bytes(*account),
        ConversationId::from_bytes(*conversation),
        u64::from_be_bytes(number),
    ))
}

/// The place of a message that did not arrive among those of its fate: by channel, scope and conversation.
#[must_use]
pub fn undelivered_row(
    fate: Fate,
    scope: &ScopeId,
    conversation: ConversationId,
    out: u64,
) -> Vec<u8> {
    let mut key = vec![fate.code()];
    key.extend(queue_row(scope, conversation, out));
    key
}

/// The place of a conversation among its account's with unread messages.
#[must_use]
pub fn unread_row(account: AccountId, conversation: ConversationId) -> RowBytes {
    let mut key = RowBytes::new();
    key.extend_from_slice(&account.bytes());
    key.extend_from_slice(&conversation.bytes());
    key
}

/// The place of an account user's message among those of its account that failed: by conversation.
#[must_use]
pub fn failed_row(account: AccountId, conversation: ConversationId, out: u64) -> RowBytes {
    let mut key = unread_row(account, conversation);
    key.extend_from_slice(&out.to_be_bytes());
    key
}

/// The scope in a [`scope_row`].
#[must_use]
pub fn parse_scope_row(key: &[u8]) -> Option<ScopeId> {
    let (length, behind) = key.split_first()?;
    let (channel, account) = behind.split_at_checked(usize::from(*length))?;
    let channel = std::str::from_utf8(channel).ok()?.parse().ok()?;
    let account = AccountId::from_bytes(<[u8; 16]>::try_from(account).ok()?);
    Some(ScopeId::new(channel, account))
}

/// Returns the beginning of a [`queue_row`] or a [`queue_prefix`], up to its scope: a [`scope_row`].
#[must_use]
pub fn scope_of_row(key: &[u8]) -> Option<&[u8]> {
    key.get(..usize::from(*key.first()?) + 17)
}

/// Returns the beginning of a [`queue_row`], up to its conversation: a [`queue_prefix`].
#[must_use]
pub fn queue_of_row(key: &[u8]) -> Option<&[u8]> {
    key.get(..usize::from(*key.first()?) + 33)
}

/// The scope, the conversation and the number in a [`queue_row`] of any channel.
#[must_use]
pub fn read_queue_row(key: &[u8]) -> Option<(ScopeId, ConversationId, u64)> {
    let scope = parse_scope_row(scope_of_row(key)?)?;
    let (_, conversation, number) = parse_queue_row(scope.channel(), key)?;
    Some((scope, conversation, number))
}

/// The place of a scope in the list of scopes, and what the rows of its queue start with.
#[must_use]
pub fn scope_row(scope: &ScopeId) -> Vec<u8> {
    let mut key = channel_prefix(scope.channel());
    key.extend(scope.account().bytes());
    key
}

/// Returns the prefix of the rows of a channel's scopes. The length stands first, so that no channel's name begins
/// another's.
#[must_use]
pub fn channel_prefix(channel: &ChannelId) -> Vec<u8> {
    let name = channel.as_str().as_bytes();
    let mut key = vec![u8::try_from(name.len()).unwrap_or(u8::MAX)];
    key.extend(name);
    key
}

/// The place of an entry in the audit log of everything, or in that of one account; newer ones behind older ones.
#[must_use]
pub fn audit_row(log: Option<AccountId>, at: UnixMillis, id: AuditId) -> Vec<u8> {
    let mut key = audit_prefix(log);
    key.extend(at.get().to_be_bytes());
    key.extend(id.bytes());
    key
}

/// Returns the prefix of the rows of an audit log.
#[must_use]
pub fn audit_prefix(log: Option<AccountId>) -> Vec<u8> {
    let mut key = vec![u8::from(log.is_some())];
    key.extend(log.into_iter().flat_map(AccountId::bytes));
    key
}

#[cfg(test)]
mod tests;
