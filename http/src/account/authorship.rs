//! The users who made and changed a note or a task, as both show them.

use switchboard_actors::domain::crm::authorship::Authorship;
use switchboard_actors::domain::id::UserId;

use crate::oauth::view::ActingClientView;
use crate::openapi::Seconds;

view! {
    #[schemars(inline)]
    pub(super) struct AuthorshipView(authorship: &Authorship) {
        created_by: UserId = authorship.created_by,
        /// The OAuth client that acted for the author; not there when the author did it.
        created_by_client ?: ActingClientView = authorship.created_by_client.as_ref().map(ActingClientView::new),
        updated_by: UserId = authorship.updated_by,
        /// The OAuth client that acted for the user of the last change; not there when the user did it.
        updated_by_client ?: ActingClientView = authorship.updated_by_client.as_ref().map(ActingClientView::new),
        created_at: Seconds = authorship.created_at.into(),
        updated_at: Seconds = authorship.updated_at.into(),
    }
}
