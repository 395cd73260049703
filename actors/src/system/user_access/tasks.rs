//! Tasks: who may see the lead or the contact sees its tasks. A task about neither is seen by its author, its responsible
//! user, and those whose right to edit tasks reaches it. That right also decides who changes a task.

use std::collections::BTreeSet;

use crate::domain::account::rights::calculation::{Operation, Source, TaskAction};
use crate::domain::account::users::rule::Resource;
use crate::domain::audit::By;
use crate::domain::crm::entity::{EntityKind, NoteSubject};
use crate::domain::crm::task::{Task, TaskContent};
use crate::domain::crm::tasks::{
    self, ChangedTask, CreateTasks, CreateTasksRejection, UpdateTasks, UpdateTasksRejection,
};
use crate::domain::id::{TaskId, UserId};
use crate::domain::keys;
use crate::domain::keys::changes::ChangeList;
use crate::domain::keys::tasks::TaskList;
use crate::domain::tables;
use crate::system::user_access::entity_filter::{ListOrder, OrderKey, Span, takes};
use crate::system::user_access::paging::{Listed, PageOptions, PageStart, RowSource};
use crate::system::user_access::{TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The most lists that are read as one.
const LISTS_MAX: usize = 100;

/// A filter of tasks; a missing field takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// With one of these numbers.
    pub ids: BTreeSet<u64>,
    /// With one of these responsible users.
    pub responsible: BTreeSet<UserId>,
    /// By one of these authors.
    pub created_by: BTreeSet<UserId>,
    /// Done, not done, or both.
    pub completed: BTreeSet<bool>,
    /// Of a type with one of these numbers.
    pub types: BTreeSet<u64>,
    /// About entities of one of these kinds.
    pub kinds: Option<BTreeSet<EntityKind>>,
    /// About a lead or a contact with one of these numbers.
    pub entities: BTreeSet<u64>,
    /// To be done in this time.
    pub due: Span,
    /// Last changed in this time.
    pub updated: Span,
    /// The order.
    pub order: ListOrder,
}

impl TaskFilter {
    fn takes(&self, task: &Task) -> bool {
        let content = &task.content;
        let is_about = match content.about {
            Some(about) => self.takes_kind(about.kind) && takes(&self.entities, &about.id),
            None => self.kinds.is_none() && self.entities.is_empty(),
        };
        is_about
            && takes(&self.ids, &task.id.0)
            && takes(&self.responsible, &content.responsible)
            && takes(&self.created_by, &task.authorship.created_by)
            && takes(&self.completed, &content.is_completed)
            && takes(&self.types, &content.kind.number())
            && self.due.has(content.due_at)
            && self.updated.has(task.authorship.updated_at)
    }

    fn takes_kind(&self, kind: EntityKind) -> bool {
        let kinds = self.kinds.as_ref();
        kinds.is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Few lists that have all tasks which are wanted; none when there are no such lists.
    fn lists(&self) -> Vec<TaskList> {
        let kinds = [EntityKind::Leads, EntityKind::Contacts].into_iter();
        let about = kinds
            .filter(|kind| self.takes_kind(*kind))
            .flat_map(|kind| {
                let ids = self.entities.iter();
                ids.map(move |id| TaskList::About(NoteSubject { kind, id: *id }))
            });
        let responsible = self.responsible.iter().copied().map(TaskList::Responsible);
        let is_open = self.completed == BTreeSet::from([false]);
        let open = is_open.then_some(TaskList::Open);
        let choices = [about.collect(), responsible.collect(), Vec::from_iter(open)];
        let is_few = |lists: &Vec<_>| (1..=LISTS_MAX).contains(&lists.len());
        choices.into_iter().find(is_few).unwrap_or_default()
    }
}

/// The rejection of new tasks, or of changes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TasksRejection {
    /// The items at these places, from 0, are about leads or contacts that do not exist, or that the user may not see.
    #[error("{} of the tasks are about objects that do not exist", .0.len())]
    Unknown(Vec<usize>),
    /// The user sees the task, and may not change it, or may not make one.
    #[error("you need the right to edit tasks of this responsible user")]
    Denied,
    /// There is no such task any more that the user may see.
    #[error("there is no such task")]
    Hidden,
    /// There would be too many.
    #[error(transparent)]
    TooMany(#[from] CreateTasksRejection),
}

type Outcome = Result<Vec<Task>, CommandError<TasksRejection>>;

impl UserAccess {
    /// The tasks that are wanted and that the user may see, by number or by the time until which they are to be done.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn tasks(
        &self,
        filter: &TaskFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Task>, UnavailableError> {
        let account = self.caller.account;
        self.system.kernel().caught_up().await;
        let lists = filter.lists();
        let candidates = if !filter.ids.is_empty() {
            RowSource::Chosen(filter.ids.clone())
        } else if lists.is_empty() {
            RowSource::Numbers(self.crm().await?.tasks)
        } else {
            let prefixes = lists.into_iter().map(|list| list.prefix(account));
            RowSource::OfEach {
                table: tables::TASKS_OF,
                prefixes: prefixes.collect(),
                turned: false,
            }
        };
        let rows = match filter.order.key {
            OrderKey::Number | OrderKey::LastChange => candidates,
            OrderKey::Due => {
                let due_at = async |number| {
                    let task = self.any_task(TaskId(number))?;
                    Ok(task.map(|task| task.content.due_at))
                };
                self.by_change(candidates, ChangeList::TasksDue, filter.due, due_at)
                    .await?
            }
        };
        let options = PageOptions::examine_each(filter.order);
        self.paginate(&rows, options, start, limit, async |number| {
            self.visible_task(TaskId(number), filter).await
        })
        .await
    }

