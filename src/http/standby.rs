//! What a standby answers: how it is, and where the owner of the shared log is.

use std::net::TcpListener;

use actix_web::{HttpResponse, web};

use crate::http::health::Readiness;
use crate::http::metrics::node::page;
use crate::http::not_owner::refused;
use crate::http::server::kept::KeptConnections;
use crate::http::server::{self, Server, SmallSite};
use switchboard_replication::node::NodeState;

addresses! {
    routes:
    "/healthz" { GET crate::http::health(healthz) }
    "/readyz" { GET self(readyz) }
    "/metrics" { GET self(metrics) }
}

/// Starts to answer for a standby, and goes on with the connections that the process kept.
///
/// # Errors
/// When the operating system refuses.
pub(crate) async fn start(
    listener: TcpListener,
    node: NodeState,
    kept: KeptConnections,
) -> std::io::Result<Server> {
    let site = SmallSite {
        routes,
        data: web::Data::new(node),
        // Everything else is for the owner.
        refuse: refused,
    };
    server::start_small(listener, site, kept).await
}

async fn readyz(node: web::Data<NodeState>) -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(Readiness::of_standby(&node.status()))
}

async fn metrics(node: web::Data<NodeState>) -> HttpResponse {
    page(node.status())
}
