//! How the endpoints are, published by the dispatcher whenever it changes, read without asking it.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use crate::domain::dispatch::endpoint::{EndpointId, Health};

/// How the endpoints are.
#[derive(Debug, Default)]
pub(crate) struct Board(RwLock<BTreeMap<EndpointId, Health>>);

impl Board {
    /// How the endpoint is; one that is not known is taken for healthy.
    pub(crate) fn health(&self, endpoint: &EndpointId) -> Health {
        let board = self.0.read().unwrap_or_else(PoisonError::into_inner);
        board.get(endpoint).copied().unwrap_or(Health::Healthy)
    }

    /// The dispatcher says how the endpoint is now.
    pub(crate) fn publish(&self, endpoint: &EndpointId, health: Health) {
        if self.health(endpoint) != health {
            let mut board = self.0.write().unwrap_or_else(PoisonError::into_inner);
            board.insert(endpoint.clone(), health);
        }
    }
}
