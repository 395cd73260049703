//! `/metrics`: names, kinds and labels are what `docs/metrics.md` says, however much is stored.

use std::collections::{BTreeMap, BTreeSet};

use crate::delivery::{act, conversation, delivery_is};
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server, Setup};

/// The names of labels; their values are words of closed sets.
const LABELS: [&str; 6] = ["quota", "class", "reason", "health", "status", "le"];

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

/// What the document says: name and kind of each.
fn documented() -> BTreeMap<String, String> {
    let text = include_str!("../../../docs/metrics.md");
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| `switchboard_"));
    rows.map(|row| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        let name = cells.next().unwrap().trim_matches('`').to_owned();
        (name, cells.next().unwrap().to_owned())
    })
    .collect()
}

#[tokio::test]
async fn metric_names_and_types_match_the_document() {
    let archive = tempfile::tempdir().unwrap();
    let setup = Setup::default().archive(archive.path());
    let setup = setup.setting("shared_log", "to = \"archive\"");
    let setup = setup.setting("shared_log", "node = \"a\"");
    crate::shared_log::begin(archive.path(), "a").await;
    let server = setup.start().await;
    let page = scrape(&server).await;
    let mut documented = documented();
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
    assert_eq!(before, after);
    for series in after {
        let Some((_, labels)) = series.split_once('{') else {
            continue;
        };
        let (name, value) = labels.trim_end_matches('}').split_once('=').unwrap();
        assert!(LABELS.contains(&name), "{series}");
        assert!(value.len() <= 20 && !value.contains('-'), "{series}");
    }
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
