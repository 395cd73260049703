//! The owner of a scope.

use std::convert::Infallible;

use crate::caches::read_cache::CachedScope;
use crate::owners::conversation::Deliver;
use crate::shared::Shared;
use switchboard_domain::conversation::send_message::{Accepted, SendMessageRejection};
use switchboard_domain::id::ConversationId;
use switchboard_domain::scope::Scope;
use switchboard_domain::scope::bind::Bind;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{ExecuteJoint, Joint, RejectedBy};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

impl Owned<Shared> for Scope {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.scopes
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, shared: &Shared) {
        shared
            .read_cache
            .set_scope(self.id.clone(), CachedScope::new(self, depends_on));
    }
}

/// A customer's message that binds ids of the integration: bindings and message are one group.
#[derive(Debug)]
pub struct DeliverBound {
    /// The bindings, which the scope decides on first.
    pub bind: Bind,
    /// The message, for the conversation that they lead to.
    pub deliver: Deliver,
}

impl Joint for DeliverBound {
    type Product = Shared;
    type First = Bind;
    type Second = ExecuteJoint<Deliver>;
    type SecondInput = Deliver;
    type Reply = Accepted;
    type Rejection = SendMessageRejection;

    fn first(self) -> (Bind, Deliver) {
        (self.bind, self.deliver)
    }

    fn second(deliver: Deliver, _bound: &()) -> Option<(ConversationId, ExecuteJoint<Deliver>)> {
        Some((deliver.0.conversation, deliver.into()))
    }

    /// A repeat of the message writes nothing, and binds nothing either.
    fn reply(_: Option<()>, accepted: Option<Accepted>) -> Option<Accepted> {
        accepted
    }

    fn rejection(by: RejectedBy<Infallible, SendMessageRejection>) -> SendMessageRejection {
        by.second()
    }
}
