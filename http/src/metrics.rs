//! `GET /metrics`: what is counted, as Prometheus reads it (the text format of `OpenMetrics`). `docs/metrics.md` explains
//! each of them. Labels are words of closed sets: never an id, so their number does not grow with what is stored.

mod machine;
pub(crate) mod node;
mod page;
mod pools;
mod relays;
pub(crate) mod requests;
pub(crate) mod route_times;

use std::fmt;

use actix_web::{HttpResponse, web};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::registry::Registry;
use switchboard_actors::domain::account_quota::QuotaKind;
use switchboard_actors::domain::derive::InstallationId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::hooks::WebhookCounts;
use switchboard_actors::system::metrics::{HEALTHS, Metrics};
use switchboard_network::limits::data_directory::DataSpace;
use switchboard_network::limits::process::ProcessUse;

use self::pools::PoolsRead;
use crate::archiver::ArchiveStatus;
use crate::metrics::page::Page;
use crate::metrics::relays::RelaysRead;
use crate::node::NodeStatus;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The media type of what is answered.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(crate) async fn metrics(state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let node = state.node().map(|node| node.status());
    let scrape = Scrape {
        answers: node.as_ref().is_none_or(|node| node.answers) && !state.is_draining(),
        installation: state.system().installation(),
        metrics: state.system().metrics().await?,
        quota_refusals: state.system().quota_refusals(),
        requests: state.requests().read(),
        routes: state.requests().route_times().read(),
        in_flight: state.in_flight_now(),
        disk: state.data_directory().and_then(DataSpace::read),
        pools: PoolsRead::new(&state),
        archive: state.archiver().map(|archiver| archiver.status()),
        webhooks: state.system().webhook_counts().await?,
        relays: RelaysRead {
            relays: state.system().relays().iter().map(|it| it.read()).collect(),
            healths: state.system().relay_healths().await?,
        },
        node,
        now: state.now(),
    };
    Ok(answer(scrape))
}

/// Everything that is collected, as Prometheus reads it.
fn answer(collected: impl Collector) -> HttpResponse {
    let mut registry = Registry::with_prefix("switchboard");
    registry.register_collector(Box::new(collected));
    let mut of_every_process = Registry::default();
    of_every_process.register_collector(Box::new(Process(ProcessUse::read())));
    let mut text = String::new();
    // Writing into memory cannot fail.
    encode_registry(&mut text, &registry).unwrap_or_default();
    encode_registry(&mut text, &of_every_process).unwrap_or_default();
    encode_eof(&mut text).unwrap_or_default();
    HttpResponse::Ok().content_type(MEDIA_TYPE).body(text)
}

/// The figures counted at the moment of a scrape.
#[derive(Debug)]
struct Scrape {
    metrics: Metrics,
    quota_refusals: [(QuotaKind, u64); 4],
    requests: requests::RequestsRead,
    routes: Vec<route_times::RouteTimesRead>,
    in_flight: usize,
    disk: Option<DataSpace>,
    pools: PoolsRead,
    archive: Option<ArchiveStatus>,
    webhooks: WebhookCounts,
    relays: RelaysRead,
    node: Option<NodeStatus>,
    /// True if requests are answered: not while the service stops, nor behind the lease of a shared log.
    answers: bool,
    installation: InstallationId,
    now: UnixMillis,
}

/// The process at the moment of a scrape.
#[derive(Debug)]
struct Process(Option<ProcessUse>);

impl Collector for Process {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Written {
        match &self.0 {
            Some(process) => machine::process(&mut Page(encoder), process),
            None => Ok(()),
        }
    }
}

type Written = Result<(), fmt::Error>;

impl Collector for Scrape {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Written {
        let mut page = Page(encoder);
        machine::build(&mut page)?;
        self.callbacks_so_far(&mut page)?;
        self.callbacks_now(&mut page)?;
        self.webhooks(&mut page)?;
        self.relays.write(&mut page, self.now)?;
        self.store(&mut page)?;
        if let Some(space) = &self.disk {
            machine::disk(&mut page, space)?;
        }
        self.archive(&mut page)?;
        if let Some(node) = &self.node {
            node::node(&mut page, node)?;
        }
        self.http(&mut page)?;
        self.pools.write(&mut page, self.metrics.in_flight)
    }
}