    /// A task that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn task(&self, id: TaskId) -> Result<Option<Task>, UnavailableError> {
        self.system.kernel().caught_up().await;
        self.visible_task(id, &TaskFilter::default()).await
    }

    /// Creates tasks, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When one is about something that the user may not see, they may make none, there would be too many, or nothing can
    /// be stored now.
    pub async fn create_tasks(&self, tasks: Vec<TaskContent>) -> Outcome {
        if self.has_no_rights() {
            return Err(CommandError::Rejected(TasksRejection::Denied));
        }
        let subjects: Vec<_> = tasks.iter().map(|task| task.about).collect();
        self.require_subjects(&subjects).await?;
        let command = CreateTasks {
            by: By::from(&self.caller),
            user: self.caller.user,
            tasks,
        };
        let outcome = execute(self.system.kernel(), &self.caller.account, command).await;
        outcome.map_err(|refused| refused.map(TasksRejection::TooMany))
    }

    /// Changes a task; answers once that is on disk.
    ///
    /// # Errors
    /// Those of [`Self::update_tasks`].
    pub async fn update_task(
        &self,
        task: ChangedTask,
    ) -> Result<Task, CommandError<TasksRejection>> {
        let mut tasks = self.update_tasks(vec![task]).await?;
        tasks
            .pop()
            .ok_or(CommandError::Rejected(TasksRejection::Hidden))
    }

    /// Changes tasks, all of them or none; answers once that is on disk.
    ///
    /// # Errors
    /// When the user may not see or change one of them, it is to be about something that they may not see, there would be
    /// too many, or nothing can be stored now.
    pub async fn update_tasks(&self, mut tasks: Vec<ChangedTask>) -> Outcome {
        let subjects: Vec<_> = tasks.iter().map(|task| task.change.about).collect();
        self.require_subjects(&subjects).await?;
        for _ in 0..TRIES {
            for changed in &mut tasks {
                let task = self.task(changed.seen.id).await?;
                changed.seen = task.ok_or(CommandError::Rejected(TasksRejection::Hidden))?;
            }
            if !tasks.iter().all(|it| self.may_edit_task(&it.seen)) {
                return Err(CommandError::Rejected(TasksRejection::Denied));
            }
            let command = UpdateTasks {
                account: self.caller.account,
                by: By::from(&self.caller),
                user: self.caller.user,
                tasks: tasks.clone(),
            };
            match execute(self.system.kernel(), &self.caller.account, command).await {
                Ok(tasks) => return Ok(tasks),
                Err(CommandError::Rejected(UpdateTasksRejection::Changed)) => {}
                Err(CommandError::Rejected(UpdateTasksRejection::TooMany(too_many))) => {
                    return Err(CommandError::Rejected(too_many.into()));
                }
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    /// Refuses subjects that the user may not see.
    async fn require_subjects(
        &self,
        subjects: &[Option<NoteSubject>],
    ) -> Result<(), CommandError<TasksRejection>> {
        let mut unknown = Vec::new();
        for (place, about) in subjects.iter().enumerate() {
            if let Some(about) = about
                && !self.sees_subject(*about).await?
            {
                unknown.push(place);
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        Err(CommandError::Rejected(TasksRejection::Unknown(unknown)))
    }

    /// A task that the user may see, and that a filter takes.
    async fn visible_task(
        &self,
        id: TaskId,
        filter: &TaskFilter,
    ) -> Result<Option<Task>, UnavailableError> {
        match self.any_task(id)?.filter(|task| filter.takes(task)) {
            Some(task) if self.sees_task(&task).await? => Ok(Some(task)),
            Some(_) | None => Ok(None),
        }
    }

    async fn sees_task(&self, task: &Task) -> Result<bool, UnavailableError> {
        if let Some(about) = task.content.about {
            return self.sees_subject(about).await;
        }
        let user = self.caller.user;
        let is_own = task.authorship.created_by == user || task.content.responsible == user;
        Ok((is_own && !self.has_no_rights()) || self.may_edit_task(task))
    }

    fn may_edit_task(&self, task: &Task) -> bool {
        let thing = Resource {
            responsible: Some(task.content.responsible),
            ..Resource::UNOWNED
        };
        self.authorize(Operation::Tasks(TaskAction::Edit), &thing)
            .allowed
    }

    /// Returns whether a flag denies the user everything.
    fn has_no_rights(&self) -> bool {
        let user = self.users.get(self.caller.user);
        user.is_none_or(|user| matches!(self.users.source(user), Source::Inactive | Source::Free))
    }

    fn any_task(&self, id: TaskId) -> Result<Option<Task>, UnavailableError> {
        let key = keys::tasks::task(self.caller.account, id);
        let record = self.system.kernel().record(key)?;
        Ok(tasks::task(record.as_ref()).cloned())
    }
}
