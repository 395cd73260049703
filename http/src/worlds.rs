//! The orders about worlds, as the service that hands them on sees them. Only `switchboard dev` has worlds.

pub(super) mod order;

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;

/// The longest body of an order, in bytes.
pub const BODY_MAX: usize = 256 << 10;

/// A receiver of orders about worlds.
pub trait TakesOrders: Send + Sync {
    /// Does what a request orders.
    fn take(&self, order: WorldOrder) -> LocalBoxFuture<'_, WorldAnswer>;
}

/// A request about worlds, from a caller that may order it.
pub struct WorldOrder {
    pub method: String,
    /// The path, with a query if there is one.
    pub target: String,
    pub media_type: Option<String>,
    pub body: Bytes,
}

/// The answer to an order.
pub struct WorldAnswer {
    pub status: u16,
    pub media_type: &'static str,
    pub body: Bytes,
}
