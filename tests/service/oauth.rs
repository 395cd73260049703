//! The install flow: consent, code, tokens, refresh, uninstall, and what is said of every mistake.

mod consent;
mod flow;
mod operator;
mod refusals;
mod uninstall;
