//! The state that handlers share, from the configuration.

use std::sync::Arc;

use switchboard_gate::requests::log::RequestLogLimits;
use switchboard_http::state::HttpSettings;
use switchboard_http::vendor::VendorKey;
use switchboard_network::outbound::address::Policy;
use switchboard_network::outbound::guard::AddressGuard;
use url::Url;

use crate::config::Settings;
use crate::config::program::named;
use crate::serve::settings::limits;

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
            per_sender: settings.requests.keep_per_sender,
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

/// The guard of outbound addresses, with the exceptions of the operator.
pub(super) fn guard(settings: &Settings) -> Arc<AddressGuard> {
    Arc::new(AddressGuard::new(Policy {
        allow_private_networks: settings.dispatch.allow_private_networks,
        allow_cidrs: settings.dispatch.allow_cidrs.clone(),
    }))
}
