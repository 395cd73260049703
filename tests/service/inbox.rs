//! The inbox, `/inbox/v1`.

mod conversations;
mod events;
mod media;
mod messages;
mod read;
mod reply;
mod session;
mod write_first;
