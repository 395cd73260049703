//! The account interface, `/api/v4`.

mod access;
mod chats;
mod contacts;
mod leads;
mod talks;
