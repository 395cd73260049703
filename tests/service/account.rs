//! The account interface, `/api/v4`.

mod access;
mod adding;
mod chats;
mod contacts;
mod leads;
mod notes;
mod sources;
mod tags;
mod talks;
