//! The answers of a service that starts and replays its journal meanwhile.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use switchboard_actors::Replayed;

use crate::chat;
use crate::health::Readiness;
use crate::reply::chat_error::ChatError;
use crate::reply::problem::Problem;
use crate::reply::refusal;
use crate::server::{self, SmallSite};
use switchboard_connections::kept::KeptConnections;
use switchboard_connections::server::Server;

addresses! {
    routes:
    "/healthz" { GET crate::health(healthz) }
    "/readyz" { GET self(readyz) }
}

/// The time after which a client may try again.
const RETRY: Duration = Duration::from_secs(5);

/// The progress of a start.
#[derive(Debug, Default)]
pub struct StartProgress {
    records: AtomicU64,
    record: AtomicU64,
    last: AtomicU64,
}

impl StartProgress {
    /// So much of the journal is replayed.
    pub fn note(&self, replayed: Replayed) {
        self.records.store(replayed.records, Ordering::Relaxed);
        self.record.store(replayed.seq.0, Ordering::Relaxed);
        self.last.store(replayed.last.0, Ordering::Relaxed);
    }

    /// The number of records replayed.
    pub fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    fn text(&self) -> String {
        let (record, last) = (
            self.record.load(Ordering::Relaxed),
            self.last.load(Ordering::Relaxed),
        );
        match last {
            0 => "the service starts".to_owned(),
            last => format!(
                "the service starts: the journal is replayed up to record {record} of {last}"
            ),
        }
    }
}

/// Starts to answer for a service that starts, and goes on with the connections that the process kept.
///
/// # Errors
/// When the operating system refuses.
pub async fn start(
    listener: TcpListener,
    progress: Arc<StartProgress>,
    kept: KeptConnections,
) -> std::io::Result<Server> {
    let site = SmallSite {
        routes,
        data: web::Data::from(progress),
        refuse: refused,
    };
    server::start_small(listener, site, kept).await
}

async fn readyz(progress: web::Data<StartProgress>) -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(Readiness::of_start(progress.text()))
}

/// Everything else has to wait.
fn refused(path: &str, progress: &StartProgress) -> HttpResponse {
    let why = format!("{}; retry after {} s", progress.text(), RETRY.as_secs());
    let mut response = refusal(
        chat::is_chat(path),
        ChatError::NotOwner(why.clone()),
        Problem::NotOwner(why),
    );
    let seconds = header::HeaderValue::from(RETRY.as_secs());
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}
