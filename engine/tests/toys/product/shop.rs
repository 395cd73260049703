//! A shop: what it got from depots and has not sold.

use serde::{Deserialize, Serialize};
use switchboard_engine::entries::{IndexEntries, Keys};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::{Command, Decision, Moment, State};
use switchboard_engine::stream::StreamKind;

use super::{Answer, Rejection, Request, Toys, asks, kinds, recorded, request, tables};

/// No shop has more pieces.
pub(crate) const ROOM: u64 = 40;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shop {
    pub(crate) id: u8,
    pub(crate) pieces: u64,
    pub(crate) count: u64,
}

/// Pieces came or went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Traded {
    pub(crate) request: Request,
    pub(crate) pieces: u64,
    /// The depot that they came from; `None`: they were sold.
    pub(crate) depot: Option<u8>,
    pub(crate) after: u64,
    pub(crate) count: u64,
}

impl Traded {
    pub(crate) fn answer(&self) -> Answer {
        Answer {
            count: self.count,
            value: self.after,
        }
    }
}

impl State for Shop {
    type Id = u8;
    type Event = Traded;
    type Notice = ();
    const KIND: StreamKind = kinds::SHOP;

    fn initial(id: &u8) -> Self {
        Self {
            id: *id,
            pieces: 0,
            count: 0,
        }
    }

    /// A forged history may say anything, so nothing here can overflow.
    fn apply(&mut self, event: &Traded) {
        match event.depot {
            Some(_) => self.pieces = self.pieces.wrapping_add(event.pieces),
            None => self.pieces = self.pieces.wrapping_sub(event.pieces),
        }
        self.count += 1;
    }

    fn index(&self, event: &Traded, entries: &mut IndexEntries) {
        entries.key(request(kinds::SHOP, self.id, event.request));
        if event.depot.is_some() {
            let number = event.count.to_be_bytes();
            let key: Vec<u8> = [self.id].into_iter().chain(number).collect();
            let value = event.request.0.to_be_bytes().to_vec();
            entries.insert(tables::ARRIVALS, key, value);
        }
    }
}

impl Owned<Toys> for Shop {
    fn directory(world: &Toys) -> &Directory<Self, Toys> {
        &world.shops
    }
}

/// Pieces come from a depot, or are sold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trade {
    pub(crate) request: Request,
    pub(crate) shop: u8,
    pub(crate) pieces: u64,
    pub(crate) depot: Option<u8>,
}

impl Command for Trade {
    type Of = Shop;
    type Reply = Answer;
    type Rejection = Rejection;

    fn required_keys(&self, _: &Shop) -> Keys {
        asks(kinds::SHOP, self.shop, self.request)
    }

    fn decide(
        self,
        shop: &Shop,
        moment: &mut Moment<'_, Traded>,
    ) -> Result<Decision<Traded, Answer>, Rejection> {
        if let Some(before) = moment.earlier(0) {
            return Ok(Decision::unchanged(before.event.answer()));
        }
        let after = match self.depot {
            Some(_) => Some(shop.pieces.wrapping_add(self.pieces)).filter(|after| *after <= ROOM),
            None => shop.pieces.checked_sub(self.pieces),
        };
        let traded = Traded {
            request: self.request,
            pieces: self.pieces,
            depot: self.depot,
            after: after.ok_or(match self.depot {
                Some(_) => Rejection::Full,
                None => Rejection::TooFew,
            })?,
            count: shop.count + 1,
        };
        let answer = traded.answer();
        Ok(Decision::event(recorded(traded, self.request), answer))
    }
}
