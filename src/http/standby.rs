//! What a standby answers: how it is, and where the owner of the shared log is.

use std::net::TcpListener;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::chat;
use crate::http::health::{Readiness, healthz};
use crate::http::metrics::node::page;
use crate::http::precheck::ALWAYS;
use crate::http::reply::chat_error::ChatError;
use crate::http::reply::problem::Problem;
use crate::http::reply::refusal;
use crate::http::reply::unavailable::NOT_OWNER_RETRY;
use crate::http::server::kept::KeptConnections;
use crate::http::server::{self, Server};
use crate::shared_log::NodeState;

/// Starts to answer for a standby, and goes on with the connections that the process kept.
///
/// # Errors
/// When the operating system refuses.
pub(crate) async fn start(
    listener: TcpListener,
    node: NodeState,
    kept: KeptConnections,
) -> std::io::Result<Server> {
    let routes = move |routes: &mut web::ServiceConfig| {
        routes
            .app_data(web::Data::new(node.clone()))
            .route("/healthz", web::get().to(healthz))
            .route("/readyz", web::get().to(readyz))
            .route("/metrics", web::get().to(metrics))
            .default_service(web::to(elsewhere));
    };
    server::start_small(listener, routes, kept).await
}

async fn readyz(node: web::Data<NodeState>) -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(Readiness::of_standby(&node.status()))
}

async fn metrics(node: web::Data<NodeState>) -> HttpResponse {
    page(node.status())
}

/// Everything else is for the owner.
async fn elsewhere(request: HttpRequest, node: web::Data<NodeState>) -> HttpResponse {
    refused(request.path(), &node)
}

/// Refuses a request that an owner must not answer behind its lease.
pub(crate) fn not_owner(path: &str, node: &NodeState) -> Option<HttpResponse> {
    (!node.answers() && !ALWAYS.contains(&path)).then(|| refused(path, node))
}

/// Refuses a request that only the owner of the log answers, in the form of the interface that was addressed.
pub(crate) fn refused(path: &str, node: &NodeState) -> HttpResponse {
    let status = node.status();
    let why = match &status.owner {
        Some(owner) if owner.node != status.node => {
            format!("this node is a standby; {owner} owns the shared log")
        }
        Some(_) | None => "the shared log does not confirm that this node owns it".to_owned(),
    };
    let why = format!("{why}; retry after {} s", NOT_OWNER_RETRY.as_secs());
    let is_chat = chat::is_chat(path);
    refusal(
        is_chat,
        ChatError::NotOwner(why.clone()),
        Problem::NotOwner(why),
    )
}
