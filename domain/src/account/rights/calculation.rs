//! The decision about one operation of a user, with its reason.
//!
//! The steps: the general rights come first. The rights of the lead's stage then restrict or extend them. Last, a
//! subscriber of the lead's chat may view it. Buyers inherit from leads. They have no stage and no chat, so only the
//! first step applies to them. A stage that denies view also denies the actions that need view, even where it has no
//! right of its own for them. The flags come before everything: a user who is switched off or free has no rights, an
//! administrator has all. A role outranks rights of one's own.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::account::rights::granted::Rights;
use crate::account::rights::{EntityAction, Right};
use crate::id::{GroupId, PipelineId, RoleId, StageId, UserId};

/// An action that a user wants to take, with the kind of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// With a lead.
    Leads(EntityAction),
    /// With a contact.
    Contacts(EntityAction),
    /// With a company.
    Companies(EntityAction),
    /// With a buyer.
    Buyers(EntityAction),
    /// With a task. Nothing limits who sees one and who makes one.
    Tasks(TaskAction),
    /// To use mail.
    Mail,
    /// To use lists.
    Catalogs,
}

/// An operation on a task, as far as rights limit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskAction {
    /// Change it.
    Edit,
    /// Take it away.
    Delete,
}

/// The source of a user's rights; each outranks those that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'r> {
    /// The user is switched off.
    Inactive,
    /// The user has the flag of free users.
    Free,
    /// The user is an administrator.
    Administrator,
    /// The user holds a role.
    Role(RoleId, &'r Rights),
    /// The user holds no role.
    Own(&'r Rights),
}

/// The relation of a user to the responsible user of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Relation {
    /// The user is responsible.
    Own,
    /// Another user of the same group is responsible.
    SameGroup,
    /// A user of another group is responsible, or no user is.
    Other,
}

/// A user with their group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The user.
    pub user: UserId,
    /// The group.
    pub group: GroupId,
}

impl Relation {
    /// The relation of `user` to `responsible`. `None`: no user is responsible.
    #[must_use]
    pub fn between(user: GroupMember, responsible: Option<GroupMember>) -> Self {
        match responsible {
            Some(other) if other.user == user.user => Self::Own,
            Some(other) if other.group == user.group => Self::SameGroup,
            Some(_) | None => Self::Other,
        }
    }

    fn is_within(self, right: Right) -> bool {
        match right {
            Right::All => true,
            Right::Group => self != Self::Other,
            Right::Main => self == Self::Own,
            Right::Denied => false,
        }
    }
}

/// The properties of an object that rights depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// The relation of the user to the responsible user.
    pub relation: Relation,
    /// The stage of a lead; ignored for everything else.
    pub stage: Option<(PipelineId, StageId)>,
    /// A flag: the user is a subscriber of the lead's chat. Ignored for everything else.
    pub subscriber: bool,
}

impl Circumstances {
    /// The circumstances of an object that does not exist yet, or that has no responsible user: mail, lists, new
    /// entries.
    pub const NONE: Self = Self {
        relation: Relation::Other,
        stage: None,
        subscriber: false,
    };
}

/// The answer, with the way that led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccessDecision {
    /// True when the operation is allowed.
    pub allowed: bool,
    /// The right that decided.
    pub right: Right,
    /// The steps of the calculation, in their order; never empty.
    pub steps: Vec<Step>,
}

/// One step of the calculation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// A flag of the user decides alone.
    Flag {
        /// The flag.
        flag: Flag,
        /// The right that it grants.
        right: Right,
    },
    /// The general right, of the role if there is one.
    General {
        /// The role.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(required)]
        role: Option<RoleId>,
        /// The right that it grants.
        right: Right,
    },
    /// Buyers: the right before was that over leads.
    Inherited,
    /// The rights of the stage override the right.
    Stage {
        /// The pipeline.
        pipeline_id: PipelineId,
        /// The stage.
        status_id: StageId,
        /// The resulting right.
        right: Right,
    },
    /// Something that this needs is narrower in this stage.
    Limited {
        /// The operation whose right is required.
        by: EntityAction,
        /// The remaining right.
        right: Right,
    },
    /// A subscriber of the chat may see the lead.
    Subscriber {
        /// The added right.
        right: Right,
    },
    /// The last step: whether the right reaches what this user wants to do something with.
    Reach {
        /// The relation of the user to the responsible user.
        relation: Relation,
        /// True when the operation is within the right.
        allowed: bool,
    },
}

/// A flag of a user that decides alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Flag {
    /// Switched off.
    Inactive,
    /// A free user.
    Free,
    /// An administrator.
    Administrator,
}

