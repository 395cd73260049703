//! `GET /admin/v1/archive`: how far the archive is. `POST /admin/v1/archive/complete`: the service sends everything to it.
//! `POST /admin/v1/archive/repair`: the service writes again what it lacks.

use std::time::Duration;

use actix_web::{HttpResponse, web};

use crate::archiver::{ArchiveStatus, Archiver, RepairStatus, STATES};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Seconds};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The longest wait of a request until everything is archived.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn get(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    answer(&state, None).await
}

pub(crate) async fn complete(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let complete = archiver(&access.state)?.complete(PATIENCE).await;
    answer(&access.state, Some(complete)).await
}

pub(crate) async fn repair(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    archiver(&access.state)?.repair(PATIENCE).await;
    answer(&access.state, None).await
}

fn archiver(state: &AppState) -> Result<&dyn Archiver, Problem> {
    let none = "the service has no archive: set archive.to in the configuration";
    state
        .archiver()
        .ok_or_else(|| Problem::NotFound(none.to_owned()))
}

async fn answer(state: &AppState, complete: Option<bool>) -> Result<HttpResponse, Problem> {
    let status = archiver(state)?.status();
    let records = state.system().metrics().await?.durable;
    let complete = complete.unwrap_or(status.last >= records);
    Ok(HttpResponse::Ok().json(Archive::new(&status, records, complete)))
}

view! {
    struct Archive<'s>(status: &'s ArchiveStatus, records: u64, complete: bool) {
        /// The address of the archive: `archive.to` of the configuration.
        to: &'s str = &status.to,
        /// `current` when the archive has everything, `behind` while it lacks the newest records, `starting` until it has
        /// everything for the first time after the start of the service, `failing` while the service tries again, `stopped` when
        /// another process uses the archive.
        #[schemars(extend("enum" = STATES))]
        state: &'static str = status.state(records),
        /// The number of starts that have used the archive.
        epoch: u64 = status.epoch,
        /// The number of the newest entry.
        entry: u64 = status.position,
        /// The number of the last record in the archive.
        archived: u64 = status.last,
        /// The number of the last record in the journal.
        records: u64 = records,
        /// True if the archive has everything that was stored when the request came.
        complete: bool = complete,
        /// The number of files that messages refer to in the archive.
        files: u64 = status.files,
        /// The last moment at which the archive had everything.
        current_at: Option<Seconds> = status.current_at.map(Into::into),
        /// The archive may lack what was stored in this time.
        age_seconds: f64 = status.age.as_secs_f64(),
        /// The reason why the archive does not go on; `null` while it does.
        trouble: Option<&'s str> = status.refused.as_deref().or(status.trouble.as_deref()),
        /// The last repair since the start of the service; `null` if there was none.
        repair: Option<ArchiveRepair<'s>> = status.repair.as_ref().map(ArchiveRepair::new),
    }
}

view! {
    struct ArchiveRepair<'s>(repair: &'s RepairStatus) {
        /// `running`, `done`, or `failed`: then not everything is written, and `reason` says why.
        #[schemars(extend("enum" = ["running", "done", "failed"]))]
        state: &'static str = match repair {
            RepairStatus::Running => "running",
            RepairStatus::Done(_) => "done",
            RepairStatus::Failed(_) => "failed",
        },
        /// The number of objects that were written again, without files.
        objects: u64 = repair.done().map_or(0, |it| it.objects),
        /// The number of files that were written again.
        files: u64 = repair.done().map_or(0, |it| it.files),
        /// Damaged objects of the archive that are not in the data directory either.
        left: &'s [String] = repair.done().map_or(&[], |it| &it.left),
        /// The reason why the repair failed; otherwise `null`.
        reason: Option<&'s str> = match repair {
            RepairStatus::Failed(reason) => Some(reason),
            RepairStatus::Running | RepairStatus::Done(_) => None,
        },
    }
}

pub(crate) fn describe_get() -> Operation {
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

pub(crate) fn describe_repair() -> Operation {
    Operation::operator("repairArchive", "Send again what the archive lacks.")
        .says(
            "Reads all of the archive and writes damaged and missing objects again from the data directory. Waits for 30 seconds at \
             most; the field `repair` of the state says whether it goes on.",
        )
        .gives::<Archive<'_>>(200, "The state after that.")
        .refuses(404, "The service has no archive.")
}
