//! The inbox, `/inbox/v1`: conversations and messages for account users.

pub(crate) mod conversations;
pub(crate) mod counts;
pub(crate) mod dismiss_failures;
pub(crate) mod explain;
pub(crate) mod listen;
pub(crate) mod mark_read;
pub(crate) mod mark_unread;
pub(crate) mod me;
pub(crate) mod messages;
pub(crate) mod react;
pub(crate) mod reply;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub(crate) mod start_conversation;
pub(crate) mod typing;
pub(crate) mod update_me;
pub(crate) mod update_my_password;
pub(crate) mod upload;
pub(crate) mod users;
pub(crate) mod view;
pub(crate) mod webhooks;
pub(crate) mod withdraw_message;
