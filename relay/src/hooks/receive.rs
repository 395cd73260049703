//! A hook of the counterpart arrives, with its signature verified.

use std::convert::Infallible;

use bytes::Bytes;
use smallvec::smallvec;

use crate::Decision;
use crate::facts::HookFacts;
use crate::hooks::{HookEnvelope, RelayedHook, RelayedHooks, RelayedHooksEvent, SAME_FOR};
use crate::posts::RelayedPost;
use switchboard_domain::dispatch::delivery_queue::OutNumber;
use switchboard_domain::generation::Generation;
use switchboard_domain::id::{MessageId, ScopeId};
use switchboard_domain::keys;
use switchboard_domain::notice::Notice;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Takes a hook, unless it is there already.
#[derive(Clone, Debug)]
pub struct ReceiveHook {
    /// The facts of it.
    pub facts: HookFacts,
    /// The headers.
    pub envelope: HookEnvelope,
    /// The scope that it came for.
    pub scope: Option<ScopeId>,
    /// The places of the targets that it goes to.
    pub targets: Vec<u8>,
    /// The bytes, as they were signed.
    pub body: Bytes,
    /// The rest of the head of a post.
    pub post: Option<PostHead>,
}

/// The head of a post, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostHead {
    /// The path with its query.
    pub target: String,
    /// `Date`.
    pub date: Option<String>,
    /// `Content-MD5`.
    pub content_md5: Option<String>,
    /// The generation that the signature proved.
    pub generation: Generation,
    /// The bridge's id of the message.
    pub msgid: String,
}

/// A hook is stored, or was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookReceipt {
    /// Its number in its conversation.
    pub number: OutNumber,
    /// True when it was there already, and nothing was written.
    pub repeated: bool,
    /// True when it was written before one that came earlier.
    pub is_late: bool,
    /// The id of the message of a post, for the answer to the bridge.
    pub own: Option<MessageId>,
}

impl Command for ReceiveHook {
    type Of = RelayedHooks;
    type Reply = HookReceipt;
    type Rejection = Infallible;

    fn required_keys(&self, state: &RelayedHooks) -> Keys {
        let same = self.facts.same;
        same.map_or_else(Keys::new, |same| {
            smallvec![keys::relays::same(state.chat, same)]
        })
    }

