//! A depot: how many pieces are left.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};
use switchboard_engine::entries::{IndexEntries, Keys};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::{Command, Decision, Moment, State};
use switchboard_engine::stream::StreamKind;

use super::{Answer, Rejection, Request, Toys, asks, kinds, recorded, request, tables};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Depot {
    pub(crate) id: u8,
    pub(crate) left: u64,
    pub(crate) count: u64,
}

/// Pieces came in or were shipped; what was left then and how many records there were is the answer to a repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Moved {
    pub(crate) request: Request,
    pub(crate) pieces: u64,
    /// The shop that they went to.
    pub(crate) shop: Option<u8>,
    pub(crate) left: u64,
    pub(crate) count: u64,
}

impl Moved {
    pub(crate) fn answer(&self) -> Answer {
        Answer {
            count: self.count,
            value: self.left,
        }
    }
}

impl State for Depot {
    type Id = u8;
    type Event = Moved;
    type Notice = ();
    const KIND: StreamKind = kinds::DEPOT;

    fn initial(id: &u8) -> Self {
        Self {
            id: *id,
            left: 0,
            count: 0,
        }
    }

    /// A forged history may say anything, so nothing here can overflow.
    fn apply(&mut self, event: &Moved) {
        match event.shop {
            None => self.left = self.left.wrapping_add(event.pieces),
            Some(_) => self.left = self.left.wrapping_sub(event.pieces),
        }
        self.count += 1;
    }

    fn index(&self, event: &Moved, entries: &mut IndexEntries) {
        entries.key(request(kinds::DEPOT, self.id, event.request));
        let rest = event.left.to_be_bytes().to_vec();
        entries.put(tables::STOCK, vec![self.id], rest);
    }
}

impl Owned<Toys> for Depot {
    fn directory(world: &Toys) -> &Directory<Self, Toys> {
        &world.depots
    }
}

/// Pieces come in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) request: Request,
    pub(crate) depot: u8,
    pub(crate) pieces: u64,
}

impl Command for Load {
    type Of = Depot;
    type Reply = Answer;
    type Rejection = Infallible;

    fn required_keys(&self, _: &Depot) -> Keys {
        asks(kinds::DEPOT, self.depot, self.request)
    }

    fn decide(
        self,
        depot: &Depot,
        moment: &mut Moment<'_, Moved>,
    ) -> Result<Decision<Moved, Answer>, Infallible> {
        if let Some(before) = moment.earlier(0) {
            return Ok(Decision::unchanged(before.event.answer()));
        }
        let event = Moved {
            request: self.request,
            pieces: self.pieces,
            shop: None,
            left: depot.left.wrapping_add(self.pieces),
            count: depot.count + 1,
        };
        let answer = event.answer();
        Ok(Decision::event(recorded(event, self.request), answer))
    }
}

/// Pieces are taken out for a shop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakeOut {
    pub(crate) request: Request,
    pub(crate) depot: u8,
    pub(crate) shop: u8,
    pub(crate) pieces: u64,
}

/// The depot's reply: a repeat knows from an earlier time that the pieces are on their way; else it is up to the shop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) answer: Answer,
    pub(crate) is_repeat: bool,
}

impl Command for TakeOut {
    type Of = Depot;
    type Reply = Taken;
    type Rejection = Rejection;

    fn required_keys(&self, _: &Depot) -> Keys {
        asks(kinds::DEPOT, self.depot, self.request)
    }

    fn decide(
        self,
        depot: &Depot,
        moment: &mut Moment<'_, Moved>,
    ) -> Result<Decision<Moved, Taken>, Rejection> {
        if let Some(before) = moment.earlier(0) {
            let answer = before.event.answer();
            let is_repeat = true;
            return Ok(Decision::unchanged(Taken { answer, is_repeat }));
        }
        let event = Moved {
            request: self.request,
            pieces: self.pieces,
            shop: Some(self.shop),
            left: depot
                .left
                .checked_sub(self.pieces)
                .ok_or(Rejection::TooFew)?,
            count: depot.count + 1,
        };
        let answer = event.answer();
        let is_repeat = false;
        let reply = Taken { answer, is_repeat };
        Ok(Decision::event(recorded(event, self.request), reply))
    }
}
