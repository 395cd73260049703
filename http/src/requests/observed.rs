//! The facts that the layers behind the router learn of a request to be recorded: its body, and who sent it.

use std::cell::RefCell;

use actix_web::{HttpMessage as _, HttpRequest};
use bytes::Bytes;
use switchboard_actors::Caller;
use switchboard_actors::domain::id::{AccountId, OauthClientId, UserId};

/// A place for it, which only requests have that may be recorded: for all others nothing is noted.
#[derive(Debug, Default)]
pub(super) struct Observed(RefCell<Observation>);

#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    /// None if no handler read it.
    pub(super) body: Option<Bytes>,
    pub(super) caller: Option<(AccountId, UserId)>,
    pub(super) client: Option<OauthClientId>,
}

impl Observed {
    pub(super) fn take(&self) -> Observation {
        self.0.take()
    }
}

/// Notes the whole body of a request.
pub(crate) fn note_body(request: &HttpRequest, body: &Bytes) {
    note(request, |observed| observed.body = Some(body.clone()));
}

/// Notes the account user, and the OAuth client that acts for them.
pub(crate) fn note_caller(request: &HttpRequest, caller: &Caller) {
    note(request, |observed| {
        observed.caller = Some((caller.account, caller.user));
        observed.client = caller.client.as_ref().map(|client| client.id);
    });
}

/// Notes the OAuth client that showed its secret.
pub(crate) fn note_client(request: &HttpRequest, client: OauthClientId) {
    note(request, |observed| observed.client = Some(client));
}

fn note(request: &HttpRequest, change: impl FnOnce(&mut Observation)) {
    if let Some(Observed(observation)) = request.extensions().get::<Observed>() {
        change(&mut observation.borrow_mut());
    }
}
