//! The decision about one operation of one of the users: by their standing, their group and that of the responsible
//! user.

use crate::account::rights::calculation::{
    AccessDecision, Circumstances, Operation, Relation, Source, authorize,
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
        thing: &Resource,
    ) -> AccessDecision {
        let with_group = |id: UserId| Some((id, self.get(id)?.group));
        let relation = with_group(user).map_or(Relation::Other, |asking| {
            Relation::between(asking, thing.responsible.and_then(with_group))
        });
        let circumstances = Circumstances {
            relation,
            stage: thing.stage,
            subscriber: thing.subscriber,
        };
        let source = self
            .get(user)
            .map_or(Source::Inactive, |user| self.source(user));
        authorize(source, operation, &circumstances)
    }
}
