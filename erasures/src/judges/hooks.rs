//! Records of hooks, which repeat what other records say: they go with what they are about.

use crate::judges::judge::replaced;
use crate::judges::record::{DecodeError, Reading, decode};
use switchboard_domain::hooks::feed::HookFeedEvent;
use switchboard_domain::hooks::hook::HookObject;
use switchboard_domain::hooks::queue::{HookDeliveries, HookDeliveryEvent};
use switchboard_domain::id::AccountId;
use switchboard_domain::kinds;
use switchboard_engine::state::State as _;
use switchboard_engine::store::Seq;
use switchboard_engine::store::erasure::Verdict;

/// What a record of hooks is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HookSubject {
    pub(super) account: AccountId,
    pub(super) object: HookObject,
    /// The record that the hook is about.
    pub(super) cause: Seq,
}

/// Judges a record of hooks by what it is about; none when it is of something else.
pub(super) fn verdict(
    reading: &Reading<'_>,
    goes: impl FnOnce(HookSubject) -> bool,
) -> Result<Option<Verdict>, DecodeError> {
    let record = reading.record();
    if reading.stream().is(kinds::HOOK_FEED) {
        let HookFeedEvent::Made(hook) = decode(record)? else {
            return Ok(Some(Verdict::Keep));
        };
        let subject = HookSubject {
            account: hook.account,
            object: hook.object,
            cause: hook.number.record(),
        };
        // The place up to which records were read stays with the stream.
        return if goes(subject) {
            replaced(record, &HookFeedEvent::Erased).map(Some)
        } else {
            Ok(Some(Verdict::Keep))
        };
    }
    let Some(account) = HookDeliveries::id_of(reading.stream()) else {
        return Ok(None);
    };
    let event: HookDeliveryEvent = decode(record)?;
    let delivery = event.delivery();
    let subject = HookSubject {
        account,
        object: delivery.queue.object,
        cause: delivery.number.record(),
    };
    Ok(Some(if goes(subject) {
        Verdict::Erase
    } else {
        Verdict::Keep
    }))
}
