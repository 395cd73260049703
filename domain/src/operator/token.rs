//! The token of the operator: the configured one, else one that is made once and kept as a hash.

use std::convert::Infallible;
use std::fmt;

use crate::Decision;
use crate::account::users::TokenHash;
use crate::audit::{AuditEntry, By};
use crate::operator::{Operator, OperatorEvent, OperatorToken};
use switchboard_engine::state::{Command, Moment};

/// A token that was just made. There is no other moment to see it.
#[derive(Clone, PartialEq, Eq)]
pub struct MadeToken(String);

impl MadeToken {
    /// A new token of 256 random bits, written in hexadecimal.
    #[must_use]
    pub fn new<E>(moment: &mut Moment<'_, E>) -> Self {
        let bytes = [(moment.random)(), (moment.random)()].concat();
        Self(hex::encode(bytes))
    }

    /// The token itself, to be shown once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MadeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MadeToken(***)")
    }
}

/// At a start: the configured token is in force. When none is configured, the one that was made earlier is, else a new
/// one is made. A configured token replaces a made one permanently: the replaced token, which may have become known,
/// does not return when the configuration names no token any more.
#[derive(Clone, Debug)]
pub struct SettleToken {
    /// The configured token.
    pub configured: Option<TokenHash>,
}

impl Command for SettleToken {
    type Of = Operator;
    type Reply = Option<MadeToken>;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Operator,
        moment: &mut Moment<'_, OperatorEvent>,
    ) -> Result<Decision<OperatorEvent, Option<MadeToken>>, Infallible> {
        let (token, made) = match (self.configured, state.token) {
            (Some(hash), _) => (OperatorToken { hash, made: false }, None),
            (None, Some(token)) if token.made => return Ok(Decision::unchanged(None)),
            (None, _) => {
                let new_token = MadeToken::new(moment);
                let hash = TokenHash::new(new_token.expose());
                (OperatorToken { hash, made: true }, Some(new_token))
            }
        };
        if state.token == Some(token) {
            return Ok(Decision::unchanged(None));
        }
        let entry = AuditEntry::new(By::Configuration, "operator.token", "operator", moment);
        let audit = Box::new(entry.secret("token"));
        Ok(Decision::event(
            OperatorEvent::TokenSet { token, audit },
            made,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::UnixMillis;
    use switchboard_engine::state::State;

    fn settle(operator: &mut Operator, configured: Option<&str>, random: u8) -> Option<MadeToken> {
        let mut random = || [random; 16];
        let mut moment = Moment {
            now: UnixMillis::ZERO,
            random: &mut random,
            earlier: &[],
        };
        let configured = configured.map(TokenHash::new);
        let decision = SettleToken { configured }
            .decide(operator, &mut moment)
            .unwrap();
        for recorded in &decision.events {
            operator.apply(&recorded.event);
        }
        decision.reply
    }

    #[test]
    fn a_token_is_generated_once_and_stored_as_a_hash() {
        let mut operator = Operator::default();
        let token = settle(&mut operator, None, 1).unwrap();
        assert_eq!(token.expose().len(), 64);
        assert_eq!(operator.token(), Some(TokenHash::new(token.expose())));
        assert_eq!(settle(&mut operator, None, 1), None);
        let json = serde_json::to_string(&operator).unwrap();
        assert!(!json.contains(token.expose()));
        assert_eq!(format!("{token:?}"), "MadeToken(***)");
    }

    #[test]
    fn a_configured_token_replaces_a_generated_one_permanently() {
        let mut operator = Operator::default();
        let token = settle(&mut operator, None, 1).unwrap();
        assert_eq!(settle(&mut operator, Some("configured"), 1), None);
        assert_eq!(operator.token(), Some(TokenHash::new("configured")));
        assert!(settle(&mut operator, None, 2).is_some());
        assert_ne!(operator.token(), Some(TokenHash::new(token.expose())));
        assert_ne!(operator.token(), Some(TokenHash::new("configured")));
    }
}
