//! The health of the endpoints, published by the dispatcher whenever it changes, read without asking it.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use switchboard_domain::dispatch::endpoint::{EndpointId, EndpointState};

/// The health of the endpoints.
#[derive(Debug, Default)]
pub struct EndpointHealthCache(RwLock<BTreeMap<EndpointId, EndpointState>>);

impl EndpointHealthCache {
    /// The health of the endpoint; an unknown one counts as healthy.
    pub fn health(&self, endpoint: &EndpointId) -> EndpointState {
        let endpoint_health = self.0.read().unwrap_or_else(PoisonError::into_inner);
        endpoint_health
            .get(endpoint)
            .copied()
            .unwrap_or(EndpointState::Healthy)
    }

    /// The dispatcher says how the endpoint is now.
    pub fn publish(&self, endpoint: &EndpointId, health: EndpointState) {
        if self.health(endpoint) != health {
            let mut endpoint_health = self.0.write().unwrap_or_else(PoisonError::into_inner);
            endpoint_health.insert(endpoint.clone(), health);
        }
    }
}
