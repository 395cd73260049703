//! The worlds of a service in the command `switchboard dev`.

use anyhow::Result;
use switchboard_actors::System;
use switchboard_http::vendor::VendorKey;

use crate::cli::serve::ServeOptions;
use crate::dev::Worlds;
use crate::worlds_key::WorldsKey;

/// Starts the worlds of `switchboard dev`; none of another command.
///
/// # Errors
/// When their socket cannot be opened.
pub(super) async fn start(
    options: &ServeOptions,
    system: &System,
    vendor: &VendorKey,
) -> Result<Option<Worlds>> {
    let Some(dev) = options.dev else {
        return Ok(None);
    };
    let token = hex::encode(system.random());
    let random = || WorldsKey::from_random([system.random(), system.random()]);
    let key = dev.worlds_key.unwrap_or_else(random);
    Worlds::start(token, key, vendor.clone()).await.map(Some)
}

/// Ends when no program uses the worlds any more, if the service is to stop then.
pub(super) async fn abandoned(worlds: Option<&Worlds>, options: &ServeOptions) {
    let ends = options.dev.is_some_and(|dev| dev.end_with_leases);
    match worlds.filter(|_| ends) {
        Some(worlds) => worlds.abandoned().await,
        None => std::future::pending().await,
    }
}
