//! The key by which push services know this installation: made once, since browsers subscribe to it.

use std::convert::Infallible;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::operator::{Operator, OperatorEvent};
use switchboard_engine::state::{Command, Moment};

/// The key. Debug output shows its public half alone.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushKey {
    /// The secret half, in base64url.
    pub secret: String,
    /// The public half, in base64url.
    pub public: String,
}

impl fmt::Debug for PushKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PushKey").field(&self.public).finish()
    }
}

/// Keeps a new key, unless there is one already. The reply is the key in force.
#[derive(Clone, Debug)]
pub struct KeepPushKey(pub PushKey);

impl Command for KeepPushKey {
    type Of = Operator;
    type Reply = PushKey;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Operator,
        _: &mut Moment<'_, OperatorEvent>,
    ) -> Result<Decision<OperatorEvent, PushKey>, Infallible> {
        Ok(match state.push_key() {
            Some(key) => Decision::unchanged(key.clone()),
            None => Decision::event(OperatorEvent::PushKeyMade(self.0.clone()), self.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::UnixMillis;
    use switchboard_engine::state::State as _;

    #[test]
    fn the_first_key_stays_and_shows_in_no_log() {
        let mut operator = Operator::default();
        let mut keep = |secret: u8| {
            let key = PushKey {
                secret: format!("secret-{secret}"),
                public: format!("public-{secret}"),
            };
            let mut random = || [1; 16];
            let mut moment = Moment {
                now: UnixMillis::ZERO,
                random: &mut random,
                earlier: &[],
            };
            let decision = KeepPushKey(key).decide(&operator, &mut moment).unwrap();
            for recorded in &decision.events {
                let json = serde_json::to_vec(&recorded.event).unwrap();
                operator.apply(&serde_json::from_slice(&json).unwrap());
            }
            decision.reply
        };
        let first = keep(0xab);
        assert_eq!(keep(0xcd), first);
        assert_eq!(operator.push_key(), Some(&first));
        let text = format!("{operator:?}");
        assert!(!text.contains("secret-"), "{text}");
    }
}
