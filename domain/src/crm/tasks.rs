//! Account users create tasks, and change them: all of a request or none.
//!
//! The caller has read the tasks and was authorized for those versions of them. If one has changed since, the command does
//! nothing, and the caller reads them again.

use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::authorship::Authorship;
use crate::crm::entity::NoteSubject;
use crate::crm::task::{Task, TaskChanged, TaskContent, TaskType};
use crate::crm::{Crm, CrmEvent};
use crate::id::{AccountId, TaskId, UserId};
use crate::text::MessageText;
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// The most tasks of an account that are to be done.
pub const OPEN_TASKS_MAX: u64 = 100_000;

/// Creates tasks.
#[derive(Clone, Debug)]
pub struct CreateTasks {
    /// The actor, for the audit log.
    pub by: By,
    /// The author.
    pub user: UserId,
    /// The tasks.
    pub tasks: Vec<TaskContent>,
}

/// The rejection of new tasks: the account would have too many that are to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an account has at most {OPEN_TASKS_MAX} tasks that are not completed; complete some first"
)]
pub struct CreateTasksRejection;

impl Command for CreateTasks {
    type Of = Crm;
    type Reply = Vec<Task>;
    type Rejection = CreateTasksRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Task>>, CreateTasksRejection> {
        let authorship = Authorship::new(&self.by, self.user, moment.now);
        let numbers = state.tasks.saturating_add(1)..;
        let numbered = numbers.zip(self.tasks);
        let new_task = |(number, content)| Task {
            id: TaskId(number),
            content,
            authorship: authorship.clone(),
        };
        let tasks: Vec<Task> = numbered.map(new_task).collect();
        let author = Author {
            by: self.by,
            account: state.account,
        };
        let (mut events, mut open) = (Vec::new(), state.open_tasks);
        for task in tasks.iter().cloned() {
            let event = TaskChanged { task, before: None };
            event.count_open(&mut open);
            let entry = author.task(&event, moment);
            events.extend([CrmEvent::Task(Box::new(event)), entry].map(Recorded::from));
        }
        if open > OPEN_TASKS_MAX {
            return Err(CreateTasksRejection);
        }
        Ok(Decision::events(events, tasks))
    }
}

/// The changes of a task; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskChange {
    /// The text.
    pub text: Option<MessageText>,
    /// The type.
    pub kind: Option<TaskType>,
    /// The lead or the contact.
    pub about: Option<NoteSubject>,
    /// The user who is to do it.
    pub responsible: Option<UserId>,
    /// The time until which it is to be done.
    pub due_at: Option<UnixMillis>,
    /// The planned length, in seconds.
    pub duration: Option<u64>,
    /// True when it is done.
    pub is_completed: Option<bool>,
    /// The outcome, in words.
    pub result: Option<MessageText>,
}

impl TaskChange {
    fn apply_to(self, content: &TaskContent) -> TaskContent {
        TaskContent {
            text: self.text.unwrap_or_else(|| content.text.clone()),
            kind: self.kind.unwrap_or(content.kind),
            about: self.about.or(content.about),
            responsible: self.responsible.unwrap_or(content.responsible),
            due_at: self.due_at.unwrap_or(content.due_at),
            duration: self.duration.unwrap_or(content.duration),
            is_completed: self.is_completed.unwrap_or(content.is_completed),
            result: self.result.or_else(|| content.result.clone()),
        }
    }
}

/// A task as it was seen, with its changes.
#[derive(Clone, Debug)]
pub struct ChangedTask {
    /// The task.
    pub seen: Task,
    /// The changes.
    pub change: TaskChange,
}

/// Changes tasks. The first item of a task names it as it was seen; those behind it change it further.
#[derive(Clone, Debug)]
pub struct UpdateTasks {
    /// The account.
    pub account: AccountId,
    /// The actor, for the audit log.
    pub by: By,
    /// The user of the change.
    pub user: UserId,
    /// The tasks.
    pub tasks: Vec<ChangedTask>,
}

/// The rejection of changes of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateTasksRejection {
    /// A task is another one now.
    #[error("a task has changed at the same time")]
    Changed,
    /// Too many would be open again.
    #[error(transparent)]
    TooMany(#[from] CreateTasksRejection),
}