impl Scrape {
    fn callbacks_so_far(&self, page: &mut Page<'_>) -> Written {
        let counters = &self.metrics.counted;
        page.count(
            "dispatch_accepted",
            "Callbacks added to the delivery queues",
            counters.accepted,
        )?;
        page.counts(
            "dispatch_refused",
            "Callbacks refused by a quota (backpressure)",
            "quota",
            &counters.refused,
        )?;
        let refusals = self
            .quota_refusals
            .map(|(kind, count)| (kind.as_str(), count));
        page.counts(
            "account_quota_refused",
            "Messages and uploads refused by a quota of their account",
            "quota",
            &refusals,
        )?;
        page.counts(
            "dispatch_attempts",
            "Finished attempts by outcome",
            "class",
            &counters.attempts,
        )?;
        page.count(
            "dispatch_delivered",
            "Callbacks delivered",
            counters.delivered,
        )?;
        page.counts(
            "dispatch_dead",
            "Dead callbacks: their retries ended without success",
            "reason",
            &counters.dead,
        )?;
        page.counts(
            "dispatch_cancelled",
            "Callbacks cancelled",
            "reason",
            &counters.cancelled,
        )?;
        page.count(
            "dispatch_replayed",
            "Callbacks that an operator replayed",
            counters.replayed,
        )?;
        page.counts(
            "pushes",
            "Pushes of notifications to browsers by outcome",
            "outcome",
            &counters.pushes,
        )?;
        page.times(
            "dispatch_first_attempt_seconds",
            "Time from the acceptance of a callback to its first attempt",
            &counters.first_attempt,
        )?;
        page.times(
            "dispatch_delivery_seconds",
            "Time from the acceptance of a callback to its delivery",
            &counters.delivered_after,
        )
    }

    fn callbacks_now(&self, page: &mut Page<'_>) -> Written {
        let all = &self.metrics;
        page.gauge("dispatch_queued", "Queued callbacks", all.queued)?;
        page.gauge(
            "dispatch_held",
            "Queued callbacks whose endpoint is paused or disabled",
            all.held,
        )?;
        page.gauge(
            "dispatch_in_flight",
            "Attempts in flight",
            wide(all.in_flight),
        )?;
        page.gauge(
            "dispatch_waiting",
            "Conversations in memory whose next callback waits for a retry",
            wide(all.waiting),
        )?;
        page.gauge(
            "dispatch_conversations",
            "Conversations in memory with queued callbacks",
            wide(all.queues),
        )?;
        let oldest = all
            .oldest
            .map_or(0, |oldest| self.now.since(oldest).as_secs());
        page.gauge(
            "dispatch_oldest_age_seconds",
            "Age of the oldest queued callback in memory",
            oldest,
        )?;
        let healths: Vec<_> = HEALTHS.into_iter().zip(all.endpoints).collect();
        page.gauges(
            "dispatch_endpoints",
            "Endpoints of channels by health",
            "health",
            &healths,
        )
    }

    fn webhooks(&self, page: &mut Page<'_>) -> Written {
        let WebhookCounts { on, disabled } = self.webhooks;
        page.gauges(
            "webhooks",
            "Webhooks of all accounts",
            "state",
            &[("on", wide(on)), ("disabled", wide(disabled))],
        )
    }

    fn store(&self, page: &mut Page<'_>) -> Written {
        let (all, index) = (&self.metrics, &self.metrics.index);
        page.count("journal_records", "Records on disk", all.durable)?;
        node::writable(page, all.writable && self.answers)?;
        node::installation(page, self.installation)?;
        page.times(
            "journal_sync_seconds",
            "Time that the disk took to sync the journal",
            &all.syncs,
        )?;
        page.gauge(
            "index_pending_records",
            "Records since the last checkpoint",
            index.pending_records,
        )?;
        page.count(
            "index_checkpoints",
            "Completed checkpoints",
            index.checkpoints,
        )?;
        page.count(
            "index_checkpoints_failed",
            "Failed checkpoints",
            index.checkpoints_failed,
        )?;
        page.gauge("actors_live", "Actors in memory", wide(all.actors))?;
        page.count("actors_deaths", "Actors that panicked", all.deaths)
    }

    /// Nothing without an archive: an age of 0 would say that there is one.
    fn archive(&self, page: &mut Page<'_>) -> Written {
        let Some(archive) = &self.archive else {
            return Ok(());
        };
        page.decimal(
            "archive_age_seconds",
            "The archive may lack what was stored in this time",
            archive.age.as_secs_f64(),
        )?;
        page.count("archive_records", "Records in the archive", archive.last)?;
        page.gauge(
            "archive_failing",
            "1 while the archive does not go on, otherwise 0",
            u64::from(archive.trouble.is_some() || archive.refused.is_some()),
        )
    }

    fn http(&self, page: &mut Page<'_>) -> Written {
        page.counts(
            "http_requests",
            "Answered requests by status class",
            "status",
            &self.requests.by_status,
        )?;
        page.gauge(
            "http_requests_in_flight",
            "Requests in flight",
            wide(self.in_flight),
        )?;
        page.route_times(
            "http_request_duration_seconds",
            "Time until an answer was ready",
            &self.routes,
        )
    }
}

fn wide(value: usize) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

pub(crate) fn describe() -> Operation {
    Operation::service("getMetrics", "Get metrics for Prometheus.")
        .answers_as(
            200,
            "OpenMetrics text.",
            "application/openmetrics-text",
            Schema::text(),
        )
        .refuses(503, "Temporarily unavailable; retry.")
}
