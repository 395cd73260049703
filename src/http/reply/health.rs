//! How an endpoint is, in words for people and in fields for programs.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::endpoint::Health;
use switchboard_actors::domain::dispatch::reason::Reason;
use switchboard_actors::system::metrics::HEALTHS;
use switchboard_actors::system::metrics::health_name;

use crate::http::openapi::{Field, Schema, may, must};
use crate::http::reply::reason;

/// `{health, reason, reason_code, reason_details}`, and where they say something `in_flight_max`, `next_probe_at` and
/// `failed_probes`.
pub(crate) fn health(health: &Health) -> Value {
    let mut view = json!({ "health": health_name(*health) });
    reason::tell(&mut view, Reason::of_health(health).as_ref());
    let facts = match *health {
        Health::SlowStart { in_flight_max } => json!({ "in_flight_max": in_flight_max }),
        Health::Open {
            next_probe,
            failed_probes,
        } => json!({ "next_probe_at": next_probe.secs(), "failed_probes": failed_probes }),
        Health::Failing {
            next_probe: Some(at),
            ..
        }
        | Health::Paused { until: at } => json!({ "next_probe_at": at.secs() }),
        Health::Healthy
        | Health::Failing { .. }
        | Health::Disabled { .. }
        | Health::ChannelPaused
        | Health::NoAddress => json!({}),
    };
    if let (Some(view), Value::Object(facts)) = (view.as_object_mut(), facts) {
        view.extend(facts);
    }
    view
}

/// What [`health`] tells.
pub(crate) fn fields() -> Vec<Field> {
    let mut fields = vec![must("health", Schema::words(HEALTHS))];
    fields.extend(reason::fields());
    fields.extend([
        may(
            "in_flight_max",
            Schema::count().says("How many callbacks it is sent at once."),
        ),
        may("next_probe_at", Schema::seconds()),
        may("failed_probes", Schema::count()),
    ]);
    fields
}
