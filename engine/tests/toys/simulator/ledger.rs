//! Requests and answers: the memory of the clients, which no crash touches.

use std::collections::BTreeMap;

use crate::product::depot::{Load, TakeOut};
use crate::product::list::Write;
use crate::product::order::{Order, Ship};
use crate::product::shop::Trade;
use crate::product::{Answer, Request};
use crate::simulator::world::World;

/// Something that a client wants.
#[derive(Clone, Debug)]
pub(crate) enum Wish {
    Load(Load),
    Ship(Ship),
    Order(Order),
    Sell(Trade),
    Write(Write),
}

/// The state of a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It may have been carried out: there was no answer, or it was interrupted.
    Unknown,
    /// It was not carried out.
    Refused,
    /// It was carried out, once.
    Accepted(Answer),
}

/// A wish with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) wish: Wish,
    pub(crate) fate: Fate,
    /// The moments of the first request and of the answer: all such moments have numbers of their own.
    pub(crate) asked_at: u64,
    pub(crate) answered_at: Option<u64>,
}

/// All wishes by their requests.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) entries: BTreeMap<Request, Entry>,
    moments: u64,
}

impl Ledger {
    /// The number of this moment.
    pub(crate) fn moment(&mut self) -> u64 {
        self.moments += 1;
        self.moments
    }

    /// Something is asked for, the first time or again.
    pub(crate) fn ask(&mut self, request: Request, wish: &Wish) {
        let asked_at = self.moment();
        let entry = self.entries.entry(request).or_insert_with(|| Entry {
            wish: wish.clone(),
            fate: Fate::Refused,
            asked_at,
            answered_at: None,
        });
        if entry.fate == Fate::Refused {
            entry.fate = Fate::Unknown;
        }
    }

    /// The answer arrives.
    pub(crate) fn accept(&mut self, request: Request, answer: Answer) -> Result<(), String> {
        let moment = self.moment();
        let entry = self.entries.get_mut(&request).unwrap();
        if let Fate::Accepted(before) = entry.fate
            && before != answer
        {
            return Err(format!(
                "{request:?} was answered {before:?} and {answer:?}"
            ));
        }
        entry.fate = Fate::Accepted(answer);
        entry.answered_at.get_or_insert(moment);
        Ok(())
    }

    /// It was not carried out; `before` is what was known when it was asked for again.
    pub(crate) fn refuse(&mut self, request: Request, before: Fate) {
        self.entries.get_mut(&request).unwrap().fate = before;
    }

    pub(crate) fn fate(&self, request: Request) -> Fate {
        let entry = self.entries.get(&request);
        entry.map_or(Fate::Refused, |entry| entry.fate)
    }
}

/// Draws a wish.
pub(crate) fn wish(world: &World, request: Request) -> Wish {
    let draw = |bound: usize| u8::try_from(world.draw(bound)).unwrap();
    let pieces = u64::from(draw(12));
    let take = TakeOut {
        request,
        depot: draw(3),
        shop: draw(3),
        pieces,
    };
    let names = 1 + draw(3);
    let first = draw(4);
    let items = (0..names).map(|place| {
        let is_gone = world.draw(3) == 0;
        (first + place, (!is_gone).then(|| u64::from(request.0)))
    });
    let write = Write {
        request,
        list: draw(2),
        items: items.collect(),
    };
    match draw(10) {
        0..=2 => Wish::Load(Load {
            request,
            depot: take.depot,
            pieces,
        }),
        3 | 4 => Wish::Ship(Ship(take)),
        5 | 6 => Wish::Order(Order {
            write: Write {
                items: vec![(first, Some(u64::from(request.0)))],
                ..write
            },
            ship: Ship(take),
        }),
        7 => Wish::Sell(Trade {
            request,
            shop: take.shop,
            pieces,
            depot: None,
        }),
        _ => Wish::Write(write),
    }
}
