//! `GET /admin/v1/archive`: how far the archive is. `POST /admin/v1/archive/complete`: the service sends everything to it.

use std::time::Duration;

use actix_web::{HttpResponse, web};

use crate::archive::status::{ArchiveStatus, STATES};
use crate::archive::thread::Archiver;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Operation, Seconds};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// How long a request waits until everything is archived.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn show(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    answer(&state, None).await
}

pub(crate) async fn complete(
    _: Operator,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let complete = archiver(&state)?.now(PATIENCE).await;
    answer(&state, Some(complete)).await
}

fn archiver(state: &AppState) -> Result<&Archiver, Problem> {
    let none = "the service has no archive: set archive.to in the configuration";
    state
        .archiver()
        .ok_or_else(|| Problem::NotFound(none.to_owned()))
}

async fn answer(state: &AppState, complete: Option<bool>) -> Result<HttpResponse, Problem> {
    let status = archiver(state)?.status();
    let records = state.system().metrics().await?.durable;
    let complete = complete.unwrap_or(status.last >= records);
    Ok(HttpResponse::Ok().json(Archive::of(&status, records, complete)))
}

view! {
    struct Archive<'s>(status: &'s ArchiveStatus, records: u64, complete: bool) {
        /// The address of the archive: `archive.to` of the configuration.
        to: &'s str = &status.to,
        /// `starting` until the archive has everything for the first time after the start of the service, `failing` while
        /// the service tries again, `stopped` when another process uses the archive.
        #[schemars(extend("enum" = STATES))]
        state: &'static str = status.state(),
        /// The number of starts that have used the archive.
        epoch: u64 = status.epoch,
        /// The number of the newest entry.
        entry: u64 = status.place,
        /// The number of the last record in the archive.
        archived: u64 = status.last,
        /// The number of the last record in the journal.
        records: u64 = records,
        /// Whether the archive has everything that was stored when the request came.
        complete: bool = complete,
        /// The number of files that messages refer to in the archive.
        files: u64 = status.files,
        /// The last moment at which the archive had everything.
        current_at: Option<Seconds> = status.current_at.map(Into::into),
        /// The archive may lack what was stored in this time.
        age_seconds: u64 = status.age_seconds(),
        /// Why the archive does not go on; `null` while it does.
        trouble: Option<&'s str> = status.refused.as_deref().or(status.trouble.as_deref()),
    }
}

pub(crate) fn describe_show() -> Operation {
    Operation::operator("getArchive", "Get the state of the archive.")
        .gives::<Archive<'_>>(200, "The state.")
        .refuses(404, "The service has no archive.")
}

pub(crate) fn describe_complete() -> Operation {
    Operation::operator("completeArchive", "Send everything to the archive.")
        .says("Waits for 30 seconds at most. The field `complete` says whether everything is archived.")
        .gives::<Archive<'_>>(200, "The state after that.")
        .refuses(404, "The service has no archive.")
}
