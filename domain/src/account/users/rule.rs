//! The decision about one operation of one of the users: by their standing, their group and that of the responsible
//! user.

use crate::account::rights::calculation::{
    AccessDecision, Circumstances, GroupMember, Operation, Relation, Source, authorize,
};
use crate::account::users::Users;
use crate::id::{PipelineId, StageId, UserId};

/// The object that a user wants to act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The responsible user; `None` while there is none.
    pub responsible: Option<UserId>,
    /// The stage of a lead; ignored for everything else.
    pub stage: Option<(PipelineId, StageId)>,
    /// A flag: the acting user is a subscriber of the lead's chat. Ignored for everything else.
    pub subscriber: bool,
}

impl Resource {
    /// An object that does not exist yet, or that has no responsible user.
    pub const UNOWNED: Self = Self {
        responsible: None,
        stage: None,
        subscriber: false,
    };
}

impl Users {
    /// Decides whether a user may do something, with the steps that led to the answer. A user who is not in the account
    /// may do nothing in it.
    #[must_use]
    pub fn authorize(
        &self,
        user: UserId,
        operation: Operation,
        resource: &Resource,
    ) -> AccessDecision {
        let member = |user: UserId| {
            let group = self.get(user)?.group;
            Some(GroupMember { user, group })
        };
        let relation = member(user).map_or(Relation::Other, |user| {
            Relation::between(user, resource.responsible.and_then(member))
        });
        let circumstances = Circumstances {
            relation,
            stage: resource.stage,
            subscriber: resource.subscriber,
        };
        let source = self
            .get(user)
            .map_or(Source::Inactive, |user| self.source(user));
        authorize(source, operation, &circumstances)
    }
}
