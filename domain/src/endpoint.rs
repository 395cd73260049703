//! The stored side of endpoints: what a later process must know of their health.
//!
//! The dispatcher writes a record when an endpoint begins to fail, has been probed in vain for another hour, recovers,
//! or is left alone until an operator acts. It never writes one for a single attempt.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

use crate::dispatch::outcome::{AttemptFailure, Class, Outcome};
use crate::dispatch::record::{AttemptTrace, HoldReason};
use crate::hook_version::HookVersion;
use crate::id::ChannelId;
use crate::installation::channels::Channel;
use crate::kinds;
use crate::notice::Notice;
use crate::text::beginning;
use crate::time::UnixMillis;
use crate::webhook::WebhookAddress;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The highest number of bytes of a response that an endpoint keeps.
const EXCERPT_BYTES_MAX: usize = 1_024;

/// The endpoints of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEndpoints {
    /// The channel.
    pub channel: ChannelId,
    /// That of version 1.
    pub v1: EndpointRecord,
    /// That of version 2.
    pub v2: EndpointRecord,
}

/// The stored record of an endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointRecord {
    /// The reason to leave it alone.
    pub disabled: Option<Disabled>,
    /// The time from which it did not succeed; `None` when its last attempt did.
    pub failing_since: Option<UnixMillis>,
    /// The time of probing in vain so far, in milliseconds; written with each whole hour.
    pub probed_ms: u64,
    /// The time of the last success, if it is known.
    pub succeeded_at: Option<UnixMillis>,
    /// The last failure.
    pub last_error: Option<LastError>,
}

/// An endpoint is left alone until an operator changes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disabled {
    /// The reason.
    pub why: HoldReason,
    /// The time of that decision.
    pub at: UnixMillis,
    /// The address then: another one is worth another try.
    pub address: Option<WebhookAddress>,
}

/// The failure of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastError {
    /// The time at which the attempt began.
    pub at: UnixMillis,
    /// The address that was connected to.
    pub address: Option<SocketAddr>,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// The reason that no response came.
    pub failure: Option<AttemptFailure>,
    /// The class of the outcome.
    pub class: Class,
    /// The beginning of the answer, or what the system said.
    pub excerpt: String,
}

impl LastError {
    /// Describes the failure of this attempt.
    #[must_use]
    pub fn new(outcome: &Outcome, trace: &AttemptTrace) -> Self {
        Self {
            at: trace.began,
            address: trace.address,
            status: outcome.status(),
            failure: outcome.failure(),
            class: outcome.class(),
            excerpt: beginning(&trace.excerpt, EXCERPT_BYTES_MAX).to_owned(),
        }
    }
}

impl EndpointRecord {
    /// Takes in what came of an attempt. One of which the endpoint was sent nothing says nothing of it.
    pub fn observe(&mut self, outcome: &Outcome, trace: &AttemptTrace, now: UnixMillis) {
        match outcome.class() {
            Class::Delivered => {
                self.succeeded_at = Some(now);
                self.failing_since = None;
                self.probed_ms = 0;
            }
            Class::NotExpressible => {}
            Class::Failing
            | Class::TooMany
            | Class::Away
            | Class::Misconfigured
            | Class::Gone
            | Class::NotFound
            | Class::Refused
            | Class::Rejected
            | Class::Aborted => {
                self.failing_since.get_or_insert(trace.began);
                self.last_error = Some(LastError::new(outcome, trace));
            }
        }
    }

    /// Returns the reason to leave the endpoint alone, unless its channel has another address since.
    #[must_use]
    pub fn disabled_of(&self, channel: &Channel, version: HookVersion) -> Option<HoldReason> {
        let disabled = self.disabled.as_ref()?;
        let same = disabled.address.as_ref() == channel.template(version);
        same.then_some(disabled.why)
    }
}

