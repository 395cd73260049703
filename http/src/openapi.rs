//! `GET /openapi.json`: every address of the service, as OpenAPI 3.1 has it.
//!
//! What an operation takes and answers is said beside its handler; here it is put together, once.

mod asker;
mod operation;
mod refusal;
mod security;
mod value;
mod webhooks;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Map, Value, json};
use switchboard_actors::wire::schema::Parts;
pub(crate) use switchboard_actors::wire::schema::{Field, SECRET, Schema, may, must};

pub(crate) use self::asker::{Asker, Tag};
pub(crate) use self::operation::Operation;
pub(crate) use self::value::{Kind, Millis, Nullable, Seconds, Url};
use crate::all_addresses;
use crate::asset::Asset;

/// The document as it is served.
static SERVED: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("application/json", document().to_string().into()));

pub async fn get(request: HttpRequest) -> HttpResponse {
    SERVED.answer(&request, &[])
}

pub(crate) fn describe() -> Operation {
    Operation::service("getOpenApi", "Get the OpenAPI document.")
        .answers(200, "The document.", Schema::object([]).open())
        .answers_nothing(304, "What the client has is right.")
}

const ABOUT: &str = "\
A chat-channel service: signed chat interface, accounts, leads, ordered callbacks. A 2xx means: on disk.\n\n\
HEAD works where GET does. Other methods that an address does not take are answered with 405 and `Allow`, addresses \
that are not here with 404, a path beyond 2,048 bytes with 414, a foreign `Host` with 421; each in the form of errors \
of the interface that was asked. Objects of answers hold the fields that are named and no others.\n\n\
The header `X-Request-Id` of each answer has the id of the request in the log of the service. `/admin/v1/requests` has the \
recorded requests of programs under the same ids.";

/// The whole document.
pub fn document() -> Value {
    let (mut paths, mut parts) = (Map::new(), Parts::new());
    for address in all_addresses() {
        let mut methods = Map::new();
        for (method, describe) in address.operations {
            let (operation, schemas) = describe().written(method);
            methods.insert(method.to_ascii_lowercase(), operation);
            parts.extend(schemas);
        }
        paths.insert(address.path.to_owned(), methods.into());
    }
    let (webhooks, schemas) = webhooks::all();
    parts.extend(schemas);
    let schemas: Map<String, Value> = parts.into_iter().collect();
    let tags: Vec<Value> = Tag::ALL
        .iter()
        .map(|(tag, says)| json!({ "name": tag.word(), "description": says }))
        .collect();
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Switchboard",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "MIT", "identifier": "MIT" },
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "webhooks": webhooks,
        "components": { "schemas": schemas, "securitySchemes": security::schemes() },
    })
}
