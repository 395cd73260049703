//! Who may see which event: the one place where this is decided.

use switchboard_actors::Caller;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::system::live::{Audience, LiveEvent};

use crate::http::state::AppState;

/// Whether somebody may go on listening: a user who was deactivated may not.
pub(super) async fn is_welcome(state: &AppState, caller: &Caller) -> bool {
    let users = state.system().users(caller.account).await;
    // When that cannot be told now, the stream ends, and its owner comes again.
    users.is_ok_and(|users| users.get(caller.user).is_some_and(|user| user.active))
}

/// Whether an event is for this user. Events of other accounts never are.
pub(super) async fn may_see(state: &AppState, caller: &Caller, event: &LiveEvent) -> bool {
    match &event.audience {
        Audience::Account(account) => *account == caller.account,
        Audience::Channel(channel) => {
            let scope = ScopeId::new(channel.clone(), caller.account);
            state.system().is_connected(&scope).await.unwrap_or(false)
        }
    }
}
