//! The service as integrations and account users meet it: the real binary, over HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking"
)]

#[path = "../support/kit.rs"]
mod support;

mod account;
mod archive;
mod bad_requests;
mod callback;
mod catalogue;
mod chat;
mod cli;
mod clients;
mod command_line;
mod config;
mod console;
mod crash;
mod delivery;
mod dev;
mod erasure;
mod exam;
mod formats;
mod guide;
mod hooks;
mod import;
mod inbox;
mod kits;
mod limits;
mod mcp;
mod oauth;
mod openapi;
mod operator;
mod packaging;
mod parsers;
mod power_cut;
mod readme;
mod reasons;
mod relay;
mod rights;
mod roles;
mod server;
mod shared_log;
mod store_damage;
mod users;
