//! HTTP: the Bot API, files, and the orders of tests, on one socket.

mod answer;
mod bodies;
mod bot_api;
mod fetch;
mod orders;
mod page;
pub(crate) mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::bounds::CONNECTIONS_MAX;
use crate::reply::ApiError;
use crate::shared::Shared;
use answer::{AnswerLostError, Content};

const HEAD_WITHIN: Duration = Duration::from_secs(30);

/// Serves until it is dropped, which ends all connections.
pub(crate) async fn serve(shared: Arc<Shared>, listener: TcpListener) {
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(60))
        .build()
        .unwrap_or_default();
    let mut tasks = JoinSet::new();
    tasks.spawn(webhooks::run(Arc::clone(&shared), client.clone()));
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // The semaphore is never closed.
        let place = Arc::clone(&places).acquire_owned().await;
        while tasks.try_join_next().is_some() {}
        let Ok((stream, _)) = listener.accept().await else {
            // There are too many files open.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (shared, client) = (Arc::clone(&shared), client.clone());
        tasks.spawn(async move {
            connection(shared, client, stream).await;
            drop(place);
        });
    }
}

async fn connection(shared: Arc<Shared>, client: reqwest::Client, stream: TcpStream) {
    // Without it small answers wait for the client's acknowledgement.
    drop(stream.set_nodelay(true));
    let service = service_fn(|request| {
        let (shared, client) = (Arc::clone(&shared), client.clone());
        async move { route(&shared, &client, request).await }
    });
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN);
    let connection = server.serve_connection(TokioIo::new(stream), service);
    // One that broke is the client's business, or an order's.
    drop(connection.await);
}

async fn route(
    shared: &Arc<Shared>,
    client: &reqwest::Client,
    request: Request<Incoming>,
) -> Result<Response<Content>, AnswerLostError> {
    let path = request.uri().path().to_owned();
    if let Some(rest) = path.strip_prefix("/bot") {
        return bot_api::call(shared, client, rest, request).await;
    }
    if let Some(rest) = path.strip_prefix("/file/bot") {
        return bot_api::download(shared, rest).await;
    }
    let rest = path.strip_prefix("/double");
    match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some(rest) => Ok(orders::order(shared, rest.trim_matches('/'), request).await),
        None => {
            let error = ApiError::not_found();
            Ok(answer::json(error.code, &error.to_json()))
        }
    }
}
