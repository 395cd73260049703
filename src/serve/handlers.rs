//! The state that handlers share, from the configuration.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use switchboard_gate::requests::log::RequestLogLimits;
use switchboard_http::relays::ServesRelays;
use switchboard_http::state::HttpSettings;
use switchboard_http::vendor::VendorKey;
use switchboard_network::outbound::address::Policy;
use switchboard_network::outbound::client::ClientSettings;
use switchboard_network::outbound::guard::AddressGuard;
use switchboard_network::outbound::lookup::SystemLookup;
use switchboard_network::outbound::passage::Passage;
use switchboard_relay_server::RelayDoor;
use switchboard_relay_server::upward::Upward;
use url::Url;

use crate::config::Settings;
use crate::config::program::named;
use crate::serve::settings::limits;

/// The longest answer of the counterpart that relays pass on, in bytes.
const ANSWER_MAX: usize = 16 << 20;

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

/// The relays, if the configuration has some.
pub(super) fn relays(
    settings: &Settings,
    guard: Arc<AddressGuard>,
) -> Result<Option<Arc<dyn ServesRelays>>> {
    if settings.relays.is_empty() {
        return Ok(None);
    }
    let channels: Vec<_> = settings
        .relays
        .iter()
        .filter_map(|it| it.up.clone())
        .collect();
    let upward = if channels.is_empty() {
        None
    } else {
        let client = ClientSettings::default();
        let passage = Passage::new(&client, guard, Arc::new(SystemLookup), ANSWER_MAX)
            .context("cannot set up the HTTP client of relays")?;
        Some(Upward::new(passage, channels))
    };
    Ok(Some(Arc::new(RelayDoor::new(upward))))
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
