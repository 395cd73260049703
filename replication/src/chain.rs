//! The chain of a log: each entry names its position, and the entry before it.

use crate::entry::{EntryHeader, EntryId};
use crate::log_end::LogEnd;
use crate::position::Position;

/// Checks that an entry was made for a position, and after the entry `before`; `None`: that one is not known.
///
/// # Errors
/// What does not fit, in words that follow on the name of the entry.
pub(crate) fn check_link(
    header: &EntryHeader,
    position: Position,
    before: Option<EntryId>,
) -> Result<(), String> {
    if header.position != position {
        return Err(format!("it was made for place {}", header.position));
    }
    if before.is_some_and(|before| before != header.before) {
        return Err("it was made behind another entry".to_owned());
    }
    Ok(())
}

/// Checks that an entry of a shared log follows on its end, and what it says of its epoch and of its records.
///
/// # Errors
/// What does not fit.
pub(crate) fn check_chain(end: &LogEnd, header: &EntryHeader) -> Result<(), String> {
    check_link(header, end.position.next(), Some(end.id))?;
    let is_claim = header.content.claim().is_some();
    let is_order = header.content.order().is_some();
    if is_order != (end.epoch == 0) && !is_claim {
        return Err("a log begins with an order and a claim".to_owned());
    }
    let epoch = end.epoch.saturating_add(u64::from(is_claim));
    if header.epoch != epoch {
        return Err(format!("its epoch is {}, not {epoch}", header.epoch));
    }
    let claim = if is_claim { header.position } else { end.claim };
    if header.claim != claim {
        return Err(format!("it names the claim at place {}", header.claim));
    }
    let (last, newest) = (header.last, end.last);
    match header.content.first() {
        Some(first) if header.last_before() != newest || first > last => {
            Err(format!("record {} is not due", first.0))
        }
        None if last != newest => Err(format!("it ends with record {}, not {}", last.0, newest.0)),
        Some(_) | None => Ok(()),
    }
}
