//! The judge of old messages: of each conversation the longest beginning is erased in which everything is older than it is
//! kept, and no callback waits. What the conversation is after that beginning stays as one record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;

use crate::RetentionRule;
use crate::certificate::ErasedCounts;
use crate::judges::hooks::{self, HookSubject};
use crate::judges::judge::{Judge, Look, replaced};
use crate::judges::record::{DecodeError, Reading};
use crate::judges::relays::RelayCuts;
use crate::judges::survey::Surveys;
use switchboard_domain::conversation::ConversationEvent;
use switchboard_domain::conversation::condensed::Condensed;
use switchboard_domain::delivery_queue::QueueEvent;
use switchboard_domain::hooks::hook::HookObject;
use switchboard_domain::id::{ConversationId, ScopeId};
use switchboard_domain::time::UnixMillis;
use switchboard_engine::store::erasure::Verdict;
use switchboard_engine::store::{Record, Seq};

/// The cuts of all conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cuts(BTreeMap<ConversationId, Cut>);

/// The cut of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cut {
    /// The last record that goes; 0 while there is none.
    seq: Seq,
    /// The last outgoing message that goes.
    out: u64,
    /// True when the beginning has something that is worth a cut.
    worth_it: bool,
    /// Everything before this moment goes.
    before: UnixMillis,
    /// Nothing more of it goes.
    ended: bool,
}

impl Cuts {
    /// Takes in a record of a conversation, where these rules cut.
    fn look(
        &mut self,
        rules: &[RetentionRule],
        waiting: &UnfinishedCallbacks,
        record: &Reading<'_>,
    ) -> Result<(), DecodeError> {
        let Some(id) = record.conversation() else {
            return Ok(());
        };
        let event = record.talk()?;
        let cut = self.0.entry(id).or_insert_with(|| {
            let before = event.scope().and_then(|scope| before(rules, scope));
            Cut {
                before: before.unwrap_or(UnixMillis::ZERO),
                ended: before.is_none(),
                ..Cut::default()
            }
        });
        let out = event.out();
        let is_waited_for = out.is_some_and(|out| waiting.0.contains(&(id, out)));
        cut.ended |= is_waited_for || event.at().is_some_and(|at| at >= cut.before);
        if !cut.ended {
            cut.seq = record.record().seq;
            cut.out = cut.out.max(out.unwrap_or_default());
            cut.worth_it |= event.is_content();
        }
        Ok(())
    }

    /// Returns whether none of these waits in a part that goes.
    fn spare(&self, waiting: &UnfinishedCallbacks) -> bool {
        let goes =
            |(id, out): &(ConversationId, u64)| self.0.get(id).is_some_and(|cut| *out <= cut.out);
        !waiting.0.iter().any(goes)
    }
}

/// The outgoing messages whose callbacks are not at their end.
#[derive(Clone, Debug, Default)]
struct UnfinishedCallbacks(BTreeSet<(ConversationId, u64)>);

impl UnfinishedCallbacks {
    /// Takes in a record.
    fn look(&mut self, record: &Reading<'_>) -> Result<(), DecodeError> {
        if let Some(id) = record.conversation() {
            self.0.extend(record.talk()?.out().map(|out| (id, out)));
        } else if let Some(id) = record.callback_of() {
            let event = record.callback()?;
            let place = (id, event.change().number.0);
            match event {
                QueueEvent::Settled(_) => {
                    self.0.remove(&place);
                }
                QueueEvent::Changed(_) | QueueEvent::Replayed { .. } => {
                    self.0.insert(place);
                }
            }
        }
        Ok(())
    }
}

/// The moment before which the first rule that fits erases; `None`: everything stays.
fn before(rules: &[RetentionRule], scope: &ScopeId) -> Option<UnixMillis> {
    let fits = |rule: &&RetentionRule| {
        rule.account
            .is_none_or(|account| account == scope.account())
            && rule
                .channel
                .as_ref()
                .is_none_or(|channel| channel == scope.channel())
    };
    rules.iter().find(fits)?.before
}

/// The judge of old messages.
#[derive(Clone, Debug)]
pub(super) struct RetentionJudge {
    rules: Arc<Vec<RetentionRule>>,
    cuts: Arc<Cuts>,
    /// True when the cuts are settled: messages that grow old later go another day.
    is_settled: bool,
    waiting: UnfinishedCallbacks,
    relays: RelayCuts,
    /// The states of conversations whose beginning has begun and is not at its end.
    states: BTreeMap<ConversationId, Condensed>,
    counts: ErasedCounts,
}