    fn decide(
        self,
        state: &RelayedHooks,
        moment: &mut Moment<'_, RelayedHooksEvent>,
    ) -> Result<Decision<RelayedHooksEvent, HookReceipt>, Infallible> {
        if let Some(RelayedHooksEvent::Received(earlier)) =
            moment.earlier(0).map(|recorded| &recorded.event)
            && moment.now.since(earlier.at) < SAME_FOR
        {
            return Ok(Decision::unchanged(HookReceipt {
                number: earlier.number,
                repeated: true,
                is_late: false,
                own: earlier.post.as_ref().map(|post| post.own),
            }));
        }
        let post = self.post.map(|head| RelayedPost {
            target: head.target,
            date: head.date,
            content_md5: head.content_md5,
            generation: head.generation,
            msgid: head.msgid,
            own: MessageId::from_random((moment.random)()),
        });
        let own = post.as_ref().map(|post| post.own);
        let hook = RelayedHook {
            number: OutNumber(state.last.saturating_add(1)),
            at: moment.now,
            kind: self.facts.kind,
            envelope: self.envelope,
            scope: self.scope,
            message: own.map(|own| own.to_string()).or(self.facts.message),
            same: self.facts.same,
            written_ms: self.facts.written_ms,
            is_late: self
                .facts
                .written_ms
                .is_some_and(|it| it < state.written_ms),
            targets: self.targets,
            post,
        };
        let receipt = HookReceipt {
            number: hook.number,
            repeated: false,
            is_late: hook.is_late,
            own,
        };
        let notices = hook.queues(state.chat).map(Notice::RelayQueued).collect();
        let event = Recorded {
            event: RelayedHooksEvent::Received(Box::new(hook)),
            blob: self.body,
        };
        Ok(Decision {
            events: vec![event],
            notices,
            reply: receipt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::HookKind;
    use crate::hooks::TYPING_MAX;
    use std::time::Duration;
    use switchboard_domain::relays::{RelayChat, RelayId};
    use switchboard_domain::time::UnixMillis;
    use switchboard_engine::state::State as _;

    const SCOPE: &str = "shop_af9945ff-1490-4cad-807d-945c15d88bec";
    const BODY: &[u8] =
        br#"{"message":{"conversation":{"id":"c"},"msec_timestamp":9,"message":{"id":"m"}}}"#;

    fn receive(body: &'static [u8]) -> ReceiveHook {
        ReceiveHook {
            facts: HookFacts::read(body, SCOPE),
            envelope: HookEnvelope::default(),
            scope: SCOPE.parse().ok(),
            targets: vec![0, 1],
            body: Bytes::from_static(body),
            post: None,
        }
    }

    fn state() -> RelayedHooks {
        RelayedHooks::initial(&RelayChat {
            relay: RelayId::from_channel(&"shop".parse().unwrap()),
            chat: HookFacts::read(BODY, SCOPE).chat,
        })
    }

    fn decide(
        state: &mut RelayedHooks,
        command: ReceiveHook,
        secs: u64,
        earlier: Option<&Recorded<RelayedHooksEvent>>,
    ) -> Decision<RelayedHooksEvent, HookReceipt> {
        let earlier = [earlier.cloned()];
        let mut random = || [1; 16];
        let mut moment = Moment {
            now: UnixMillis::from_secs(secs),
            random: &mut random,
            earlier: &earlier,
        };
        let decision = command.decide(state, &mut moment).unwrap();
        for recorded in &decision.events {
            let text = serde_json::to_string(&recorded.event).unwrap();
            state.apply(&serde_json::from_str(&text).unwrap());
        }
        decision
    }

    #[test]
    fn a_repeat_is_recognised_for_seven_days() {
        let mut hooks = state();
        let first = decide(&mut hooks, receive(BODY), 10, None);
        assert_eq!(first.notices.len(), 2);
        assert_eq!(first.events[0].blob, BODY);
        let week = 7 * 86_400;
        let again = decide(&mut hooks, receive(BODY), 9 + week, Some(&first.events[0]));
        assert!(again.reply.repeated && again.events.is_empty() && again.notices.is_empty());
        assert_eq!(again.reply.number, first.reply.number);
        let later = decide(&mut hooks, receive(BODY), 10 + week, Some(&first.events[0]));
        assert!(!later.reply.repeated);
        assert_eq!(later.reply.number, OutNumber(2));
    }

    #[test]
    fn a_post_gets_an_id_of_its_own_and_a_repeat_the_same() {
        let mut hooks = state();
        let post = |msgid: &str| ReceiveHook {
            post: Some(PostHead {
                target: "/v2/origin/custom/x".to_owned(),
                date: None,
                content_md5: None,
                generation: Generation::Current,
                msgid: msgid.to_owned(),
            }),
            ..receive(BODY)
        };
        let before = hooks.clone();
        let first = decide(&mut hooks, post("mine"), 10, None);
        let own = first.reply.own.unwrap();
        let again = decide(&mut hooks, post("mine"), 11, Some(&first.events[0]));
        assert!(again.reply.repeated && again.events.is_empty());
        assert_eq!(again.reply.own, Some(own));
        let mut entries = switchboard_engine::entries::IndexEntries::default();
        before.index(&first.events[0].event, &mut entries);
        for key in [
            keys::relays::own_id(before.chat.relay, own),
            keys::relays::message(before.chat.relay, "mine"),
            keys::relays::message(before.chat.relay, &own.to_string()),
        ] {
            assert!(entries.keys.contains(&key));
        }
    }

    #[test]
    fn what_was_written_earlier_and_comes_later_is_noted() {
        let mut hooks = state();
        assert!(!decide(&mut hooks, receive(BODY), 10, None).reply.is_late);
        let early =
            br#"{"message":{"conversation":{"id":"c"},"msec_timestamp":8,"message":{"id":"n"}}}"#;
        let decision = decide(&mut hooks, receive(early), 11, None);
        assert!(decision.reply.is_late);
        assert_eq!(decision.reply.number, OutNumber(2));
    }

    #[test]
    fn only_typing_grows_stale() {
        let hook = |kind| {
            let mut hooks = state();
            let mut command = receive(BODY);
            command.facts.kind = kind;
            let decision = decide(&mut hooks, command, 10, None);
            match &decision.events[0].event {
                RelayedHooksEvent::Received(hook) => hook.as_ref().clone(),
                RelayedHooksEvent::Answered { .. } | RelayedHooksEvent::Erased { .. } => {
                    unreachable!()
                }
            }
        };
        let after = |more| UnixMillis::from_secs(10).plus(TYPING_MAX).plus(more);
        let typing = hook(HookKind::Typing);
        assert!(!typing.is_stale(after(Duration::ZERO)));
        assert!(typing.is_stale(after(Duration::from_millis(1))));
        assert!(!hook(HookKind::Reaction).is_stale(after(Duration::from_secs(9))));
    }

    #[test]
    fn a_hook_is_found_by_each_of_its_names() {
        let mut hooks = state();
        let before = hooks.clone();
        let decision = decide(&mut hooks, receive(BODY), 10, None);
        let mut entries = switchboard_engine::entries::IndexEntries::default();
        before.index(&decision.events[0].event, &mut entries);
        // By number, as a repeat, and by the id of the message; queued for two targets, and in the list.
        assert_eq!(entries.keys.len(), 3);
        assert_eq!(entries.rows.len(), 3);
    }
}
