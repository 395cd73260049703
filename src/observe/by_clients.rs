//! The filter for lines of the HTTP server that only clients cause: any client could fill the log with them. It is left
//! out.

use std::fmt::Debug;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// The module of the server that speaks HTTP/1.
const SPEAKER: &str = "actix_http::h1";

/// The beginnings of such lines: a head that is no HTTP, a connection that broke, a head that is too long. Errors of
/// answers, and those that the server calls internal, begin otherwise.
const BEGINNINGS: [&str; 3] = [
    "stream error: request parse error",
    "stream error: I/O error",
    "MAX_BUFFER_SIZE unprocessed data",
];

/// Leaves such lines out of the log, unless it shows lines for debugging.
pub(super) struct ByClients {
    /// The log shows lines for debugging.
    pub(super) shown: bool,
}

impl<S: Subscriber> Layer<S> for ByClients {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        if self.shown {
            return true;
        }
        let target = event.metadata().target();
        !(target.starts_with(SPEAKER) && begins(event, &BEGINNINGS))
    }
}

/// Returns whether the message of an event begins as one of these.
fn begins(event: &Event<'_>, beginnings: &[&str]) -> bool {
    let mut looked = Looked {
        beginnings,
        begins: false,
    };
    event.record(&mut looked);
    looked.begins
}

struct Looked<'b> {
    beginnings: &'b [&'b str],
    begins: bool,
}

impl Visit for Looked<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let message = format!("{value:?}");
            self.begins = self
                .beginnings
                .iter()
                .any(|beginning| message.starts_with(beginning));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    /// Keeps what is logged.
    struct Kept(Arc<Mutex<Vec<String>>>);

    impl<S: Subscriber> Layer<S> for Kept {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            event.record(&mut Line(&self.0));
        }
    }

    struct Line<'k>(&'k Mutex<Vec<String>>);

    impl Visit for Line<'_> {
        fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
            self.0.lock().unwrap().push(format!("{value:?}"));
        }
    }

    fn kept(shown: bool) -> Vec<String> {
        let lines = Arc::default();
        let subscriber = tracing_subscriber::registry()
            .with(Kept(Arc::clone(&lines)))
            .with(ByClients { shown });
        tracing::subscriber::with_default(subscriber, || {
            tracing::error!(target: "actix_http::h1::dispatcher", "stream error: request parse error: {}", "x");
            tracing::error!(target: "actix_http::h1::dispatcher", "stream error: I/O error: reset");
            tracing::error!(target: "actix_http::h1::decoder", "MAX_BUFFER_SIZE unprocessed data reached, closing");
            tracing::error!(target: "actix_http::h1::dispatcher", "stream error: internal error");
            tracing::error!(target: "actix_http::h1::dispatcher", "Response payload stream error: disk");
            tracing::error!(target: "switchboard", "stream error: request parse error");
        });
        let lines = lines.lock().unwrap();
        lines.clone()
    }

    #[test]
    fn errors_caused_by_clients_are_not_logged_and_others_are() {
        let ours = [
            "stream error: internal error",
            "Response payload stream error: disk",
            "stream error: request parse error",
        ];
        assert_eq!(kept(false), ours);
        assert_eq!(kept(true).len(), 6);
    }
}