impl RetentionJudge {
    /// Begins with the rules about which messages stay.
    pub(super) fn new(rules: Vec<RetentionRule>) -> Self {
        Self {
            relays: RelayCuts::new(&rules),
            rules: Arc::new(rules),
            cuts: Arc::default(),
            is_settled: false,
            waiting: UnfinishedCallbacks::default(),
            states: BTreeMap::new(),
            counts: ErasedCounts::default(),
        }
    }

    /// Returns whether a hook is about a message that goes.
    fn is_cut(&self, hook: HookSubject) -> bool {
        let HookObject::Chat(conversation) = hook.object else {
            return false;
        };
        let cut = self.cuts.0.get(&conversation);
        cut.is_some_and(|cut| hook.cause <= cut.seq)
    }

    /// Settles the cuts.
    fn settle_cuts(&mut self) {
        let cuts = Arc::make_mut(&mut self.cuts);
        cuts.0.retain(|_, cut| cut.worth_it);
        self.counts.conversations = u64::try_from(cuts.0.len()).unwrap_or(u64::MAX);
        self.is_settled = true;
    }

    fn talk(&mut self, id: ConversationId, reading: &Reading<'_>) -> Result<Verdict, DecodeError> {
        let record = reading.record();
        let last = self.cuts.0.get(&id).map(|cut| cut.seq);
        let Some(last) = last.filter(|last| record.seq <= *last) else {
            return Ok(Verdict::Keep);
        };
        let event = reading.talk()?;
        let is_message = event.is_message();
        self.counts.messages = self.counts.messages.saturating_add(u64::from(is_message));
        let mut condensed = self
            .states
            .remove(&id)
            .unwrap_or_else(|| Condensed::initial(&id));
        condensed.take(event);
        if record.seq < last {
            self.states.insert(id, condensed);
            return Ok(Verdict::Erase);
        }
        let without_body = Record {
            blob: Bytes::new(),
            ..record.clone()
        };
        replaced(
            &without_body,
            &ConversationEvent::Condensed(Box::new(condensed)),
        )
    }

    fn callback(
        &mut self,
        id: ConversationId,
        record: &Reading<'_>,
    ) -> Result<Verdict, DecodeError> {
        let Some(cut) = self.cuts.0.get(&id) else {
            return Ok(Verdict::Keep);
        };
        if record.callback()?.change().number.0 > cut.out {
            return Ok(Verdict::Keep);
        }
        self.counts.callback_records = self.counts.callback_records.saturating_add(1);
        Ok(Verdict::Erase)
    }
}

impl Judge for RetentionJudge {
    fn look(&mut self, look: Look, record: &Reading<'_>) -> Result<(), DecodeError> {
        match look {
            Look::First => {
                self.relays.look(look, record)?;
                self.waiting.look(record)
            }
            Look::Second if self.is_settled => Ok(()),
            Look::Second => {
                self.relays.look(look, record)?;
                let cuts = Arc::make_mut(&mut self.cuts);
                cuts.look(&self.rules, &self.waiting, record)
            }
        }
    }

    /// Leaves messages that grew old or were settled meanwhile for another day. Messages that wait again stay.
    fn settle(&mut self, look: Look, _surveys: &Surveys) -> bool {
        match look {
            Look::First => self.relays.settle_limits(),
            Look::Second if !self.is_settled => self.settle_cuts(),
            Look::Second => {}
        }
        self.cuts.spare(&self.waiting) && self.relays.spares()
    }

    fn verdict(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        if let Some(id) = record.conversation() {
            self.talk(id, record)
        } else if let Some(id) = record.callback_of() {
            self.callback(id, record)
        } else if let Some(id) = record.team_of() {
            // Versions of what was sent, or was to be sent, before the cut.
            let cut = self.cuts.0.get(&id);
            let is_before = |cut: &&Cut| record.record().seq <= cut.seq;
            let Some(cut) = cut.filter(is_before) else {
                return Ok(Verdict::Keep);
            };
            // A reply that is to be sent later stays, whatever goes around it.
            Ok(if record.send_at()?.is_none_or(|at| at < cut.before) {
                Verdict::Erase
            } else {
                Verdict::Keep
            })
        } else if let Some((verdict, is_message)) = self.relays.verdict(record)? {
            self.counts.messages = self.counts.messages.saturating_add(u64::from(is_message));
            Ok(verdict)
        } else {
            let verdict = hooks::verdict(record, |hook| self.is_cut(hook))?;
            Ok(verdict.unwrap_or(Verdict::Keep))
        }
    }

    fn counts(&self) -> ErasedCounts {
        self.counts
    }

    fn copy(&self) -> Box<dyn Judge> {
        Box::new(self.clone())
    }
}
