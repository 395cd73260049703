//! The audience of an event: the one place where it is decided.

use switchboard_actors::Caller;
use switchboard_actors::system::live::LiveEvent;

use crate::state::AppState;

/// Returns whether an event is for this user, by the rights that they have now; false when the service cannot determine that.
pub(super) async fn may_see(state: &AppState, caller: &Caller, event: &LiveEvent) -> bool {
    match state.system().user_access(caller).await {
        Ok(access) => access.hears(event).await.unwrap_or(false),
        Err(_unavailable) => false,
    }
}
