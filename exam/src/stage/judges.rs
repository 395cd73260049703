//! Judgements that several cases share.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::role::Role;
use crate::stage::{Event, Reply, Signs, Stage};
use crate::verdict::{Judgement, StopError, Verdict, breaks};

/// The customers of a crowd.
const CROWD: usize = 20;
/// The longest time until a program has worked off what came at once.
const WORK_MAX: Duration = Duration::from_secs(60);

impl Stage {
    /// The message was done exactly once.
    pub(crate) fn judge_done_once(&mut self, reply: &Reply, story: &str) -> Judgement {
        self.judge_count(reply, story, Signs::times)
    }

    /// The message was done exactly once, although the program was killed.
    pub(crate) fn judge_done_once_over_kills(&mut self, reply: &Reply, story: &str) -> Judgement {
        self.judge_count(reply, story, Signs::times_over_kills)
    }

    fn judge_count(
        &mut self,
        reply: &Reply,
        story: &str,
        count: impl Fn(&Signs) -> usize,
    ) -> Judgement {
        self.wait_quiet()?;
        if self.until_handled(reply)?.is_none() {
            return breaks(format!("{story}, and the message was never done."));
        }
        self.require_work(&format!("{story}. Afterwards"))?;
        let signs = self.signs(reply)?;
        let words = signs.shown();
        match count(&signs) {
            1 => Ok(Verdict::holds()),
            0 => breaks(format!("{story}. The program reports an error: {words}.")),
            _ => breaks(format!("{story}, and was done more than once: {words}.")),
        }
    }

    /// The next callback is wrong in its first attempt. It did nothing, and the right one after it was done once.
    pub(crate) fn judge_refused_first_attempt(&mut self, mistake: &str) -> Judgement {
        let reply = self.reply("Red ones.")?;
        self.wait_quiet()?;
        let attempts = self.attempts(&reply.id)?;
        let is_accepted = attempts.len() == 1;
        self.require_work(&format!("After a callback {mistake}"))?;
        let signs = self.signs(&reply)?;
        match (is_accepted, signs.times()) {
            (true, 0) => Ok(Verdict::Holds {
                remark: Some("It answers 2xx and does nothing.".to_owned()),
            }),
            (true, _) => breaks(format!(
                "It answered 2xx to a callback {mistake}, and did what it says: {}.",
                signs.shown()
            )),
            (false, 1) => Ok(Verdict::holds()),
            (false, 0) => breaks(format!(
                "It refused a callback {mistake}, and then also the right one that followed."
            )),
            (false, _) => breaks(format!(
                "It refused a callback {mistake}, and still did what it says: {}.",
                signs.shown()
            )),
        }
    }

    /// The program still handles messages; a bot takes hooks.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) fn require_work(&mut self, when: &str) -> Result<(), StopError> {
        if self.role() == Role::Bot {
            return self.require_hooks(when);
        }
        if !self.is_alive() {
            return breaks(format!("{when}, the program has ended."));
        }
        if !self.is_still_working()? {
            return breaks(format!(
                "{when}, the program handles no other message any more."
            ));
        }
        Ok(())
    }

    /// Each message was answered with 2xx in its first attempt.
    ///
    /// # Errors
    /// When one was not.
    pub(crate) fn require_first_attempts(
        &self,
        replies: &[Reply],
        story: &str,
    ) -> Result<(), StopError> {
        let mut firsts = BTreeMap::new();
        for event in self.entries()? {
            if let Event::Callback(attempt) = event {
                firsts.entry(attempt.message_id.clone()).or_insert(attempt);
            }
        }
        for reply in replies {
            if let Some(first) = firsts.get(&reply.id)
                && !first.is_delivered()
            {
                return breaks(format!(
                    "{story}. The first attempt of «{}»: {}.",
                    reply.text, first.outcome
                ));
            }
        }
        Ok(())
    }

    /// Each message of these conversations has arrived once, in order within its conversation.
    ///
    /// # Errors
    /// When one has not, or the program does not say what has arrived.
    pub(crate) fn require_arrivals(
        &mut self,
        conversations: &[Vec<Reply>],
        story: &str,
    ) -> Result<(), StopError> {
        let count = conversations.iter().flatten().count();
        let ids: Vec<&str> = conversations
            .iter()
            .flatten()
            .map(|it| it.id.as_str())
            .collect();
        self.seen_list()?;
        self.until_within(WORK_MAX, |stage| {
            let arrivals = stage.seen_list()?;
            let count_so_far = arrivals
                .iter()
                .filter(|it| ids.contains(&it.msgid.as_str()))
                .count();
            Ok((count_so_far >= count).then_some(()))
        })?;
        let arrivals = self.seen_list()?;
        for replies in conversations {
            let order: Vec<&str> = arrivals
                .iter()
                .map(|message| message.msgid.as_str())
                .filter(|id| replies.iter().any(|reply| reply.id == *id))
                .collect();
            let right_order: Vec<&str> = replies.iter().map(|reply| reply.id.as_str()).collect();
            if order == right_order {
                continue;
            }
            let (number, count) = (order.len(), right_order.len());
            return match number.cmp(&count) {
                std::cmp::Ordering::Less => breaks(format!(
                    "{story}. Of {count} messages of a conversation, {number} arrived within 60 s."
                )),
                std::cmp::Ordering::Equal => breaks(format!(
                    "{story}. The messages of a conversation arrived in another order."
                )),
                std::cmp::Ordering::Greater => breaks(format!(
                    "{story}. Of {count} messages of a conversation, some arrived more than once: {number} arrivals."
                )),
            };
        }
        Ok(())
    }

    /// Account users answer 20 customers so many times, all at once. Each callback is answered in its first attempt, and the
    /// messages of each conversation arrive in order.
    ///
    /// # Errors
    /// When one does not, or the program does not say what has arrived.
    pub(crate) fn require_crowd(&mut self, rounds: usize, story: &str) -> Result<(), StopError> {
        let customers: Vec<String> = (1..=CROWD)
            .map(|number| format!("customer-{number}"))
            .collect();
        for customer in &customers {
            self.writes(customer, "Hello")?;
        }
        let mut conversations = vec![Vec::new(); customers.len()];
        for round in 1..=rounds {
            for (customer, replies) in customers.iter().zip(&mut conversations) {
                let text = format!("{round} of {rounds} for {customer}.");
                replies.push(self.reply_to(customer, &text)?);
            }
        }
        self.wait_quiet()?;
        let replies: Vec<Reply> = conversations.iter().flatten().cloned().collect();
        self.require_first_attempts(&replies, story)?;
        self.require_arrivals(&conversations, story)
    }
}
