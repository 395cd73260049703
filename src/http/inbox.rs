//! The inbox, `/inbox/v1`: conversations and messages for account users.

pub(crate) mod conversations;
pub(crate) mod explain;
pub(crate) mod me;
pub(crate) mod messages;
pub(crate) mod reply;
pub(crate) mod session;
pub(crate) mod view;
