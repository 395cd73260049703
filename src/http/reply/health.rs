//! How an endpoint is, in words for people and in fields for programs.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::endpoint::Health;
use switchboard_actors::system::callbacks::hold;
use switchboard_actors::system::metrics::health_name;

/// `{health, reason, next_probe_at, failed_probes}`, the last three where they say something.
pub(crate) fn health(health: &Health) -> Value {
    let name = health_name(*health);
    match *health {
        Health::Healthy => json!({ "health": name }),
        Health::SlowStart { in_flight_max } => json!({
            "health": name,
            "reason": "it takes callbacks again and is sent more of them step by step",
            "in_flight_max": in_flight_max,
        }),
        Health::Open {
            next_probe,
            failed_probes,
        } => json!({
            "health": name,
            "reason": "it failed too often; one callback at a time is sent to see whether it is back",
            "next_probe_at": next_probe.secs(),
            "failed_probes": failed_probes,
        }),
        Health::Paused { until } => json!({
            "health": name,
            "reason": "it asked for a pause",
            "next_probe_at": until.secs(),
        }),
        Health::Disabled { why } => json!({ "health": name, "reason": hold(why) }),
        Health::SwitchedOff => json!({
            "health": name,
            "reason": "an operator switched it off, or it has no address",
        }),
    }
}
