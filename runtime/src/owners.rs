//! The owners: which states have actors of their own, and the changes that two of them decide on. What they decide is in
//! [`switchboard_domain`], how they are kept alive in the engine's runtime.

pub mod assign_owners;
pub mod canned_replies;
pub mod conversation;
pub mod crm;
pub mod drafts;
pub mod installation;
pub mod oauth;
pub mod relays;
pub mod roles;
pub mod salesbots;
pub mod saved_views;
pub mod scheduled_replies;
pub mod scope;
pub mod team_notes;
pub mod templates;
pub mod webhooks;
