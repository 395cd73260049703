//! The install flow: consent, code, tokens, refresh, uninstall, and what is said of every mistake.

mod account_domain;
mod acting;
mod admitted;
mod consent;
mod ending;
mod flow;
mod operator;
mod refusals;
mod scopes;
mod uninstall;
