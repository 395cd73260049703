//! The inbox, `/inbox/v1`.

mod conversations;
mod events;
mod fetched;
mod listeners;
mod media;
mod messages;
mod read;
mod reply;
mod search;
mod session;
mod write_first;
