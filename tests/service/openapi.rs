//! `GET /openapi.json`: what it tells is what the service does. That whatever any test is answered is described there is
//! checked by `support::described`, for every answer.

mod bodies;
mod cases;
mod readers;
mod routes;
