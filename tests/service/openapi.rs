//! `GET /openapi.json`: the document matches the service. `support::described` checks that it describes every answer in
//! every test.

mod bodies;
mod cases;
mod console_words;
mod facts;
mod golden;
mod readers;
mod routes;