/// An event of the endpoints of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndpointsEvent {
    /// This is known of one of them now.
    Changed {
        /// The version of the endpoint.
        version: HookVersion,
        /// The record.
        record: Box<EndpointRecord>,
    },
}

impl StoredEndpoints {
    /// Returns the record of one of them.
    #[must_use]
    pub fn get(&self, version: HookVersion) -> &EndpointRecord {
        match version {
            HookVersion::V1 => &self.v1,
            HookVersion::V2 => &self.v2,
        }
    }
}

impl State for StoredEndpoints {
    type Id = ChannelId;
    type Event = EndpointsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::ENDPOINTS;

    fn initial(id: &ChannelId) -> Self {
        Self {
            channel: id.clone(),
            v1: EndpointRecord::default(),
            v2: EndpointRecord::default(),
        }
    }

    fn apply(&mut self, event: &EndpointsEvent) {
        match event {
            EndpointsEvent::Changed { version, record } => match version {
                HookVersion::V1 => self.v1 = record.as_ref().clone(),
                HookVersion::V2 => self.v2 = record.as_ref().clone(),
            },
        }
    }

    fn index(&self, _event: &EndpointsEvent, _entries: &mut IndexEntries) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::outcome::ReceiverAnswer;
    use crate::installation::channels::settings::ChannelSettings;

    fn trace(secs: u64, excerpt: &str) -> AttemptTrace {
        AttemptTrace {
            began: UnixMillis::from_secs(secs),
            address: None,
            answered_ms: None,
            took_ms: 5,
            excerpt: excerpt.to_owned(),
        }
    }

    #[test]
    fn a_success_ends_the_outage_and_keeps_the_last_error() {
        let mut record = EndpointRecord::default();
        let (bad, good) = (ReceiverAnswer::plain(500), ReceiverAnswer::plain(200));
        for secs in [7, 9] {
            let now = UnixMillis::from_secs(secs);
            record.observe(
                &Outcome::Answered(bad),
                &trace(secs, "é".repeat(900).as_str()),
                now,
            );
        }
        assert_eq!(record.failing_since, Some(UnixMillis::from_secs(7)));
        let error = record.last_error.clone().unwrap();
        assert_eq!(
            (error.status, error.excerpt.len()),
            (Some(500), EXCERPT_BYTES_MAX)
        );
        let now = UnixMillis::from_secs(11);
        record.observe(&Outcome::Answered(good), &trace(10, ""), now);
        assert_eq!(
            (record.failing_since, record.succeeded_at),
            (None, Some(now))
        );
        assert_eq!(record.last_error, Some(error));
    }

    #[test]
    fn an_attempt_that_sent_nothing_is_no_outage() {
        use crate::dispatch::outcome::AttemptFailure;
        let mut record = EndpointRecord::default();
        let outcome = Outcome::Failed(AttemptFailure::NotExpressible);
        record.observe(&outcome, &trace(7, ""), UnixMillis::from_secs(7));
        assert_eq!(record, EndpointRecord::default());
    }

    #[test]
    fn a_new_address_is_tried_again() {
        let id: ChannelId = "messenger".parse().unwrap();
        let settings = ChannelSettings::new("Messenger".parse().unwrap());
        let mut channel = Channel::new(id, "secret".parse().unwrap(), settings);
        channel.settings.webhook_v2 = Some("http://127.0.0.1:1/a".parse().unwrap());
        let record = EndpointRecord {
            disabled: Some(Disabled {
                why: HoldReason::Gone,
                at: UnixMillis::ZERO,
                address: channel.settings.webhook_v2.clone(),
            }),
            ..EndpointRecord::default()
        };
        let version = HookVersion::V2;
        assert_eq!(
            record.disabled_of(&channel, version),
            Some(HoldReason::Gone)
        );
        channel.settings.webhook_v2 = Some("http://127.0.0.1:1/b".parse().unwrap());
        assert_eq!(record.disabled_of(&channel, version), None);
    }
}
