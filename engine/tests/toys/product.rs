//! A toy product: depots that ship pieces to shops, and lists of orders.
//!
//! Each command has a request number, which its records are found by: a repeat is answered as before and writes nothing.

pub(crate) mod depot;
pub(crate) mod list;
pub(crate) mod order;
pub(crate) mod shop;

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use switchboard_engine::entries::{Key, Keys};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::kernel::{Kernel, Product};
use switchboard_engine::state::Recorded;
use switchboard_engine::store::schema::Schema;
use switchboard_engine::stream::StreamKind;

use depot::Depot;
use list::List;
use shop::Shop;

pub(crate) mod kinds {
    switchboard_engine::kinds! { pub(crate) const;
        /// The origin of pieces.
        DEPOT: 1, "Depot", Often;
        /// Their destination.
        SHOP: 2, "Shop", Seldom;
        /// A list of items.
        LIST: 3, "List", Often;
    }
}

pub(crate) mod tables {
    switchboard_engine::tables! { pub(crate) const;
        /// The stock of a depot.
        STOCK: 2, "stock", Often;
        /// The receipts of a shop: shop, number → request.
        ARRIVALS: 3, "arrivals", Often, asked by |key: &[u8]| key.get(..1);
        /// Items by list and name; they come and go.
        ITEMS: 4, "items", Seldom;
    }
}

/// The directories of the owners.
pub(crate) struct Toys {
    pub(crate) depots: Directory<Depot, Self>,
    pub(crate) shops: Directory<Shop, Self>,
    pub(crate) lists: Directory<List, Self>,
}

impl Toys {
    /// Owners have mailboxes for so many messages.
    pub(crate) fn new(mailbox: usize) -> Self {
        Self {
            depots: Directory::new(mailbox),
            shops: Directory::new(mailbox),
            lists: Directory::new(mailbox),
        }
    }
}

impl Product for Toys {
    type Notice = ();
}

pub(crate) type Env = Kernel<Toys>;

pub(crate) fn schema() -> Schema {
    Schema::new(tables::ALL)
        .with::<Depot>()
        .with::<Shop>()
        .with::<List>()
}

/// Numbers a command, so that a repeat is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Request(pub(crate) u32);

/// The answer to every command: what changed, and how many records the state had then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) count: u64,
    pub(crate) value: u64,
}

/// The reason for which a command is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Rejection {
    #[error("there is less than that")]
    TooFew,
    #[error("there is no room for that")]
    Full,
    #[error("there is no such item")]
    Missing,
}

/// Returns the key of the records of a request to this state.
pub(crate) fn request(kind: StreamKind, id: u8, request: Request) -> Key {
    Key::new("request", &(kind.code(), id, request.0))
}

/// The one key that a command asks for, so that it knows a repeat.
fn asks(kind: StreamKind, id: u8, of: Request) -> Keys {
    [request(kind, id, of)].into_iter().collect()
}

/// Raw bytes beside an event: their length and content follow from the request.
pub(crate) fn blob(request: Request) -> Bytes {
    let length = usize::try_from(request.0 * 37 % 600).unwrap();
    Bytes::from(vec![request.0.to_le_bytes()[0]; length])
}

/// The event with the bytes that belong to its request.
fn recorded<E>(event: E, request: Request) -> Recorded<E> {
    Recorded {
        event,
        blob: blob(request),
    }
}

impl fmt::Debug for Toys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toys").finish_non_exhaustive()
    }
}
