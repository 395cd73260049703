//! The answers of a standby: its state, and the address of the owner of the shared log.

use std::net::TcpListener;

use actix_web::{HttpResponse, web};

use crate::health::Readiness;
use crate::metrics::node::page;
use crate::node::NodeHandle;
use crate::not_owner::refused;
use crate::server::{self, SmallSite};
use switchboard_connections::kept::KeptConnections;
use switchboard_connections::server::Server;

addresses! {
    routes:
    "/healthz" { GET crate::health(healthz) }
    "/readyz" { GET self(readyz) }
    "/metrics" { GET self(metrics) }
}

/// Starts to answer for a standby, and goes on with the connections that the process kept.
///
/// # Errors
/// When the operating system refuses.
pub async fn start(
    listener: TcpListener,
    node: NodeHandle,
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

async fn readyz(node: web::Data<NodeHandle>) -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(Readiness::of_standby(&node.status()))
}

async fn metrics(node: web::Data<NodeHandle>) -> HttpResponse {
    page(node.status())
}
