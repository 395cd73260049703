//! Joint decisions of two owners, and of three.

use switchboard_engine::runtime::joint::{ExecuteJoint, Joint, RejectedBy};
use switchboard_engine::runtime::owner::Execute;

use super::depot::{TakeOut, Taken};
use super::list::Write;
use super::shop::Trade;
use super::{Answer, Rejection, Toys};

/// Pieces leave a depot and arrive in a shop. The depot says what was shipped before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ship(pub(crate) TakeOut);

impl Joint for Ship {
    type Product = Toys;
    type First = TakeOut;
    type Second = Execute<Trade>;
    type SecondInput = TakeOut;
    type Reply = Answer;
    type Rejection = Rejection;

    fn first(self) -> (TakeOut, TakeOut) {
        (self.0, self.0)
    }

    fn second(take: TakeOut, taken: &Taken) -> Option<(u8, Execute<Trade>)> {
        let trade = Trade {
            request: take.request,
            shop: take.shop,
            pieces: take.pieces,
            depot: Some(take.depot),
        };
        (!taken.is_repeat).then(|| (take.shop, Execute::at_once(trade)))
    }

    fn reply(taken: Option<Taken>, _: Option<Answer>) -> Option<Answer> {
        Some(taken?.answer)
    }

    fn rejection(by: RejectedBy<Rejection, Rejection>) -> Rejection {
        match by {
            RejectedBy::First(rejection) | RejectedBy::Second(rejection) => rejection,
        }
    }
}

/// An item on a list and a shipment for it. The list does not know repeats of it: the depot does, and then nothing is
/// written, neither there nor here.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) write: Write,
    pub(crate) ship: Ship,
}

impl Joint for Order {
    type Product = Toys;
    type First = Write;
    type Second = ExecuteJoint<Ship>;
    type SecondInput = Ship;
    type Reply = Answer;
    type Rejection = Rejection;

    fn first(self) -> (Write, Ship) {
        (self.write, self.ship)
    }

    fn second(ship: Ship, _: &Answer) -> Option<(u8, ExecuteJoint<Ship>)> {
        Some((ship.0.depot, ship.into()))
    }

    fn reply(_: Option<Answer>, shipped: Option<Answer>) -> Option<Answer> {
        shipped
    }

    fn rejection(by: RejectedBy<Rejection, Rejection>) -> Rejection {
        match by {
            RejectedBy::First(rejection) | RejectedBy::Second(rejection) => rejection,
        }
    }
}
