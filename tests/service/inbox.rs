//! The inbox, `/inbox/v1`.

mod conversations;
mod media;
mod messages;
mod reply;
