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
mod metrics;
mod reply;
mod roles;
pub(crate) mod server;
pub(crate) mod state;
mod users;

use actix_web::guard::{Any, Get, Head};
use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};
use actix_web::{Handler, HttpRequest, Resource, Responder, Route};

use crate::http::reply::problem::Problem;

/// Declares the addresses of the account side, each with its methods: how they are registered and what the test of who
/// may ask goes through is one list, so no address is without a row in that test.
macro_rules! addresses {
    ($($path:literal { $($method:ident $handler:path),+ $(,)? })+) => {
        /// The addresses of the account side, each with its methods; GET stands for HEAD as well.
        #[cfg(any(test, feature = "testing"))]
        pub(crate) const ACCOUNT_ADDRESSES: &[(&str, &[&str])] =
            &[$(($path, &[$(stringify!($method)),+])),+];

        fn account_routes(config: &mut ServiceConfig) {
            $(
                let methods = [$(stringify!($method)),+];
                let resource = web::resource($path)$(.route(by(stringify!($method)).to($handler)))+;
                config.service(resource.default_service(not_allowed(&allow(&methods))));
            )+
        }
    };
}

addresses! {
    "/api/v4/account" { GET account::account_info::get }
    "/api/v4/leads" { GET account::leads::list }
    "/api/v4/leads/pipelines" { GET account::pipelines::list }
    "/api/v4/leads/unsorted" { GET account::unsorted::list }
    "/api/v4/leads/unsorted/{uid}/accept" { POST account::unsorted::accept }
    "/api/v4/leads/unsorted/{uid}/decline" { DELETE account::unsorted::decline }
    "/api/v4/leads/{id}" { GET account::leads::get, PATCH account::leads::patch }
    "/api/v4/contacts" { GET account::contacts::list }
    "/api/v4/contacts/{id}" { GET account::contacts::get, PATCH account::contacts::patch }
    "/api/v4/users" { GET users::list::list, POST users::add::post }
    "/api/v4/users/activate" { POST users::activate::post }
    "/api/v4/users/deactivate" { POST users::deactivate::post }
    "/api/v4/users/{id}" { GET users::get::get }
    "/api/v4/roles" { GET roles::list::list, POST roles::add::post }
    "/api/v4/roles/{id}" { GET roles::get::get, PATCH roles::edit::patch, DELETE roles::delete::delete }
    "/inbox/v1/session" { POST inbox::session::create, DELETE inbox::session::delete }
    "/inbox/v1/me" { GET inbox::me::get }
    "/inbox/v1/rights/explain" { GET inbox::explain::get }
    "/inbox/v1/conversations" { GET inbox::conversations::list, POST inbox::write_first::post }
    "/inbox/v1/conversations/{id}" { GET inbox::conversations::get }
    "/inbox/v1/conversations/{id}/messages" { GET inbox::messages::list, POST inbox::reply::post }
    "/inbox/v1/conversations/{id}/read" { POST inbox::read::post }
    "/inbox/v1/conversations/{id}/typing" { POST inbox::typing::post }
    "/inbox/v1/events" { GET inbox::events::get }
    "/inbox/v1/media" { POST inbox::media::post }
}

/// The route of one method; HEAD works where GET does.
fn by(method: &str) -> Route {
    match method {
        "GET" => web::route().guard(Any(Get()).or(Head())),
        // A word of the list above is always a method.
        other => web::method(Method::from_bytes(other.as_bytes()).unwrap_or_default()),
    }
}

/// The methods as an `Allow` header names them.
fn allow(methods: &[&str]) -> String {
    methods.join(", ").replace("GET", "GET, HEAD")
}

/// The route table.
pub(crate) fn routes(config: &mut ServiceConfig) {
    #[cfg(feature = "testing")]
    config.configure(benchmark::routes);
    config
        // A plain prefix: a pattern for the rest of the path costs tens of microseconds a request, and the interface
        // takes its paths apart itself.
        .service(web::scope("/v2/origin/custom").default_service(web::to(chat::serve)))
        .service(read("/media/{id}/{name}", media::file))
        .service(read("/media/{id}/{name}/thumbnail", media::thumbnail))
        .configure(account_routes)
        .configure(admin::routes)
        .service(read("/healthz", health::healthz))
        .service(read("/readyz", health::readyz))
        .service(read("/metrics", metrics::metrics))
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

fn not_allowed(allow: &str) -> Route {
    let allow = allow.to_owned();
    web::to(move || {
        let allow = allow.clone();
        async move { Err::<String, Problem>(Problem::MethodNotAllowed { allow }) }
    })
}

async fn unknown(request: HttpRequest) -> Result<String, Problem> {
    let (method, path) = (request.method(), request.uri().path());
    Err(Problem::NotFound(format!(
        "there is nothing at {method} {path}"
    )))
}
