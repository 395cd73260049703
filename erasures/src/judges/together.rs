//! The choice of the erasures that are carried out together.

use crate::Erasure;
use switchboard_engine::store::Seq;

/// Returns the erasures that are carried out next, in their order, with the last record that they judge; `None`: the journal
/// does not name it yet. Every node of a shared log carries out the same ones together, since those that were begun together
/// go up to the same record.
#[must_use]
pub fn together(mut erasures: Vec<Erasure>) -> (Vec<Erasure>, Option<Seq>) {
    let place = |it: &Erasure| (it.upto.unwrap_or(u64::MAX), it.number);
    erasures.sort_by_key(place);
    let upto = erasures.first().and_then(|first| first.upto);
    erasures.retain(|it| it.upto == upto);
    (erasures, upto.map(Seq))
}
