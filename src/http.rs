//! The HTTP side: every route of the service, one line each.

mod account;
mod admin;
#[cfg(feature = "testing")]
mod benchmark;
mod chat;
mod extract;
mod gate;
mod health;
mod host_guard;
mod inbox;
mod media;
mod reply;
mod roles;
pub(crate) mod server;
pub(crate) mod state;
mod users;

use actix_web::guard::{Any, Get, Head};
use actix_web::web::{self, ServiceConfig};
use actix_web::{Handler, HttpRequest, Resource, Responder, Route};

use crate::http::reply::problem::Problem;

/// The route table.
pub(crate) fn routes(config: &mut ServiceConfig) {
    #[cfg(feature = "testing")]
    config.configure(benchmark::routes);
    config
        // A plain prefix: a pattern for the rest of the path costs tens of microseconds a request, and the interface
        // takes its paths apart itself.
        .service(web::scope("/v2/origin/custom").default_service(web::to(chat::serve)))
        .service(read("/api/v4/account", account::account_info::get))
        .service(read("/api/v4/leads", account::leads::list))
        .service(read("/api/v4/leads/pipelines", account::pipelines::list))
        .service(read("/api/v4/leads/{id}", account::leads::get))
        .service(read("/api/v4/contacts", account::contacts::list))
        .service(
            read("/api/v4/users", users::list::list)
                .route(web::post().to(users::add::post))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(act("/api/v4/users/activate", users::activate::post))
        .service(act("/api/v4/users/deactivate", users::deactivate::post))
        .service(read("/api/v4/users/{id}", users::get::get))
        .service(
            read("/api/v4/roles", roles::list::list)
                .route(web::post().to(roles::add::post))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(
            read("/api/v4/roles/{id}", roles::get::get)
                .route(web::patch().to(roles::edit::patch))
                .route(web::delete().to(roles::delete::delete))
                .default_service(not_allowed("GET, HEAD, PATCH, DELETE")),
        )
        .service(
            read("/inbox/v1/conversations", inbox::conversations::list)
                .route(web::post().to(inbox::write_first::post))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(act("/inbox/v1/conversations/{id}/read", inbox::read::post))
        .service(read(
            "/inbox/v1/conversations/{id}",
            inbox::conversations::get,
        ))
        .service(
            read(
                "/inbox/v1/conversations/{id}/messages",
                inbox::messages::list,
            )
            .route(web::post().to(inbox::reply::post))
            .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(act(
            "/inbox/v1/conversations/{id}/typing",
            inbox::typing::post,
        ))
        .service(read("/inbox/v1/events", inbox::events::get))
        .service(act("/inbox/v1/media", inbox::media::post))
        .service(read("/media/{id}/{name}", media::file))
        .service(read("/media/{id}/{name}/thumbnail", media::thumbnail))
        .configure(admin::routes)
        .service(read("/healthz", health::healthz))
        .service(read("/readyz", health::readyz))
        .default_service(web::to(unknown));
}

/// An address that is only read: HEAD works where GET does, other methods are told so.
fn read<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::resource(path)
        .route(web::route().guard(Any(Get()).or(Head())).to(handler))
        .default_service(not_allowed("GET, HEAD"))
}

/// An address that something is done at, by POST.
fn act<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::resource(path)
        .route(web::post().to(handler))
        .default_service(not_allowed("POST"))
}

fn not_allowed(allow: &'static str) -> Route {
    web::to(move || async move {
        Err::<String, Problem>(Problem::MethodNotAllowed {
            allow: allow.to_owned(),
        })
    })
}

async fn unknown(request: HttpRequest) -> Result<String, Problem> {
    let (method, path) = (request.method(), request.uri().path());
    Err(Problem::NotFound(format!(
        "there is nothing at {method} {path}"
    )))
}
