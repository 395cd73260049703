//! `/metrics`: names, kinds and labels are what `docs/metrics.md` says, however much is stored.

use std::collections::{BTreeMap, BTreeSet};

use switchboard_engine::store::identity::FORMAT;

use crate::delivery::{act, conversation, delivery_is};
use crate::support::client::message;
use crate::support::described::DOCUMENT;
use crate::support::metrics;
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server, Setup};

/// The names of labels; their values are words of closed sets.
const LABELS: [&str; 12] = [
    "target",
    "quota",
    "class",
    "outcome",
    "reason",
    "health",
    "state",
    "status",
    "le",
    "pool",
    "version",
    "data_format",
];
/// The labels of an operation, whose values are those of the interface's description.
const OPERATION: [&str; 2] = ["method", "route"];

struct Page {
    kinds: BTreeMap<String, String>,
    values: BTreeMap<String, f64>,
}

async fn scrape(server: &Server) -> Page {
    let answer = server
        .client()
        .request("GET", "/metrics")
        .send()
        .await
        .is(200);
    assert!(
        answer
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    assert!(answer.body.ends_with("# EOF\n"));
    let mut page = Page {
        kinds: BTreeMap::new(),
        values: BTreeMap::new(),
    };
    for line in answer.body.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            page.kinds.insert(name.to_owned(), kind.to_owned());
        } else if !line.starts_with('#') {
            let (series, value) = line.rsplit_once(' ').unwrap();
            page.values
                .insert(series.to_owned(), value.parse().unwrap());
        }
    }
    page
}

impl Page {
    fn value(&self, series: &str) -> f64 {
        let value = self.values.get(&format!("switchboard_{series}"));
        *value.unwrap_or_else(|| panic!("there is no {series}"))
    }
}

#[tokio::test]
async fn metric_names_and_types_match_the_document() {
    let archive = tempfile::tempdir().unwrap();
    let setup = Setup::default()
        .archive(archive.path())
        .lines("[[relay]]\nchannel = \"shop\"\nsecret = \"s\"\nfrom = \"/relay/shop\"\nto = \"http://127.0.0.1:9/\"")
        .setting("shared_log", "to = \"archive\"")
        .setting("shared_log", "node = \"a\"");
    crate::shared_log::begin(archive.path(), "a").await;
    let server = setup.start().await;
    let page = scrape(&server).await;
    let mut documented = metrics::documented();
    // It needs a log in PostgreSQL: `an_owner_without_its_log_answers_nothing` reads it.
    documented.remove("switchboard_shared_log_unreplicated");
    assert!(documented.len() > 20);
    assert_eq!(page.kinds, documented);
}

/// Labels are words, and their number does not grow with what is stored.
#[tokio::test]
async fn metric_labels_are_words_of_bounded_number() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let before: BTreeSet<String> = scrape(&server).await.values.into_keys().collect();
    for name in ["a", "b", "c"] {
        let conversation = conversation(&server, name).await;
        let message = server.client().replied(&conversation, "hello").await;
        delivery_is(&server, &message, "delivered").await;
    }
    let after: BTreeSet<String> = scrape(&server).await.values.into_keys().collect();
    let apart_from_routes = |series: &BTreeSet<String>| -> Vec<String> {
        let series = series.iter().filter(|series| operation(series).is_none());
        series.cloned().collect()
    };
    assert_eq!(apart_from_routes(&before), apart_from_routes(&after));
    for series in &after {
        for (name, value) in labels(series) {
            if OPERATION.contains(&name) {
                continue;
            }
            assert!(LABELS.contains(&name), "{series}");
            assert!(value.len() <= 24 && !value.contains('-'), "{series}");
        }
        if let Some((method, route)) = operation(series) {
            let described = &DOCUMENT["paths"][route][method.to_lowercase()];
            let is_other = (method, route) == ("other", "other");
            assert!(described.is_object() || is_other, "{series}");
        }
    }
}

/// The labels of a series: names with values.
fn labels(series: &str) -> Vec<(&str, &str)> {
    let labels = series
        .split_once('{')
        .map_or("", |(_, labels)| labels)
        .trim_end_matches('}')
        .split(',');
    let pairs = labels.filter_map(|label| label.split_once('='));
    pairs
        .map(|(name, value)| (name, value.trim_matches('"')))
        .collect()
}

