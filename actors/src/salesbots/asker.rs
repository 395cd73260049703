//! The asker: takes the questions that are open, and makes their attempts.
//!
//! A question is open in the salesbots of its account until a program has taken it, so a process that ends asks again after
//! its start. There are few attempts, soon after each other: behind a salesbot waits a person.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use actix::ActorContext as _;
use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, Message, WrapFuture};
use futures_util::FutureExt;

use crate::domain::id::AccountId;
use crate::domain::salesbots::Salesbots;
use crate::salesbots::question::{self, Attempted, QuestionId, Turn};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::port::CallbackSender;
use switchboard_runtime::shared::Kernel;

/// The number of attempts that are made at once.
const AT_ONCE: usize = 64;
/// The number of attempts that are made at once for one account: a slow program holds up its own account alone.
const AT_ONCE_OF_ACCOUNT: usize = 8;
/// The waits before the second and the third attempt, which is the last.
const WAITS: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(60)];
/// The pause before something that could not be read or stored is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Asks a question that is new.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Ask(pub(crate) QuestionId);

/// Questions that were held may go.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct BeginAsking;

/// Asks nothing more. Attempts under way are repeated after the next start.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct LeaveAsking;

/// Tries a question again.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
struct AskAgain {
    question: QuestionId,
    /// The number of attempts that were made.
    made: usize,
}

/// The asker.
pub(crate) struct Asker {
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    /// The questions whose attempt may be made, with the number of those that were made.
    waiting: BTreeMap<QuestionId, usize>,
    /// The number of attempts under way, by account.
    busy: BTreeMap<AccountId, usize>,
    /// True when questions wait until they are asked for.
    is_held: bool,
}

impl Asker {
    pub(crate) fn new(kernel: Kernel, sender: Arc<dyn CallbackSender>) -> Self {
        Self {
            sender,
            waiting: BTreeMap::new(),
            busy: BTreeMap::new(),
            is_held: kernel.shared.config.hold_callbacks,
            kernel,
        }
    }

    /// Takes up the questions that an earlier process left open.
    fn recall(&self, ctx: &mut Context<Self>) {
        let open = open_questions(self.kernel.clone()).into_actor(self);
        ctx.spawn(open.map(|questions, asker: &mut Self, ctx| {
            for question in questions {
                asker.waiting.entry(question).or_default();
            }
            asker.advance(ctx);
        }));
    }

    /// Makes as many attempts as may be made now.
    fn advance(&mut self, ctx: &mut Context<Self>) {
        if self.is_held {
            return;
        }
        while let Some((question, made)) = self.next() {
            let count = self.busy.entry(question.account).or_default();
            *count = count.saturating_add(1);
            let attempt = question::attempt(
                self.kernel.clone(),
                Arc::clone(&self.sender),
                question,
                Turn {
                    number: u32::try_from(made).unwrap_or(u32::MAX).saturating_add(1),
                    is_last: made >= WAITS.len(),
                },
            );
            // An attempt that panics affects no other one.
            let result = AssertUnwindSafe(attempt).catch_unwind().into_actor(self);
            ctx.spawn(result.map(move |attempted, asker: &mut Self, ctx| {
                asker.returned(question, made, attempted.unwrap_or(Attempted::Failed), ctx);
            }));
        }
    }

    /// A question of an account that has room for an attempt.
    fn next(&mut self) -> Option<(QuestionId, usize)> {
        if self.busy.values().sum::<usize>() >= AT_ONCE {
            return None;
        }
        let count = |account| self.busy.get(account).copied().unwrap_or_default();
        let mut questions = self.waiting.keys();
        let next = questions.find(|it| count(&it.account) < AT_ONCE_OF_ACCOUNT);
        let question = next.copied()?;
        Some((question, self.waiting.remove(&question)?))
    }

    fn returned(
        &mut self,
        question: QuestionId,
        made: usize,
        attempted: Attempted,
        ctx: &mut Context<Self>,
    ) {
        if let Some(count) = self.busy.get_mut(&question.account) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.busy.remove(&question.account);
            }
        }
        let again = match attempted {
            Attempted::Settled => None,
            Attempted::Failed => WAITS.get(made).map(|wait| (*wait, made.saturating_add(1))),
            Attempted::Unstored => Some((PAUSE, made)),
        };
        if let Some((wait, made)) = again {
            let pause = self.kernel.clock.sleep(wait).into_actor(self);
            ctx.spawn(pause.map(move |(), _: &mut Self, ctx| {
                ctx.notify(AskAgain { question, made });
            }));
        }
        self.advance(ctx);
    }
}

/// The open questions of all accounts. An account whose salesbots cannot be read now is asked again.
async fn open_questions(kernel: Kernel) -> Vec<QuestionId> {
    let accounts = kernel.shared.read_cache.accounts();
    let mut questions = Vec::new();
    for account in accounts.iter().map(|account| account.id) {
        let state = loop {
            match kernel.load::<Salesbots>(account).await {
                Ok(state) => break state,
                Err(UnavailableError::Stopping) => return questions,
                Err(error) => {
                    tracing::warn!(%account, %error, "the salesbots of an account cannot be read; their questions wait");
                    kernel.clock.sleep(PAUSE).await;
                }
            }
        };
        let now = kernel.clock.now();
        if let Some((bots, _)) = &state {
            let runs = bots.open_questions(now);
            questions.extend(runs.map(|run| QuestionId {
                account,
                run: run.id,
            }));
        }
    }
    questions
}

impl Actor for Asker {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        if !self.is_held {
            self.recall(ctx);
        }
    }
}

impl Handler<Ask> for Asker {
    type Result = ();

    fn handle(&mut self, Ask(question): Ask, ctx: &mut Context<Self>) {
        self.waiting.entry(question).or_default();
        self.advance(ctx);
    }
}

impl Handler<AskAgain> for Asker {
    type Result = ();

    fn handle(&mut self, AskAgain { question, made }: AskAgain, ctx: &mut Context<Self>) {
        self.waiting.insert(question, made);
        self.advance(ctx);
    }
}

impl Handler<BeginAsking> for Asker {
    type Result = ();

    fn handle(&mut self, _: BeginAsking, ctx: &mut Context<Self>) {
        if std::mem::take(&mut self.is_held) {
            self.recall(ctx);
        }
    }
}

impl Handler<LeaveAsking> for Asker {
    type Result = ();

    fn handle(&mut self, _: LeaveAsking, ctx: &mut Context<Self>) {
        ctx.stop();
    }
}
