//! What many requests ask of the operator's state: the hash of the token, and the key of pushes.

use std::sync::{Arc, PoisonError, RwLock};

use switchboard_domain::account::users::TokenHash;
use switchboard_domain::operator::Operator;
use switchboard_domain::operator::push_key::PushKey;

/// The published parts of the operator's state.
#[derive(Debug, Default)]
pub struct OperatorCache {
    token: RwLock<Option<TokenHash>>,
    push_key: RwLock<Option<Arc<PushKey>>>,
}

impl OperatorCache {
    /// Publishes the state.
    pub fn set(&self, operator: &Operator) {
        *self.token.write().unwrap_or_else(PoisonError::into_inner) = operator.token();
        let push_key = operator.push_key().cloned().map(Arc::new);
        *self
            .push_key
            .write()
            .unwrap_or_else(PoisonError::into_inner) = push_key;
    }

    /// Returns whether this is the hash of the operator's token.
    pub fn is_token(&self, token: &TokenHash) -> bool {
        let own = self.token.read().unwrap_or_else(PoisonError::into_inner);
        own.is_some_and(|own| own == *token)
    }

    /// The key of pushes; `None` as long as no browser asked for it.
    pub fn push_key(&self) -> Option<Arc<PushKey>> {
        let key = self.push_key.read();
        key.unwrap_or_else(PoisonError::into_inner).clone()
    }
}
