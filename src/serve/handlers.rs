//! What handlers share, as the configuration wants it.

use std::sync::Arc;

use anyhow::{Context, Result};
use switchboard_actors::System;
use switchboard_http::console::source::Console;
use switchboard_http::requests::log::RequestLogLimits;
use switchboard_http::state::{AppState, HttpSettings};
use switchboard_http::vendor::VendorKey;
use switchboard_media::DecoderPlace;
use switchboard_network::outbound::address::Policy;
use switchboard_network::outbound::guard::AddressGuard;
use url::Url;

use crate::config::Settings;
use crate::config::program::named;
use crate::serve::files::Files;
use crate::serve::settings::limits;

/// What handlers share in a world or a test.
///
/// # Errors
/// When there is no place for files.
pub(crate) fn state(
    system: &System,
    settings: &Settings,
    files: &Files,
    vendor_key: Option<VendorKey>,
) -> Result<AppState> {
    let public_url = settings
        .server
        .public_url_at(settings.server.listen.port)
        .context("no public address can be derived")?;
    let http = HttpSettings {
        clock_is_moved: true,
        data_directory: None,
        ..http(settings, guard(settings), origin(&public_url), vendor_key)
    };
    let (media, console) = (
        files.media(settings, DecoderPlace::Here)?,
        Console::of(None)?,
    );
    Ok(AppState::new(system.clone(), http, media, console))
}

/// The settings of the HTTP interface.
pub(super) fn http(
    settings: &Settings,
    guard: Arc<AddressGuard>,
    callback_url: String,
    vendor_key: Option<VendorKey>,
) -> HttpSettings {
    HttpSettings {
        vendor_key,
        clock_is_moved: false,
        public_url: settings.server.public_url.as_ref().map(origin),
        callback_url,
        body_limit: settings.server.body_limit_bytes,
        signature_hints: settings.server.signature_hints,
        request_log: RequestLogLimits {
            per_channel: settings.requests.keep_per_channel,
            body: settings.requests.body_bytes,
        },
        guard,
        limits: limits(settings),
        data_directory: None,
        program: named(),
        declared: settings.accounts.iter().map(|it| it.id).collect(),
    }
}

/// A URL that has scheme, host and port only, without the slash at its end.
pub(super) fn origin(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// What requests may lead to, as the operator wants it.
pub(super) fn guard(settings: &Settings) -> Arc<AddressGuard> {
    Arc::new(AddressGuard::new(Policy {
        allow_private_networks: settings.dispatch.allow_private_networks,
        allow_cidrs: settings.dispatch.allow_cidrs.clone(),
    }))
}
