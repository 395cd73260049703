//! Requested rights on top of existing ones: the rights that the request names change, the others stay.

use crate::account::rights::entity::{EntityLevels, EntityRights};
use crate::account::rights::granted::Rights;
use crate::account::rights::stage::StageRules;
use crate::account::rights::task::TaskRights;
use crate::account::rights::{Grant, Right, RightsExcessError};

/// Rights over one kind of entity; what is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntityPatch {
    /// To see.
    pub view: Option<Right>,
    /// To change.
    pub edit: Option<Right>,
    /// To make new ones.
    pub add: Option<Grant>,
    /// To take away.
    pub delete: Option<Right>,
    /// To carry out of the service.
    pub export: Option<Right>,
}

impl EntityPatch {
    fn over(&self, current: EntityRights) -> Result<EntityRights, Vec<RightsExcessError>> {
        let current = current.levels();
        EntityRights::new(EntityLevels {
            view: self.view.unwrap_or(current.view),
            edit: self.edit.unwrap_or(current.edit),
            add: self.add.unwrap_or(current.add),
            delete: self.delete.unwrap_or(current.delete),
            export: self.export.unwrap_or(current.export),
        })
    }
}

/// Rights over tasks; what is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskPatch {
    /// To change.
    pub edit: Option<Right>,
    /// To take away.
    pub delete: Option<Right>,
}

/// All that can be asked for; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RightsPatch {
    /// Over leads.
    pub leads: Option<EntityPatch>,
    /// Over contacts.
    pub contacts: Option<EntityPatch>,
    /// Over companies.
    pub companies: Option<EntityPatch>,
    /// Over tasks.
    pub tasks: Option<TaskPatch>,
    /// To mail.
    pub mail_access: Option<bool>,
    /// To lists.
    pub catalog_access: Option<bool>,
    /// Over stages: all of them, in place of those that are there.
    pub stages: Option<StageRules>,
}

/// A right that would be too wide, and where: under the key `leads`, `contacts`, `companies` or `tasks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// The key.
    pub key: &'static str,
    /// The right that is too wide.
    pub excess: RightsExcessError,
}

impl Misplaced {
    /// The path of the right within a user or a role.
    #[must_use]
    pub fn path(&self) -> String {
        format!("rights.{}.{}", self.key, self.excess.action.key())
    }
}

impl RightsPatch {
    /// Returns these rights over `current`, or the places of all rights that are too wide.
    ///
    /// # Errors
    /// Every right that would be too wide.
    pub fn over(&self, current: &Rights) -> Result<Rights, Vec<Misplaced>> {
        let mut wrong = Vec::new();
        let mut entity = |key, patch: Option<EntityPatch>, current: EntityRights| {
            let patched = patch.map_or(Ok(current), |patch| patch.over(current));
            kept(key, patched, current, &mut wrong)
        };
        let leads = entity("leads", self.leads, current.leads);
        let contacts = entity("contacts", self.contacts, current.contacts);
        let companies = entity("companies", self.companies, current.companies);
        let patched_tasks = self.tasks.map_or(Ok(current.tasks), |patch| {
            let edit = patch.edit.unwrap_or(current.tasks.edit());
            TaskRights::new(edit, patch.delete.unwrap_or(current.tasks.delete()))
        });
        let tasks = kept("tasks", patched_tasks, current.tasks, &mut wrong);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let stages = self.stages.as_ref().unwrap_or(&current.stages);
        Ok(Rights {
            leads,
            contacts,
            companies,
            tasks,
            mail_access: self.mail_access.unwrap_or(current.mail_access),
            catalog_access: self.catalog_access.unwrap_or(current.catalog_access),
            stages: stages.clone(),
        })
    }
}

/// The new rights, or the current ones with a note of what is wrong with the new.
fn kept<T>(
    key: &'static str,
    patched: Result<T, Vec<RightsExcessError>>,
    current: T,
    wrong: &mut Vec<Misplaced>,
) -> T {
    patched.unwrap_or_else(|excesses| {
        let misplaced = |excess| Misplaced { key, excess };
        wrong.extend(excesses.into_iter().map(misplaced));
        current
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::rights::EntityAction;

    #[test]
    fn a_partial_update_leaves_unnamed_fields_unchanged() {
        let patch = RightsPatch {
            leads: Some(EntityPatch {
                export: Some(Right::Denied),
                ..EntityPatch::default()
            }),
            mail_access: Some(false),
            ..RightsPatch::default()
        };
        let after = patch.over(&Rights::all()).unwrap();
        assert_eq!(after.leads.right(EntityAction::Export), Right::Denied);
        assert_eq!(after.leads.right(EntityAction::Delete), Right::All);
        assert_eq!((after.mail_access, after.catalog_access), (false, true));
        assert_eq!(after.contacts, EntityRights::ALL);
    }

    /// The result of an update obeys the dependencies, and every right that is too wide is named.
    #[test]
    fn an_update_obeys_the_dependencies_and_names_every_excess() {
        let narrow = EntityPatch {
            view: Some(Right::Main),
            ..EntityPatch::default()
        };
        let patch = RightsPatch {
            contacts: Some(narrow),
            tasks: Some(TaskPatch {
                edit: Some(Right::Group),
                delete: None,
            }),
            ..RightsPatch::default()
        };
        let wrong = patch.over(&Rights::all()).unwrap_err();
        let paths: Vec<String> = wrong.iter().map(Misplaced::path).collect();
        assert_eq!(
            paths,
            [
                "rights.contacts.edit",
                "rights.contacts.delete",
                "rights.contacts.export",
                "rights.tasks.delete"
            ]
        );
    }
}
