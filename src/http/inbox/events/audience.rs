//! Who may see which event: the one place where this is decided.

use switchboard_actors::Caller;
use switchboard_actors::system::live::LiveEvent;

use crate::http::state::AppState;

/// Whether somebody may go on listening: a user who was deactivated may not.
pub(super) async fn is_welcome(state: &AppState, caller: &Caller) -> bool {
    let users = state.system().users(caller.account).await;
    // When that cannot be told now, the stream ends, and its owner comes again.
    users.is_ok_and(|users| users.get(caller.user).is_some_and(|user| user.active))
}

/// Whether an event is for this user, by the rights that they have now. When that cannot be told, it is not.
pub(super) async fn may_see(state: &AppState, caller: &Caller, event: &LiveEvent) -> bool {
    match state.system().desk(caller).await {
        Ok(desk) => desk.hears(event).await.unwrap_or(false),
        Err(_unavailable) => false,
    }
}
