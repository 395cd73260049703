//! The configuration in the library's terms.

use switchboard_actors::domain::dispatch::DispatchLimits;
use switchboard_actors::domain::dispatch::verdict::Budget;
use switchboard_actors::{Durability, SystemConfig, Threads};

use crate::config::values::MediaPolicy;
use crate::config::{self, Settings};
use crate::http::limits::LimitSettings;
use crate::http::server::ServerSettings;
use crate::limits::machine::Machine;
use crate::limits::pools::Pools;

/// What the system is started with.
pub(crate) fn system(settings: &Settings) -> SystemConfig {
    let defaults = SystemConfig::default();
    let slots = pools(settings).callbacks.size;
    SystemConfig {
        threads: Threads::Join(settings.server.workers),
        idle_after: settings.actors.idle_after,
        hot_max: settings.actors.conversations_max_hot,
        durability: match settings.store.durability {
            config::values::Durability::Always => Durability::Always,
            config::values::Durability::Interval => Durability::Interval(INTERVAL),
        },
        segment_bytes: u32::try_from(settings.store.segment_bytes).unwrap_or(u32::MAX),
        checkpoint_records: settings.store.checkpoint_records,
        low_water_bytes: settings.store.low_water_bytes,
        disk_reserve_bytes: settings.dispatch.disk_reserve_bytes,
        quotas: settings.dispatch.quotas(),
        account_quotas: settings.account_quotas.quotas(),
        hold_callbacks: true,
        list_fetches: settings.media.policy != MediaPolicy::Off,
        recent_deliveries: settings.requests.keep_deliveries_per_channel,
        dispatch: DispatchLimits {
            slots,
            slots_slow: (slots / 4).max(1),
            budget: Budget {
                attempts: settings.dispatch.attempts_max,
                refusals: settings.dispatch.refused_attempts_max,
                age: settings.dispatch.age_max,
            },
            ..DispatchLimits::default()
        },
        ..defaults
    }
}

/// What the HTTP side is started with.
pub(crate) fn http(settings: &Settings) -> ServerSettings {
    let limits = &settings.limits;
    let pools = pools(settings);
    ServerSettings {
        workers: settings.server.workers,
        drain: settings.server.drain,
        hosts: settings.server.named_hosts(),
        accepted_max: pools.connections.size.saturating_add(pools.accepted_beyond),
        unread_answer: limits.unread_answer,
        request_lines: settings.log.requests,
    }
}

/// How much clients may request.
pub(super) fn limits(settings: &Settings) -> LimitSettings {
    let limits = &settings.limits;
    LimitSettings {
        channel_per_second: limits.channel_requests_per_second,
        user_per_second: limits.user_requests_per_second,
        pools: pools(settings),
        trusted_proxies: settings.server.trusted_proxies.clone(),
    }
}

/// The pools of this process.
fn pools(settings: &Settings) -> Pools {
    Pools::new(settings, Machine::read())
}

/// How often the journal is synced when answers do not wait for it.
const INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);
