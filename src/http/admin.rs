//! The operator's interface, `/admin/v1`: every route of it, one line each.

mod accounts;
mod audit;
mod channels;
mod deliveries;
mod endpoints;
mod replays;

use actix_web::web::{self, ServiceConfig};

use crate::http::{act, not_allowed, read};

/// The route table of the operator's interface.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .configure(accounts)
        .service(read("/admin/v1/audit", audit::list))
        .service(
            read("/admin/v1/channels", channels::list::list)
                .route(web::post().to(channels::create::create))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(
            read("/admin/v1/channels/{id}", channels::show::show)
                .route(web::patch().to(channels::change::change))
                .default_service(not_allowed("GET, HEAD, PATCH")),
        )
        .service(act(
            "/admin/v1/channels/{id}/rotate-secret",
            channels::rotate_secret::rotate,
        ))
        .service(act(
            "/admin/v1/channels/{id}/end-rotation",
            channels::end_rotation::end,
        ))
        .service(act("/admin/v1/channels/{id}/pause", channels::pause::pause))
        .service(act(
            "/admin/v1/channels/{id}/resume",
            channels::resume::resume,
        ))
        .service(act(
            "/admin/v1/channels/{id}/test-send",
            channels::test_send::send,
        ))
        .service(read("/admin/v1/endpoints", endpoints::list::list))
        .service(act(
            "/admin/v1/endpoints/{channel}/{version}/enable",
            endpoints::enable::enable,
        ))
        .service(read("/admin/v1/deliveries", deliveries::list::list))
        .service(read("/admin/v1/deliveries/{id}", deliveries::show::show))
        .service(act(
            "/admin/v1/deliveries/{id}/replay",
            deliveries::replay::replay,
        ))
        .service(act(
            "/admin/v1/deliveries/{id}/discard",
            deliveries::discard::discard,
        ))
        .service(
            read("/admin/v1/replays", replays::list::list)
                .route(web::post().to(replays::begin::begin))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(read("/admin/v1/replays/{id}", replays::show::show))
        .service(act(
            "/admin/v1/replays/{id}/cancel",
            replays::cancel::cancel,
        ));
}

fn accounts(config: &mut ServiceConfig) {
    config
        .service(
            read("/admin/v1/accounts", accounts::list)
                .route(web::post().to(accounts::create))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(
            read("/admin/v1/accounts/{id}", accounts::show)
                .route(web::patch().to(accounts::change))
                .default_service(not_allowed("GET, HEAD, PATCH")),
        )
        .service(
            read("/admin/v1/accounts/{id}/groups", accounts::groups::list)
                .route(web::post().to(accounts::groups::create))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(
            web::resource("/admin/v1/accounts/{id}/groups/{group}")
                .route(web::patch().to(accounts::groups::rename))
                .default_service(not_allowed("PATCH")),
        )
        .service(
            read("/admin/v1/accounts/{id}/users", accounts::users::list)
                .route(web::post().to(accounts::users::create))
                .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(
            read(
                "/admin/v1/accounts/{id}/users/{user}",
                accounts::users::show,
            )
            .route(web::patch().to(accounts::users::change))
            .default_service(not_allowed("GET, HEAD, PATCH")),
        )
        .service(act(
            "/admin/v1/accounts/{id}/users/{user}/password",
            accounts::users::password,
        ))
        .service(
            read(
                "/admin/v1/accounts/{id}/users/{user}/tokens",
                accounts::tokens::list,
            )
            .route(web::post().to(accounts::tokens::create))
            .default_service(not_allowed("GET, HEAD, POST")),
        )
        .service(
            web::resource("/admin/v1/accounts/{id}/users/{user}/tokens/{token}")
                .route(web::delete().to(accounts::tokens::revoke))
                .default_service(not_allowed("DELETE")),
        );
}