/// The method and the route of a series that has them.
fn operation(series: &str) -> Option<(&str, &str)> {
    let labels = labels(series);
    let value = |wanted| {
        let label = labels.iter().find(|(name, _)| *name == wanted);
        label.map(|(_, value)| *value)
    };
    Some((value("method")?, value("route")?))
}

#[tokio::test]
async fn times_are_counted_by_method_and_route() {
    let server = Setup::default().start().await;
    let client = server.client();
    client.connect("v2").await;
    for msgid in ["one", "two"] {
        client.send(&message(msgid, "c")).await.is(200);
    }
    client
        .request("GET", "/nowhere/secret-name")
        .send()
        .await
        .is(404);
    client.request("HEAD", "/readyz").send().await.is(200);
    let page = scrape(&server).await;
    for (method, route, count) in [
        ("POST", "/v2/origin/custom/{scope_id}", 2.0),
        ("POST", "/v2/origin/custom/{channel_id}/connect", 1.0),
        ("other", "other", 1.0),
    ] {
        let name = "http_request_duration_seconds_count";
        let series = format!("{name}{{method=\"{method}\",route=\"{route}\"}}");
        assert_eq!(page.value(&series), count, "{series}");
    }
    let all: f64 = page
        .values
        .iter()
        .filter(|(series, _)| series.contains("request_duration_seconds_count"))
        .map(|(_, count)| count)
        .sum();
    assert!(all >= 4.0, "HEAD is a request of its route, too: {all}");
    assert!(page.values.keys().all(|series| !series.contains("secret")));
}

#[tokio::test]
async fn process_disk_and_syncs_are_measured() {
    let server = Setup::default().start().await;
    server.client().connect("v2").await;
    let page = scrape(&server).await;
    assert!(page.value("journal_sync_seconds_count") >= 1.0);
    assert!(page.value("journal_sync_seconds_sum") > 0.0);
    assert!(page.value("journal_bytes") > 0.0);
    assert!(page.value("disk_free_bytes") <= page.value("disk_size_bytes"));
    for series in [
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_threads",
        "process_start_time_seconds",
    ] {
        assert!(page.values[series] > 0.0, "{series}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let build = format!("build_info{{version=\"{version}\",data_format=\"{FORMAT}\"}}");
    assert_eq!(page.value(&build), 1.0);
}

/// Pauses or resumes the channel.
async fn switch(server: &Server, what: &str) {
    let target = format!("/admin/v1/channels/{CHANNEL}/{what}");
    let switched = server.client().operate("POST", &target);
    switched.send().await.is(200);
}

#[tokio::test]
async fn events_are_counted() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 500);
    let server = Setup::default()
        .webhook(&receiver)
        .setting("dispatch", "queued_per_conversation_max = 2")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    // No callback leaves before all of this was checked.
    switch(&server, "pause").await;
    let one = client.replied(&conversation, "one").await;
    let two = client.replied(&conversation, "two").await;
    client.reply(&conversation, "three").await.is(429);
    let page = scrape(&server).await;
    assert_eq!(page.value("dispatch_queued"), 2.0);
    act(&server, &two, "discard").await.is(200);
    switch(&server, "resume").await;
    delivery_is(&server, &one, "delivered").await;
    let page = scrape(&server).await;
    for (series, value) in [
        ("dispatch_accepted_total", 2.0),
        ("dispatch_refused_total{quota=\"conversation\"}", 1.0),
        ("dispatch_attempts_total{class=\"failing\"}", 1.0),
        ("dispatch_attempts_total{class=\"delivered\"}", 1.0),
        ("dispatch_delivered_total", 1.0),
        ("dispatch_cancelled_total{reason=\"discarded\"}", 1.0),
        ("dispatch_queued", 0.0),
        ("dispatch_in_flight", 0.0),
        ("dispatch_first_attempt_seconds_count", 1.0),
        ("dispatch_delivery_seconds_count", 1.0),
        ("dispatch_delivery_seconds_bucket{le=\"+Inf\"}", 1.0),
        ("http_requests_total{status=\"5xx\"}", 0.0),
        ("journal_writable", 1.0),
    ] {
        assert_eq!(page.value(series), value, "{series}");
    }
    assert!(page.value("http_requests_total{status=\"2xx\"}") > 4.0);
    assert!(page.value("http_requests_total{status=\"4xx\"}") >= 1.0);
    assert!(page.value("journal_records_total") > 5.0);
    let healthy = page.value("dispatch_endpoints{health=\"healthy\"}");
    assert!(healthy >= 1.0);
}
