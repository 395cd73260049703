//! `/healthz`: the process is up. `/readyz`: it takes work.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::derive::InstallationId;
use switchboard_actors::error::UnavailableError;

use crate::node::NodeStatus;
use crate::openapi::{Operation, Schema};
use crate::state::AppState;

pub(crate) async fn healthz() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}

pub(crate) async fn readyz(state: web::Data<AppState>) -> HttpResponse {
    let store = state.system().writable();
    let draining = state.is_draining();
    let node = state.node().map(|node| node.status());
    // Behind the lease of a shared log another node may answer.
    let answers = node.as_ref().is_none_or(|node| node.answers) && !draining;
    // Reading goes on while the disk is full: a load balancer that follows this answer must not stop reads.
    let ready = matches!(store, Ok(()) | Err(UnavailableError::DiskFull)) && answers;
    let writable = store.is_ok() && answers;
    let store = store.map_or_else(|why| why.to_string(), |()| "ok".to_owned());
    // Data outside the damaged part is served as before until the index is rebuilt, so damage alone does not make the
    // service unready.
    let damaged = state.system().is_index_damaged();
    let checks = Checks::new(store, damaged, draining);
    let installation = Some(state.system().installation());
    let body = Readiness::new(ready, writable, checks, installation, node.as_ref());
    if ready {
        HttpResponse::Ok().json(body)
    } else {
        HttpResponse::ServiceUnavailable().json(body)
    }
}

impl Readiness<'_> {
    /// That of a service that starts.
    pub(crate) fn of_start(how_far: String) -> Self {
        Self::new(false, false, Checks::new(how_far, false, false), None, None)
    }
}

impl<'n> Readiness<'n> {
    /// That of a standby.
    pub(crate) fn of_standby(node: &'n NodeStatus) -> Self {
        let why = "the node is a standby".to_owned();
        let checks = Checks::new(why, false, false);
        Self::new(false, false, checks, node.installation, Some(node))
    }
}

view! {
    pub(crate) struct Readiness<'n>(ready: bool, writable: bool, checks: Checks, installation: Option<InstallationId>, node: Option<&'n NodeStatus>) {
        ready: bool = ready,
        /// True when the service accepts writes: false while the disk is full. Reads continue.
        writable: bool = writable,
        checks: Checks = checks,
        /// The id of the installation: nodes with different ids share nothing. A standby knows it when the shared log has begun.
        installation ?: String = installation.map(|id| id.to_string()),
        /// The node of a shared log; only with one.
        node ?: Node<'n> = node.map(Node::new),
    }

    /// A node of a shared log.
    pub(crate) struct Node<'n>(node: &'n NodeStatus) {
        /// Its name: `shared_log.node` of the configuration.
        name: &'n str = &node.node,
        /// The owner answers requests. A standby answers none.
        #[schemars(extend("enum" = ["owner", "standby"]))]
        role: &'static str = node.role.as_str(),
        /// The node that owns the log, as far as this node knows.
        owner ?: &'n str = node.owner.as_ref().map(|owner| owner.node.as_str()),
        /// The address of that node.
        owner_url ?: &'n str = node.owner.as_ref().map(|owner| owner.url.as_str()),
        /// The number of times a node has claimed the log.
        epoch: u64 = node.epoch,
        /// The number of the newest entry that this node has.
        entry: u64 = node.position,
        /// The number of entries that this node lacks; absent while it is not known.
        behind_entries ?: u64 = node.behind,
        /// This node may lack what was stored in so many seconds; absent while that is not known.
        behind_seconds ?: u64 = node.behind_for.map(|time| time.as_secs()),
        /// The reason for which the node does not go on; it tries again. The log of the service has the details.
        trouble ?: &'n str = node.trouble.as_deref(),
    }

    #[schemars(inline)]
    pub(crate) struct Checks(store: String, damaged: bool, draining: bool) {
        /// `ok`, or why nothing can be stored: writes are refused with 503.
        store: String = store,
        /// `damaged` until the service has rebuilt the index; requests for data in the damaged part get 503.
        #[schemars(extend("enum" = ["ok", "damaged"]))]
        index: &'static str = if damaged { "damaged" } else { "ok" },
        /// True when the service is stopping, or restarting itself to rebuild a damaged index.
        draining: bool = draining,
    }
}

pub(crate) fn describe_healthz() -> Operation {
    Operation::service("getHealth", "Get the liveness of the process.").answers_as(
        200,
        "It is.",
        "text/plain",
        Schema::only("ok\n"),
    )
}

pub(crate) fn describe_readyz() -> Operation {
    Operation::service("getReadiness", "Get the readiness of the service.")
        .gives::<Readiness<'_>>(200, "The service is ready.")
        .gives::<Readiness<'_>>(503, "The service is not ready, or the node is a standby.")
}
