//! The server that the service is compared with: the same HTTP library with as many workers, and handlers that do less.

use std::path::Path;

use actix_web::rt::System;
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use anyhow::{Context, Result};
use switchboard_actors::domain::signature::Signer;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::wire::chat_body::{Rules, send};

use crate::requests;
use crate::server::WORKERS;

/// Where a request is answered without a look at it.
pub(crate) const NOOP: &str = "/noop";
/// Where signature and body are checked and nothing is stored.
pub(crate) const VERIFIED: &str = "/verified";

/// The time that bodies are judged by: later than that of every body here.
const NOW: UnixMillis = UnixMillis::new(1_800_000_000_000);

/// Serves until a signal ends the process, and writes the address to `ready` as the service does.
///
/// # Errors
/// When the server cannot listen, or the file cannot be written.
pub(crate) fn serve(ready: &Path) -> Result<()> {
    let signer = Data::new(requests::signer()?);
    System::new().block_on(async move {
        let server = HttpServer::new(move || {
            App::new()
                .app_data(Data::clone(&signer))
                .route(NOOP, web::post().to(noop))
                .route(VERIFIED, web::post().to(verified))
        });
        let server = server.workers(WORKERS).bind(("127.0.0.1", 0))?;
        let addresses = server.addrs();
        let address = addresses.first().context("the server has no address")?;
        let text = serde_json::json!({ "address": address }).to_string();
        // A program that waits for the file finds it complete.
        let unfinished = ready.with_extension("unfinished");
        std::fs::write(&unfinished, text).context("cannot write the ready file")?;
        std::fs::rename(&unfinished, ready).context("cannot write the ready file")?;
        Ok(server.run().await?)
    })
}

/// Takes the body off the wire: what such a request costs at least.
async fn noop(_body: Bytes) -> HttpResponse {
    HttpResponse::Ok().finish()
}

/// What the send operation does before it asks for the scope and stores: signature and strict parsing.
async fn verified(request: HttpRequest, body: Bytes, signer: Data<Signer>) -> HttpResponse {
    let signature = request.headers().get("X-Signature");
    if !signature.is_some_and(|value| signer.verify(&body, value.as_bytes())) {
        return HttpResponse::Forbidden().finish();
    }
    match send::parse(&body, Rules::V2019, NOW) {
        Ok(message) => HttpResponse::Ok().body(message.msgid.as_str().to_owned()),
        Err(_wrong) => HttpResponse::BadRequest().finish(),
    }
}
