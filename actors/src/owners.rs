//! The owners: which states have actors of their own, and the changes that two of them decide on. What they decide is in
//! [`crate::domain`], how they are kept alive in the engine's runtime.

pub(crate) mod assign_owners;
pub(crate) mod canned_replies;
pub(crate) mod conversation;
pub(crate) mod crm;
pub(crate) mod drafts;
pub(crate) mod installation;
pub(crate) mod oauth;
pub(crate) mod roles;
pub(crate) mod salesbots;
pub(crate) mod scheduled_replies;
pub(crate) mod scope;
pub(crate) mod team_notes;
pub(crate) mod templates;
pub(crate) mod webhooks;
