//! What is counted of a node of a shared log.

use actix_web::HttpResponse;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::page::Page;
use super::{Written, answer, machine};
use crate::shared_log::{NodeStatus, Role};

/// The page of a standby, which has no system to count in.
pub(crate) fn page(status: NodeStatus) -> HttpResponse {
    answer(Standby(status))
}

#[derive(Debug)]
struct Standby(NodeStatus);

impl Collector for Standby {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Written {
        let mut page = Page(encoder);
        machine::build(&mut page)?;
        node(&mut page, &self.0)
    }
}

/// The lines of a node.
pub(super) fn node(page: &mut Page<'_>, node: &NodeStatus) -> Written {
    page.gauge(
        "shared_log_owner",
        "1 while this node owns the shared log and may answer, otherwise 0",
        u64::from(node.role == Role::Owner && node.answers),
    )?;
    page.gauge("shared_log_epoch", "Claims of the shared log", node.epoch)?;
    page.gauge(
        "shared_log_entry",
        "The newest entry of the shared log that this node has",
        node.place,
    )?;
    page.gauge(
        "shared_log_behind_entries",
        "Entries of the shared log that this node lacks, as far as it knows",
        node.behind,
    )?;
    page.gauge(
        "shared_log_behind_seconds",
        "This node may lack what was stored in this time",
        node.behind_for.as_secs(),
    )?;
    let (appends, took) = node.appends;
    page.count(
        "shared_log_appends",
        "Entries that this node has stored in the shared log",
        appends,
    )?;
    page.seconds(
        "shared_log_append_seconds",
        "How long these entries took in all",
        took,
    )?;
    page.count(
        "shared_log_unconfirmed",
        "Attempts to store an entry that were not confirmed",
        node.unknown,
    )
}