/// Rules on one question.
#[must_use]
pub fn authorize(
    source: Source<'_>,
    operation: Operation,
    circumstances: &Circumstances,
) -> AccessDecision {
    let mut steps = Vec::with_capacity(4);
    let right = match source {
        Source::Inactive => by_flag(Flag::Inactive, Right::Denied, &mut steps),
        Source::Free => by_flag(Flag::Free, Right::Denied, &mut steps),
        Source::Administrator => by_flag(Flag::Administrator, Right::All, &mut steps),
        Source::Role(role, rights) => {
            by_rights(Some(role), rights, operation, circumstances, &mut steps)
        }
        Source::Own(rights) => by_rights(None, rights, operation, circumstances, &mut steps),
    };
    let relation = circumstances.relation;
    let is_within = relation.is_within(right);
    steps.push(Step::Reach {
        relation,
        allowed: is_within,
    });
    AccessDecision {
        allowed: is_within,
        right,
        steps,
    }
}

fn by_flag(flag: Flag, right: Right, steps: &mut Vec<Step>) -> Right {
    steps.push(Step::Flag { flag, right });
    right
}

fn by_rights(
    role: Option<RoleId>,
    rights: &Rights,
    operation: Operation,
    circumstances: &Circumstances,
    steps: &mut Vec<Step>,
) -> Right {
    let flag_right = |is_granted: bool| {
        if is_granted {
            Right::All
        } else {
            Right::Denied
        }
    };
    let right = match operation {
        Operation::Leads(action) | Operation::Buyers(action) => rights.leads.right(action),
        Operation::Contacts(action) => rights.contacts.right(action),
        Operation::Companies(action) => rights.companies.right(action),
        Operation::Tasks(TaskAction::Edit) => rights.tasks.edit(),
        Operation::Tasks(TaskAction::Delete) => rights.tasks.delete(),
        Operation::Mail => flag_right(rights.mail_access),
        Operation::Catalogs => flag_right(rights.catalog_access),
    };
    steps.push(Step::General { role, right });
    match operation {
        Operation::Leads(action) => of_a_lead(rights, action, circumstances, steps),
        Operation::Buyers(_) => {
            steps.push(Step::Inherited);
            right
        }
        Operation::Contacts(_)
        | Operation::Companies(_)
        | Operation::Tasks(_)
        | Operation::Mail
        | Operation::Catalogs => right,
    }
}

fn of_a_lead(
    rights: &Rights,
    action: EntityAction,
    circumstances: &Circumstances,
    steps: &mut Vec<Step>,
) -> Right {
    let in_stage = |action: EntityAction| {
        let (pipeline, stage) = circumstances.stage?;
        let grant = rights.stages.get(pipeline, stage)?.grant(action)?;
        Some(((pipeline, stage), Right::from(grant)))
    };
    let mut right = rights.leads.right(action);
    if let Some(((pipeline_id, status_id), said)) = in_stage(action)
        && said != right
    {
        right = said;
        steps.push(Step::Stage {
            pipeline_id,
            status_id,
            right,
        });
    }
    for &needed in action.needs() {
        let limit = in_stage(needed).map_or(rights.leads.right(needed), |(_, said)| said);
        if limit < right {
            right = limit;
            steps.push(Step::Limited { by: needed, right });
        }
    }
    if action == EntityAction::View && circumstances.subscriber && right != Right::All {
        right = Right::All;
        steps.push(Step::Subscriber { right });
    }
    right
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag { flag, right } => {
                let flag = match flag {
                    Flag::Inactive => "the user is switched off",
                    Flag::Free => "the user is a free user",
                    Flag::Administrator => "the user is an administrator",
                };
                write!(f, "{flag}: {}", right.letter())
            }
            Self::General { role, right } => match role {
                Some(role) => write!(f, "the role {role} gives {}", right.letter()),
                None => write!(f, "the user's own rights give {}", right.letter()),
            },
            Self::Inherited => f.write_str("buyers inherit it from leads"),
            Self::Stage {
                pipeline_id,
                status_id,
                right,
            } => {
                let right = right.letter();
                write!(
                    f,
                    "the stage {status_id} of pipeline {pipeline_id} makes it {right}"
                )
            }
            Self::Limited { by, right } => {
                write!(f, "{} limits it to {}", by.key(), right.letter())
            }
            Self::Subscriber { right } => {
                write!(
                    f,
                    "a subscriber of the chat sees the lead: {}",
                    right.letter()
                )
            }
            Self::Reach { relation, allowed } => {
                let relation = match relation {
                    Relation::Own => "the user is responsible",
                    Relation::SameGroup => "a user of the same group is responsible",
                    Relation::Other => "no user of the same group is responsible",
                };
                let outcome = if *allowed { "allowed" } else { "denied" };
                write!(f, "{relation}: {outcome}")
            }
        }
    }
}

#[cfg(test)]
mod tests;
