//! How an endpoint is, in words for people and in fields for programs.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::endpoint::Health;
use switchboard_actors::system::callbacks::hold;
use switchboard_actors::system::metrics::HEALTHS;
use switchboard_actors::system::metrics::health_name;

use crate::http::openapi::{Field, Schema, may, must};

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

/// What [`health`] tells.
pub(crate) fn fields() -> Vec<Field> {
    vec![
        must("health", Schema::words(HEALTHS)),
        may("reason", Schema::text().says("Why, for people.")),
        may(
            "in_flight_max",
            Schema::count().says("How many callbacks it is sent at once."),
        ),
        may("next_probe_at", Schema::seconds()),
        may("failed_probes", Schema::count()),
    ]
}
