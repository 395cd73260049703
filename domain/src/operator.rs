//! The operator of the installation: the token that proves it, the key of pushes, and what was done that changed nothing else.

pub mod note;
pub mod push_key;
pub mod token;

use serde::{Deserialize, Serialize};

use crate::account::users::TokenHash;
use crate::audit::AuditEntry;
use crate::kinds;
use crate::notice::Notice;
use crate::operator::push_key::PushKey;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The state of the operator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operator {
    token: Option<OperatorToken>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    push_key: Option<PushKey>,
}

/// The token in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorToken {
    /// The stored form of the token.
    pub hash: TokenHash,
    /// True when the service created it, because none was configured.
    pub made: bool,
}

impl Operator {
    /// The hash of the token in force; `None` before the first start.
    #[must_use]
    pub fn token(&self) -> Option<TokenHash> {
        self.token.map(|token| token.hash)
    }

    /// The key of pushes; `None` as long as no browser asked for it.
    #[must_use]
    pub fn push_key(&self) -> Option<&PushKey> {
        self.push_key.as_ref()
    }
}

/// An event of the operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperatorEvent {
    /// Another token is in force.
    TokenSet {
        /// The token.
        token: OperatorToken,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// The key of pushes was made.
    PushKeyMade(PushKey),
    /// Something was done that changed no state.
    Noted(Box<AuditEntry>),
}

impl State for Operator {
    type Id = ();
    type Event = OperatorEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::OPERATOR;

    fn initial(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &OperatorEvent) {
        match event {
            OperatorEvent::TokenSet { token, .. } => self.token = Some(*token),
            OperatorEvent::PushKeyMade(key) => self.push_key = Some(key.clone()),
            OperatorEvent::Noted(_) => {}
        }
    }

    fn index(&self, event: &OperatorEvent, entries: &mut IndexEntries) {
        match event {
            OperatorEvent::TokenSet { audit, .. } | OperatorEvent::Noted(audit) => {
                audit.index(entries);
            }
            OperatorEvent::PushKeyMade(_) => {}
        }
    }
}
