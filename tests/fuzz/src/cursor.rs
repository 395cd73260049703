//! Places in lists, which clients hand back, and the keys of rows: what is read is what was written.

use std::fmt::Debug;

use switchboard_actors::domain::keys;
use switchboard_actors::system::deliveries::DeliveryCursor;
use switchboard_actors::system::inbox::ConversationCursor;
use switchboard_actors::system::operator::audit::AuditCursor;

/// Reads the bytes as each cursor, and as keys.
pub fn check(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        survives(
            text,
            ConversationCursor::from_text,
            ConversationCursor::to_text,
        );
        survives(text, DeliveryCursor::from_text, DeliveryCursor::to_text);
        survives(text, AuditCursor::from_text, AuditCursor::to_text);
    }
    if let Some((scope, conversation, number)) = keys::read_queue_row(data) {
        assert_eq!(keys::queue_row(&scope, conversation, number), data);
        assert_eq!(
            keys::queue_of_row(data),
            Some(&*keys::queue_prefix(&scope, conversation))
        );
    }
    if let Some(scope) = keys::parse_scope_row(data) {
        assert_eq!(keys::scope_row(&scope), data);
    }
    if let Some((account, user)) = keys::parse_credentials_name(data) {
        assert_eq!(keys::credentials_name(account, user), data);
    }
    if let Some((account, hook)) = keys::people::parse_hook_row(data) {
        assert_eq!(keys::people::hook_row(account, &hook), data);
    }
    if let Some(holder) = keys::people::holder_of_row(data) {
        assert!(data.ends_with(&keys::credentials_name(holder.account, holder.user)));
    }
}

#[track_caller]
fn survives<C: Debug + PartialEq>(
    text: &str,
    read: impl Fn(&str) -> Option<C>,
    write: impl Fn(&C) -> String,
) {
    if let Some(cursor) = read(text) {
        let bytes = write(&cursor);
        assert_eq!(bytes, text.to_ascii_lowercase());
        assert_eq!(read(&bytes), Some(cursor));
    }
}
