//! An operator pauses a relay, or resumes it.

use std::convert::Infallible;

use crate::Decision;
use crate::switch::{RelaySwitch, RelaySwitchEvent};
use switchboard_domain::audit::{AuditEntry, By};
use switchboard_domain::notice::Notice;
use switchboard_engine::state::{Command, Moment};

/// Pauses a relay, or resumes it.
#[derive(Clone, Debug)]
pub struct PauseRelay {
    /// The actor, for the audit log.
    pub by: By,
    /// True to pause it.
    pub is_paused: bool,
}

impl Command for PauseRelay {
    type Of = RelaySwitch;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &RelaySwitch,
        moment: &mut Moment<'_, RelaySwitchEvent>,
    ) -> Result<Decision<RelaySwitchEvent, ()>, Infallible> {
        if state.is_paused == self.is_paused {
            return Ok(Decision::unchanged(()));
        }
        let action = if self.is_paused {
            "relay.pause"
        } else {
            "relay.resume"
        };
        let audit = AuditEntry::new(self.by, action, &state.channel, moment);
        let event = RelaySwitchEvent::Turned {
            is_paused: self.is_paused,
            audit: Box::new(audit),
        };
        let mut decision = Decision::event(event, ());
        decision.notices = vec![Notice::RelaySwitched];
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_domain::time::UnixMillis;
    use switchboard_engine::state::State as _;

    #[test]
    fn a_turn_is_audited_once() {
        let mut switch = RelaySwitch::initial(&"shop".parse().unwrap());
        let mut turn = |is_paused| {
            let mut random = || [1; 16];
            let mut moment = Moment {
                now: UnixMillis::from_secs(1),
                random: &mut random,
                earlier: &[],
            };
            let by = By::Operator;
            let command = PauseRelay { by, is_paused };
            let decision = command.decide(&switch, &mut moment).unwrap();
            let mut actions = Vec::new();
            for recorded in &decision.events {
                switch.apply(&recorded.event);
                let RelaySwitchEvent::Turned { audit, .. } = &recorded.event;
                actions.push((audit.action.clone(), audit.object.clone()));
            }
            actions
        };
        let entry = |action: &str| vec![(action.to_owned(), "shop".to_owned())];
        assert_eq!(turn(true), entry("relay.pause"));
        assert_eq!(turn(true), []);
        assert_eq!(turn(false), entry("relay.resume"));
    }
}
