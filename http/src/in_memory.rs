//! The whole interface as a function, without a socket: a request passes all layers that one from a socket passes.

use std::net::SocketAddr;

use actix_http::{Request, Response};
use actix_service::boxed::{self, BoxService};
use actix_service::{IntoServiceFactory as _, ServiceFactory as _, map_config};
use actix_web::dev::AppConfig;
use actix_web::{App, Error, web};

use crate::front::Front;
pub use crate::outgoing::Outgoing;
use crate::routes;
use crate::state::AppState;
use switchboard_gate::host_guard::AllowedHosts;

/// The service that answers requests without a socket.
pub type HttpService = BoxService<Request, Response<Outgoing>, Error>;

/// The interface with this state, as clients at this address reach it; `None` if its routes are invalid.
pub async fn service(state: AppState, address: SocketAddr) -> Option<HttpService> {
    let app = App::new()
        .app_data(web::Data::new(state.clone()))
        .configure(routes);
    let router = map_config(app.into_factory(), |()| AppConfig::default());
    let hosts = AllowedHosts::new(address, Vec::new());
    let front = Front::new(state, hosts, false);
    let service = front.before(router).new_service(()).await;
    service.ok().map(boxed::service)
}
