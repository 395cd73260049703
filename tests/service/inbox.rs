//! The inbox, `/inbox/v1`.

mod bombs;
mod conversations;
mod drafts;
mod fetch_attempts;
mod fetched;
pub(crate) mod listen;
mod listeners;
mod mark;
mod mark_read;
mod media;
mod messages;
mod notifications;
mod own_profile;
mod reply;
mod responsible;
mod search;
mod seen;
mod session;
mod several;
pub(crate) mod snooze;
mod start;
mod team_notes;
mod templates;
mod user_names;
pub(crate) mod webhooks;
mod withdraw;
