//! The servers that the service is compared with: the same HTTP library with as many workers, and handlers that do less.

mod floor;
mod group_commit;
mod postgres;
mod received;

use std::fs::File;
use std::path::Path;

use actix_web::rt::System;
use actix_web::web::{self, Bytes, Data, ServiceConfig};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use anyhow::{Context, Result, bail};
use switchboard_actors::domain::signature::Signer;

use self::group_commit::{Committer, Journal};
use self::postgres::Pool;
use crate::options::Target;
use crate::requests;
use crate::server::{ACCOUNT, CHANNEL, WORKERS};

/// Serves as this target until a signal ends the process, and writes the address to `ready` as the service does. What it
/// stores is beside that file.
///
/// # Errors
/// When the server cannot listen, or a file cannot be written.
pub(crate) fn serve(target: Target, ready: &Path) -> Result<()> {
    let path = requests::scope_path(CHANNEL, ACCOUNT);
    let signer = Data::new(requests::signer()?);
    match target {
        Target::Noop => listen(ready, move |app| {
            app.route(&path, web::post().to(noop));
        }),
        Target::Verified => listen(ready, move |app| {
            app.app_data(Data::clone(&signer))
                .route(&path, web::post().to(verified));
        }),
        Target::Floor => {
            let file = File::create_new(ready.with_file_name("journal"))
                .context("cannot create the journal")?;
            let committer = Committer::start(file)?;
            listen(ready, move |app| {
                app.app_data(Data::clone(&signer))
                    .app_data(Journal::new(committer.clone()))
                    .route(&path, web::post().to(floor::store));
            })
        }
        Target::Postgres => {
            let home = ready
                .parent()
                .context("the ready file has no directory")?
                .to_owned();
            System::new().block_on(postgres::prepare(&home))?;
            listen(ready, move |app| {
                app.app_data(Data::clone(&signer))
                    .app_data(Pool::new(&home))
                    .route(&path, web::post().to(postgres::store));
            })
        }
        Target::Send
        | Target::Interval
        | Target::Hooked
        | Target::Against
        | Target::Users
        | Target::Bare
        | Target::Reply => bail!("{target} is no server to compare with"),
    }
}

/// Serves what `configure` adds on each worker.
fn listen(
    ready: &Path,
    configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
) -> Result<()> {
    System::new().block_on(async move {
        let app = move || App::new().configure(configure.clone());
        let server = HttpServer::new(app)
            .workers(WORKERS)
            .bind(("127.0.0.1", 0))?;
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

/// Verifies and parses, as the send operation does before it asks for the scope and stores.
async fn verified(request: HttpRequest, body: Bytes, signer: Data<Signer>) -> HttpResponse {
    match received::message(&request, &body, &signer) {
        Ok(message) => HttpResponse::Ok().body(message.msgid.as_str().to_owned()),
        Err(status) => HttpResponse::new(status),
    }
}
