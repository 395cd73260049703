//! The options of lists whose entries are all examined.

use super::{EXAMINED_MAX, PageOptions};
use crate::system::user_access::entity_filter::ListOrder;

impl PageOptions {
    /// Options of a list in this order, each entry of which is examined.
    pub(in crate::system::user_access) fn examine_each(order: ListOrder) -> Self {
        Self {
            newest_first: order.descending,
            everything: false,
            examined_max: EXAMINED_MAX,
        }
    }
}
