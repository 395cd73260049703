//! The bodies of users and roles, `/api/v4/users` and `/api/v4/roles`.
//!
//! Unknown keys are ignored at the top and in `rights` (the vendor's library sends some), but not where a misspelt key
//! would remove or grant a right: `docs/compatibility.md`, «The account interface». The violations of all items of a
//! batch are reported at once.

pub mod batch;
pub mod chats;
pub mod complex_leads;
pub mod crm;
pub mod custom_fields;
pub mod entries;
pub mod entry;
pub mod event_names;
pub mod items;
pub mod links;
pub mod list_message;
pub mod notes;
pub mod pipelines;
mod placing;
pub mod rights;
pub mod roles;
pub mod salesbots;
pub mod sources;
pub mod tags;
pub mod talks;
pub mod tasks;
pub mod templates;
pub mod unsorted;
pub mod user_ids;
pub mod users;
pub mod webhooks;

#[cfg(test)]
mod tests;
