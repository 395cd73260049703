//! The inbox, `/inbox/v1`.

mod conversations;
mod messages;
mod reply;
mod session;
