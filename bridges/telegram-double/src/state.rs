//! The world of the double as a state machine: no socket, no clock, no task. Each function takes the moment.

pub(crate) mod bot;
pub(crate) mod buckets;
pub(crate) mod calls;
pub(crate) mod chance;
pub(crate) mod chat;
pub(crate) mod desk;
pub(crate) mod faults;
pub(crate) mod files;
pub(crate) mod format;
pub(crate) mod markup;
pub(crate) mod orders;
mod page;
pub(crate) mod people;
pub(crate) mod queue;
pub(crate) mod shown;
pub(crate) mod view;
pub(crate) mod webhook;

use std::collections::BTreeMap;

use bot::Bot;
use buckets::Rates;
use chance::Chance;
use desk::Desk;
use faults::Faults;
use people::People;
use webhook::{Delivery, Outcome};

use crate::clock::Moment;

/// All that the double knows.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) bots: BTreeMap<i64, Bot>,
    pub(crate) people: People,
    pub(crate) faults: Faults,
    pub(crate) rates: Rates,
    pub(crate) chance: Chance,
    /// Numbers that are never given twice: of polls, of webhooks, of presses.
    count: u64,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self {
            bots: BTreeMap::new(),
            people: People::default(),
            faults: Faults::default(),
            rates: Rates::default(),
            chance: Chance::new(2_013),
            count: 0,
        }
    }

    /// Forgets everything. Numbers go on, so that a poll that waits finds itself ended.
    pub(crate) fn reset(&mut self) {
        let count = self.count;
        let chance = self.chance.clone();
        *self = Self {
            count,
            chance,
            ..Self::new()
        };
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Finds a bot by its token.
    pub(crate) fn find(&self, token: &str) -> Option<&Bot> {
        let id = token.split_once(':')?.0.parse().ok()?;
        self.bots.get(&id).filter(|bot| bot.token == token)
    }

    /// Returns the desk of a bot.
    pub(crate) fn desk(&mut self, bot: i64, now: Moment) -> Option<Desk<'_>> {
        let bot = self.bots.get_mut(&bot)?;
        bot.queue.expire(now);
        self.count += 1;
        Some(Desk {
            bot,
            people: &self.people,
            rates: self.rates,
            chance: &mut self.chance,
            number: self.count,
            now,
        })
    }

    /// Returns the calls of webhooks that are due, and the moment at which the next one is.
    pub(crate) fn due(&mut self, now: Moment) -> (Vec<Delivery>, Option<Moment>) {
        let mut due = Vec::new();
        let mut next: Option<Moment> = None;
        for bot in self.bots.values_mut() {
            bot.queue.expire(now);
            if let Some(webhook) = &mut bot.webhook {
                let (own, at) = webhook.due(bot.id, &bot.queue, now);
                due.extend(own);
                next = [next, at].into_iter().flatten().min();
            }
        }
        (due, next)
    }

    /// Takes the outcome of a call of a webhook.
    pub(crate) fn outcome(&mut self, delivery: &Delivery, outcome: Outcome, now: Moment) {
        let Some(bot) = self.bots.get_mut(&delivery.bot) else {
            return;
        };
        let Some(webhook) = &mut bot.webhook else {
            return;
        };
        if webhook.generation != delivery.generation {
            return;
        }
        let stays = webhook.outcome(delivery, outcome, &mut bot.queue, now, &mut self.chance);
        if !stays {
            bot.webhook = None;
        }
    }
}

#[cfg(test)]
mod tests;
