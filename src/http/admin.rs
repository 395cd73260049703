//! The operator's interface, `/admin/v1`: every route of it, one line each.

mod audit;
mod channels;

use actix_web::web::ServiceConfig;

use crate::http::read;

/// The route table of the operator's interface.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(read("/admin/v1/audit", audit::list))
        .service(read("/admin/v1/channels", channels::list::list));
}