impl Command for UpdateTasks {
    type Of = Crm;
    type Reply = Vec<Task>;
    type Rejection = UpdateTasksRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let ids = self.tasks.iter().map(|it| it.seen.id);
        ids.map(|id| keys::tasks::task(self.account, id)).collect()
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Task>>, UpdateTasksRejection> {
        let authorship = Authorship::new(&self.by, self.user, moment.now);
        let author = Author {
            by: self.by,
            account: self.account,
        };
        let mut open = state.open_tasks;
        let (mut events, mut tasks) = (Vec::new(), Vec::<Task>::new());
        for (place, ChangedTask { seen, change }) in self.tasks.into_iter().enumerate() {
            if task(moment.earlier(place)) != Some(&seen) {
                return Err(UpdateTasksRejection::Changed);
            }
            let earlier = tasks.iter().rev().find(|it| it.id == seen.id);
            let current = earlier.cloned().unwrap_or(seen);
            let content = change.apply_to(&current.content);
            if content == current.content {
                tasks.push(current);
                continue;
            }
            let task = Task {
                id: current.id,
                content,
                authorship: current.authorship.changed_by(&authorship),
            };
            tasks.push(task.clone());
            let before = Some(current.content);
            let event = TaskChanged { task, before };
            event.count_open(&mut open);
            let entry = author.task(&event, moment);
            events.extend([CrmEvent::Task(Box::new(event)), entry].map(Recorded::from));
        }
        if open > OPEN_TASKS_MAX.max(state.open_tasks) {
            return Err(CreateTasksRejection.into());
        }
        Ok(Decision::events(events, tasks))
    }
}

/// The task that a record is about.
pub fn task(record: Option<&Recorded<CrmEvent>>) -> Option<&Task> {
    if let CrmEvent::Task(changed) = &record?.event {
        Some(&changed.task)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_engine::state::State;

    fn account() -> AccountId {
        AccountId::from_random([1; 16])
    }

    fn content() -> TaskContent {
        TaskContent {
            text: "Call".parse().unwrap(),
            kind: TaskType::FollowUp,
            about: None,
            responsible: UserId(1),
            due_at: UnixMillis::from_secs(9),
            duration: 0,
            is_completed: false,
            result: None,
        }
    }

    /// Decides with the records of the tasks before, and applies what is stored.
    fn run<C: Command<Of = Crm>>(
        crm: &mut Crm,
        command: C,
        earlier: &[Option<Recorded<CrmEvent>>],
    ) -> Result<C::Reply, C::Rejection> {
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: UnixMillis::from_secs(100),
            random: &mut random,
            earlier,
        };
        let decision = command.decide(crm, &mut moment)?;
        for recorded in &decision.events {
            let record = serde_json::to_string(&recorded.event).unwrap();
            crm.apply(&serde_json::from_str(&record).unwrap());
        }
        Ok(decision.reply)
    }

    fn create(crm: &mut Crm, tasks: Vec<TaskContent>) -> Result<Vec<Task>, CreateTasksRejection> {
        let (by, user) = (By::Operator, UserId(1));
        run(crm, CreateTasks { by, user, tasks }, &[])
    }

    fn update(
        crm: &mut Crm,
        current: &Task,
        seen: &Task,
        is_completed: bool,
    ) -> Result<Vec<Task>, UpdateTasksRejection> {
        let record = CrmEvent::Task(Box::new(TaskChanged {
            task: current.clone(),
            before: None,
        }));
        let change = TaskChange {
            is_completed: Some(is_completed),
            ..TaskChange::default()
        };
        let command = UpdateTasks {
            account: account(),
            by: By::Operator,
            user: UserId(2),
            tasks: vec![ChangedTask {
                seen: seen.clone(),
                change,
            }],
        };
        run(crm, command, &[Some(record.into())])
    }

    #[test]
    fn an_account_has_a_bound_of_open_tasks() {
        let mut crm = Crm::initial(&account());
        crm.open_tasks = OPEN_TASKS_MAX - 1;
        assert_eq!(
            create(&mut crm, vec![content(); 2]),
            Err(CreateTasksRejection)
        );
        assert_eq!((crm.tasks, crm.open_tasks), (0, OPEN_TASKS_MAX - 1));
        let task = create(&mut crm, vec![content()]).unwrap().remove(0);
        assert_eq!(crm.open_tasks, OPEN_TASKS_MAX);
        let completed_task = TaskContent {
            is_completed: true,
            ..content()
        };
        create(&mut crm, vec![completed_task]).unwrap();
        assert_eq!((crm.tasks, crm.open_tasks), (2, OPEN_TASKS_MAX));
        let completed = update(&mut crm, &task, &task, true).unwrap().remove(0);
        assert_eq!(crm.open_tasks, OPEN_TASKS_MAX - 1);
        create(&mut crm, vec![content()]).unwrap();
        let reopened = update(&mut crm, &completed, &completed, false);
        assert_eq!(reopened, Err(CreateTasksRejection.into()));
    }

    #[test]
    fn a_task_that_has_changed_since_it_was_seen_stays_as_it_is() {
        let mut crm = Crm::initial(&account());
        let task = create(&mut crm, vec![content()]).unwrap().remove(0);
        let mut now = task.clone();
        now.authorship.updated_by = UserId(3);
        let stale = update(&mut crm, &now, &task, true);
        assert_eq!(stale, Err(UpdateTasksRejection::Changed));
        // What is so already is no change.
        assert_eq!(update(&mut crm, &now, &now, false), Ok(vec![now.clone()]));
        assert_eq!(crm.open_tasks, 1);
    }
}
