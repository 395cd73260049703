//! The metrics of a node of a shared log.

use actix_web::HttpResponse;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use switchboard_actors::domain::derive::InstallationId;

use super::page::Page;
use super::{Written, answer, machine};
use crate::node::{NodeStatus, Role};

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
        writable(&mut page, false)?;
        if let Some(id) = self.0.installation {
            installation(&mut page, id)?;
        }
        node(&mut page, &self.0)
    }
}

/// Adds the gauge that is 1 while writes are accepted.
pub(super) fn writable(page: &mut Page<'_>, writable: bool) -> Written {
    page.gauge(
        "journal_writable",
        "1 while the service accepts writes, otherwise 0",
        u64::from(writable),
    )
}

/// The id of the installation.
pub(super) fn installation(page: &mut Page<'_>, id: InstallationId) -> Written {
    page.gauge(
        "installation_id",
        "A number that is different for each installation",
        id.get(),
    )
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
        node.position,
    )?;
    if let Some(behind) = node.behind {
        page.gauge(
            "shared_log_behind_entries",
            "Entries of the shared log that this node lacks",
            behind,
        )?;
    }
    if let Some(behind) = node.behind_for {
        page.gauge(
            "shared_log_behind_seconds",
            "This node may lack what was stored in this time",
            behind.as_secs(),
        )?;
    }
    if let Some(is_replicated) = node.is_replicated {
        page.gauge(
            "shared_log_unreplicated",
            "1 while the PostgreSQL of the shared log waits for no standby, otherwise 0",
            u64::from(!is_replicated),
        )?;
    }
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
