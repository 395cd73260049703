//! `GET /metrics`: what is counted, as Prometheus reads it (the text format of `OpenMetrics`). `docs/metrics.md` explains
//! each of them. Labels are words of closed sets: never an id, so their number does not grow with what is stored.

pub(crate) mod node;
pub(crate) mod requests;

use std::fmt;
use std::time::Duration;

use actix_web::{HttpResponse, web};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use switchboard_actors::domain::account_quota::QuotaKind;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::metrics::{HEALTHS, Metrics, TIME_BOUNDS_MS, TimesRead};

use crate::archive::status::ArchiveStatus;
use crate::archive::thread::Archiver;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;
use crate::shared_log::{NodeState, NodeStatus};

/// The media type of what is answered.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(crate) async fn metrics(state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let scrape = Scrape {
        metrics: state.system().metrics().await?,
        quota_refusals: state.system().quota_refusals(),
        requests: state.requests().read(),
        in_flight: state.in_flight_now(),
        archive: state.archiver().map(Archiver::status),
        node: state.node().map(NodeState::status),
        now: state.now(),
    };
    Ok(answer(scrape))
}

/// Everything that is collected, as Prometheus reads it.
fn answer(collected: impl Collector) -> HttpResponse {
    let mut registry = Registry::with_prefix("switchboard");
    registry.register_collector(Box::new(collected));
    let mut text = String::new();
    // Writing into memory cannot fail.
    encode(&mut text, &registry).unwrap_or_default();
    HttpResponse::Ok().content_type(MEDIA_TYPE).body(text)
}

/// What was counted at the moment of a scrape.
#[derive(Debug)]
struct Scrape {
    metrics: Metrics,
    quota_refusals: [(QuotaKind, u64); 3],
    requests: requests::RequestsRead,
    in_flight: usize,
    archive: Option<ArchiveStatus>,
    node: Option<NodeStatus>,
    now: UnixMillis,
}

type Written = Result<(), fmt::Error>;

impl Collector for Scrape {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Written {
        let mut page = Page(encoder);
        self.callbacks_so_far(&mut page)?;
        self.callbacks_now(&mut page)?;
        self.store(&mut page)?;
        self.archive(&mut page)?;
        if let Some(node) = &self.node {
            node::node(&mut page, node)?;
        }
        self.http(&mut page)
    }
}

impl Scrape {
    fn callbacks_so_far(&self, page: &mut Page<'_>) -> Written {
        let counted = &self.metrics.counted;
        page.count(
            "dispatch_accepted",
            "Callbacks added to the delivery queues",
            counted.accepted,
        )?;
        page.counts(
            "dispatch_refused",
            "Callbacks refused by a quota (backpressure)",
            "quota",
            &counted.refused,
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
            &counted.attempts,
        )?;
        page.count(
            "dispatch_delivered",
            "Callbacks delivered",
            counted.delivered,
        )?;
        page.counts(
            "dispatch_dead",
            "Dead callbacks: their retries ended without success",
            "reason",
            &counted.dead,
        )?;
        page.counts(
            "dispatch_cancelled",
            "Callbacks cancelled",
            "reason",
            &counted.cancelled,
        )?;
        page.count(
            "dispatch_replayed",
            "Callbacks that an operator replayed",
            counted.replayed,
        )?;
        page.times(
            "dispatch_first_attempt_seconds",
            "Time from the acceptance of a callback to its first attempt",
            &counted.first_attempt,
        )?;
        page.times(
            "dispatch_delivery_seconds",
            "Time from the acceptance of a callback to its delivery",
            &counted.delivered_after,
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

    fn store(&self, page: &mut Page<'_>) -> Written {
        let (all, index) = (&self.metrics, &self.metrics.index);
        page.count("journal_records", "Records on disk", all.durable)?;
        page.gauge(
            "journal_writable",
            "1 while the service accepts writes, otherwise 0",
            u64::from(all.writable),
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
        page.gauge(
            "archive_age_seconds",
            "The archive may lack what was stored in this time",
            archive.age_seconds(),
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
        )
    }
}

/// What is written, line by line.
struct Page<'a>(DescriptorEncoder<'a>);

impl Page<'_> {
    fn count(&mut self, name: &str, help: &str, count: u64) -> Written {
        let counter = ConstCounter::new(count);
        let kind = counter.metric_type();
        counter.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    fn counts(&mut self, name: &str, help: &str, label: &str, counts: &[(&str, u64)]) -> Written {
        let kind = MetricType::Counter;
        let mut family = self.0.encode_descriptor(name, help, None, kind)?;
        for (word, count) in counts {
            let labels = [(label, *word)];
            ConstCounter::new(*count).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    fn seconds(&mut self, name: &str, help: &str, time: Duration) -> Written {
        let counter = ConstCounter::new(time.as_secs_f64());
        let kind = counter.metric_type();
        counter.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) -> Written {
        let gauge = ConstGauge::new(signed(value));
        let kind = gauge.metric_type();
        gauge.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    fn gauges(&mut self, name: &str, help: &str, label: &str, values: &[(&str, u64)]) -> Written {
        let kind = MetricType::Gauge;
        let mut family = self.0.encode_descriptor(name, help, None, kind)?;
        for (word, value) in values {
            let labels = [(label, *word)];
            ConstGauge::new(signed(*value)).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    fn times(&mut self, name: &str, help: &str, times: &TimesRead) -> Written {
        let kind = MetricType::Histogram;
        let mut encoder = self.0.encode_descriptor(name, help, None, kind)?;
        let bounds = TIME_BOUNDS_MS.into_iter().map(seconds);
        let bounds = bounds.chain([f64::INFINITY]);
        let buckets: Vec<_> = bounds.zip(times.classes).collect();
        let count = times.classes.iter().sum();
        encoder.encode_histogram::<NoLabelSet>(seconds(times.sum_ms), count, &buckets, None)
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "sums of milliseconds stay far below what a float tells exactly"
)]
fn seconds(millis: u64) -> f64 {
    millis as f64 / 1_000.0
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
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
