//! The endpoints as the dispatcher knows them: from the channels, from an earlier process, from what comes back.

use std::sync::Arc;
use std::time::Duration;

use actix::Context;

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::effect::DispatchEvent;
use crate::domain::dispatch::endpoint::{EndpointId, Switch};
use crate::domain::dispatch::event::Event;
use crate::domain::dispatch::outcome::{Class, Outcome};
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::endpoint::{Disabled, EndpointRecord, EndpointsEvent, StoredEndpoints};
use crate::domain::hook_version::HookVersion;
use crate::domain::time::UnixMillis;
use switchboard_engine::store::committer::Submitted;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::dispatch_shell::Carrier;

impl Dispatcher {
    /// Passes new and changed channels to the machine.
    pub(super) fn look_at_channels(&mut self, ctx: &mut Context<Self>) {
        let channels = self.kernel.shared.read_cache.channels();
        if Arc::ptr_eq(&channels, &self.channels) {
            return;
        }
        let earlier = std::mem::replace(&mut self.channels, Arc::clone(&channels));
        for channel in channels.iter() {
            let earlier = earlier.get(&channel.id);
            for version in HookVersion::ALL {
                let has_changed =
                    earlier.is_none_or(|earlier| channel.sends_unlike(earlier, version));
                let endpoint = EndpointId {
                    channel: channel.id.clone(),
                    version,
                };
                let before = self.endpoints.get(&endpoint).copied();
                if !has_changed && before.is_some() {
                    continue;
                }
                let mut settings = before.unwrap_or_default();
                settings.revision = settings.revision.saturating_add(1);
                settings.switch = channel.switch(version);
                if before.is_none() {
                    let record = self.record_of_endpoint(&endpoint);
                    settings.failing_since = record.failing_since;
                    settings.probed = Duration::from_millis(record.probed_ms);
                    // An endpoint that an earlier process disabled stays disabled until its settings change.
                    if let (Switch::On, Some(why)) =
                        (settings.switch, record.disabled_of(channel, version))
                    {
                        settings.switch = Switch::Disabled(why);
                    }
                } else {
                    self.forgive(&endpoint);
                }
                self.endpoints.insert(endpoint.clone(), settings);
                let event = Event::EndpointChanged {
                    endpoint: endpoint.clone(),
                    settings,
                };
                self.step(event, ctx);
                self.publish(&endpoint);
            }
        }
    }

    /// Publishes the health of the endpoint to readers that do not ask the dispatcher.
    pub(super) fn publish(&self, endpoint: &EndpointId) {
        self.kernel
            .shared
            .endpoint_health
            .publish(endpoint, self.shell.machine.health(endpoint));
    }

    /// Takes in what came of an attempt.
    pub(super) fn came_back(
        &mut self,
        endpoint: &EndpointId,
        outcome: &Outcome,
        trace: &AttemptTrace,
        accepted: Option<UnixMillis>,
    ) {
        let now = self.kernel.clock.now();
        self.kernel.shared.meters.attempt(outcome.class());
        if let (Class::Delivered, Some(accepted)) = (outcome.class(), accepted) {
            self.kernel
                .shared
                .meters
                .delivered_after
                .record(now.since(accepted));
        }
        if let Some(record) = self.known.get_mut(endpoint) {
            record.observe(outcome, trace, now);
        }
    }

    /// Stores what an endpoint has become.
    pub(super) fn keep_event(&mut self, dispatch_event: &DispatchEvent) {
        let endpoint = match dispatch_event {
            DispatchEvent::EndpointOpened { endpoint }
            | DispatchEvent::EndpointRecovered { endpoint } => endpoint,
            DispatchEvent::EndpointStillFails { endpoint, probed } => {
                if let Some(record) = self.known.get_mut(endpoint) {
                    record.probed_ms = u64::try_from(probed.as_millis()).unwrap_or(u64::MAX);
                }
                endpoint
            }
            DispatchEvent::EndpointDisabled { endpoint, why } => {
                let channel = self.channels.get(&endpoint.channel);
                let address = channel.and_then(|channel| channel.template(endpoint.version));
                let disabled = Disabled {
                    why: *why,
                    at: self.kernel.clock.now(),
                    address: address.cloned(),
                };
                if let Some(settings) = self.endpoints.get_mut(endpoint) {
                    settings.switch = Switch::Disabled(*why);
                }
                if let Some(record) = self.known.get_mut(endpoint) {
                    record.disabled = Some(disabled);
                }
                endpoint
            }
            DispatchEvent::MessageWaits { .. } | DispatchEvent::MessageDied { .. } => return,
        };
        self.try_to_store(endpoint);
    }

    /// An operator wants an endpoint tried again that was left alone. False when it was not.
    pub(super) fn enable(
        &mut self,
        endpoint: &EndpointId,
        ctx: &mut Context<Self>,
    ) -> Result<Option<Submitted>, UnavailableError> {
        let Some(mut settings) = self.endpoints.get(endpoint).copied() else {
            return Ok(None);
        };
        if !matches!(settings.switch, Switch::Disabled(_)) {
            return Ok(None);
        }
        self.forget_disabled(endpoint);
        let submitted = self.store_endpoint(endpoint)?;
        settings.switch = Switch::On;
        settings.revision = settings.revision.saturating_add(1);
        self.endpoints.insert(endpoint.clone(), settings);
        let event = Event::EndpointChanged {
            endpoint: endpoint.clone(),
            settings,
        };
        self.step(event, ctx);
        self.publish(endpoint);
        Ok(Some(submitted))
    }

    /// The history of an endpoint, from an earlier process if need be.
    fn record_of_endpoint(&mut self, endpoint: &EndpointId) -> EndpointRecord {
        let state = self
            .kernel
            .index
            .load::<StoredEndpoints>(&endpoint.channel)
            .map_err(UnavailableError::from);
        let record = self
            .readable(state)
            .flatten()
            .map(|(stored, _)| stored.get(endpoint.version).clone())
            .unwrap_or_default();
        self.known.insert(endpoint.clone(), record.clone());
        record
    }

    /// The channel was changed: whatever was wrong with its endpoint may be right now.
    fn forgive(&mut self, endpoint: &EndpointId) {
        let disabled = |record: &EndpointRecord| record.disabled.is_some();
        if !self.known.get(endpoint).is_some_and(disabled) {
            return;
        }
        self.forget_disabled(endpoint);
        self.try_to_store(endpoint);
    }

    fn forget_disabled(&mut self, endpoint: &EndpointId) {
        if let Some(record) = self.known.get_mut(endpoint) {
            record.disabled = None;
            record.failing_since = None;
            record.probed_ms = 0;
        }
    }

    /// Stores the changed record of an endpoint. A failure is logged, and the next change stores the record.
    fn try_to_store(&mut self, endpoint: &EndpointId) {
        if let Err(error) = self.store_endpoint(endpoint) {
            tracing::warn!(channel = %endpoint.channel, version = %endpoint.version, %error, "the health of an address could not be stored");
        }
    }

    fn store_endpoint(&mut self, endpoint: &EndpointId) -> Result<Submitted, UnavailableError> {
        let record = self.known.get(endpoint).cloned().unwrap_or_default();
        let event = EndpointsEvent::Changed {
            version: endpoint.version,
            record: Box::new(record),
        };
        let id = &endpoint.channel;
        self.stored_endpoints.catch_up();
        // Unlike queues these are read again as a whole, for which their first record has to be found.
        self.stored_endpoints.is_new(id)?;
        self.stored_endpoints
            .submit(vec![(id.clone(), event)], Vec::new())
    }
}
