//! The configuration in the library's terms.

use switchboard_actors::domain::dispatch::DispatchLimits;
use switchboard_actors::domain::dispatch::verdict::Budget;
use switchboard_actors::{Durability, SystemConfig, Threads};
use switchboard_gate::limits::{ArrivalLimits, LimitSettings};
use switchboard_http::server::ServerSettings;
use switchboard_network::limits::machine::Machine;
use switchboard_network::limits::pools::{PoolSettings, Pools};

use crate::config::values::MediaPolicy;
use crate::config::{self, Settings};

/// The settings of the system.
pub(crate) fn system(settings: &Settings) -> SystemConfig {
    let defaults = SystemConfig::default();
    let slots = pools(settings).callbacks.size;
    SystemConfig {
        threads: Threads::Join(settings.server.workers),
        ask_deadline: settings.actors.turn,
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
        hook_timeout: settings.dispatch.hook_timeout,
        relays: settings.relays.iter().map(|it| it.down.clone()).collect(),
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

/// The settings of the HTTP server.
pub(crate) fn http(settings: &Settings) -> ServerSettings {
    let limits = &settings.limits;
    let pools = pools(settings);
    ServerSettings {
        workers: settings.server.workers,
        drain: settings.server.drain,
        hosts: settings.server.named_hosts(),
        accepted_max: pools.accepted_max(),
        unread_answer: limits.unread_answer,
        request_lines: settings.log.requests,
    }
}

/// The limits for clients.
pub(super) fn limits(settings: &Settings) -> LimitSettings {
    let limits = &settings.limits;
    LimitSettings {
        channel_per_second: limits.channel_requests_per_second,
        user_per_second: limits.user_requests_per_second,
        arrival: ArrivalLimits {
            head: limits.request_head,
            body: limits.request_body,
        },
        pools: pools(settings),
        trusted_proxies: settings.server.trusted_proxies.clone(),
    }
}

/// The pools of this process.
fn pools(settings: &Settings) -> Pools {
    pools_on(settings, Machine::read())
}

/// The pools of the service with these settings on a machine.
pub(crate) fn pools_on(settings: &Settings, machine: Machine) -> Pools {
    let (limits, media) = (&settings.limits, &settings.media);
    let settings = PoolSettings {
        workers: settings.server.workers,
        body_limit_bytes: settings.server.body_limit_bytes,
        connections_max: limits.connections_max,
        connections_per_address_max: limits.connections_per_address_max,
        bodies_awaited_max: limits.bodies_awaited_max,
        bodies_awaited_per_address_max: limits.bodies_awaited_per_address_max,
        requests_in_flight_max: limits.requests_in_flight_max,
        streams_per_user_max: limits.streams_per_user_max,
        uploads_max: media.uploads_max,
        uploads_per_account_max: media.uploads_per_account_max,
        uploads_per_user_max: media.uploads_per_user_max,
        fetches_max: media.fetches_max,
        callbacks_max: settings.dispatch.in_flight_max,
    };
    Pools::new(&settings, machine)
}

/// The time between two syncs of the journal when responses do not wait for them.
const INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use std::time::Duration;

    use switchboard_http::state::{HttpSettings, PROGRAMS};
    use switchboard_media::{DecoderPlace, MediaLimits};

    use super::*;
    use crate::config::Overrides;
    use crate::config::program::{BY_CARGO, NAME, named};
    use crate::serve::{files, handlers};

    fn shown(value: impl Debug) -> String {
        format!("{value:#?}")
    }

    #[test]
    fn a_request_waits_for_its_turn_as_long_as_is_set() {
        let text = "[actors]\nturn_seconds = 110\n";
        let settings =
            Settings::parse(text, "test", &BTreeMap::new(), Overrides::default()).unwrap();
        assert_eq!(system(&settings).ask_deadline, Duration::from_secs(110));
    }

    /// Tests and worlds run with the defaults of the crates, and services with those of the configuration.
    #[test]
    fn defaults_of_the_crates_are_those_of_the_configuration() {
        let text = "[server]\nworkers = 1\n";
        let settings =
            Settings::parse(text, "test", &BTreeMap::new(), Overrides::default()).unwrap();
        let defaults = HttpSettings {
            program: named(),
            ..HttpSettings::default()
        };
        let guard = handlers::guard(&settings);
        let url = defaults.callback_url.clone();
        let interface = handlers::http(&settings, guard, url, None);
        assert_eq!(shown(interface), shown(defaults));
        assert_eq!(shown(http(&settings)), shown(ServerSettings::default()));
        let media = files::limits(&settings, DecoderPlace::default());
        assert_eq!(shown(media), shown(MediaLimits::default()));
    }

    /// The console copies commands that begin so.
    #[test]
    fn the_interface_knows_both_ways_to_call_the_program() {
        assert_eq!(PROGRAMS, [NAME, BY_CARGO]);
    }
}
