//! The questions of salesbots: their attempts, also after a restart.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::dispatch::outcome::{Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::id::SalesbotId;
use switchboard_actors::domain::salesbots::salesbot::SalesbotAction;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt, Ports, QuestionAttempt};
use switchboard_actors::system::System;
use switchboard_actors::system::user_access::{RunRequest, RunSubject};
use switchboard_worlds::{Setup, TestSystem};

/// The patience of a stop.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program that answers each question with one status.
#[derive(Clone, Debug)]
struct Program {
    status: Arc<AtomicU16>,
    /// The bodies of the questions.
    questions: Arc<Mutex<Vec<String>>>,
}

impl Program {
    fn answering(status: u16) -> Self {
        Self {
            status: Arc::new(AtomicU16::new(status)),
            questions: Arc::default(),
        }
    }

    fn count(&self) -> usize {
        self.questions.lock().unwrap().len()
    }

    /// Lets everything happen that happens now; the number of questions since the start.
    async fn settles(&self) -> usize {
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        self.count()
    }
}

impl CallbackSender for Program {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let trace = AttemptTrace::unsent(attempt.at, "");
        Box::pin(ready((
            Outcome::Answered(ReceiverAnswer::plain(200)),
            trace,
        )))
    }

    fn send_hook(&self, _: HookAttempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(std::future::pending())
    }

    fn send_question(
        &self,
        attempt: QuestionAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let body = String::from_utf8(attempt.body.to_vec()).unwrap();
        self.questions.lock().unwrap().push(body);
        let status = self.status.load(Ordering::SeqCst);
        let trace = AttemptTrace::unsent(attempt.at, "");
        let outcome = Outcome::Answered(ReceiverAnswer::plain(status));
        Box::pin(ready((outcome, trace)))
    }
}

/// Runs a salesbot that asks a program, for a lead with a chat.
async fn asks(test: &TestSystem) {
    let question = test.customer("bo").says("When do you open?").await;
    question.unwrap();
    let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    let access = test.user_access(&ada).await.unwrap();
    let address = "https://program.example/ask".parse().unwrap();
    let name = "Ask".parse().unwrap();
    let action = SalesbotAction::AskProgram(address);
    let bot = access.create_salesbot(None, name, action).await.unwrap();
    assert_eq!(bot.id, SalesbotId(1));
    runs(test).await;
}

/// Stops a system and starts another one with the same data and program.
async fn restarts(test: TestSystem, program: &Program) -> System {
    let (config, ports) = (test.setup.config.clone(), test.setup.ports());
    test.stop().await;
    let sender = Arc::new(program.clone());
    System::start(config, Ports { sender, ..ports }).unwrap()
}

async fn runs(test: &System) {
    let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    let access = test.user_access(&ada).await.unwrap();
    let request = RunRequest {
        bot: SalesbotId(1),
        subject: RunSubject {
            kind: EntityKind::Leads,
            id: 1,
        },
    };
    access.run_salesbot(request).await.unwrap();
}

#[actix::test]
async fn a_question_has_three_attempts() {
    let program = Program::answering(503);
    let setup = Setup::default();
    let test = setup.start_with(Arc::new(program.clone())).await;
    asks(&test).await;
    let clock = &setup.clock;
    assert_eq!(program.settles().await, 1);
    for (seconds, count) in [(9, 1), (1, 2), (59, 2), (1, 3), (3_600, 3)] {
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(program.settles().await, count, "after {seconds} s");
    }
    // The run ended with the last one, so a restart asks nothing.
    let system = restarts(test, &program).await;
    assert_eq!(program.settles().await, 3);
    program.status.store(200, Ordering::SeqCst);
    runs(&system).await;
    assert_eq!(program.settles().await, 4);
    clock.advance(Duration::from_secs(3_600));
    assert_eq!(program.settles().await, 4, "it was taken");
    let last = program.questions.lock().unwrap()[3].clone();
    assert!(last.contains("When do you open?"), "{last}");
    assert!(last.contains("/api/v4/salesbot/1/continue/2"), "{last}");
    system.shutdown(PATIENCE).await;
}

#[actix::test]
async fn a_question_that_was_not_taken_is_asked_after_a_restart() {
    let program = Program::answering(503);
    let setup = Setup::default();
    let test = setup.start_with(Arc::new(program.clone())).await;
    asks(&test).await;
    assert_eq!(program.settles().await, 1);
    program.status.store(200, Ordering::SeqCst);
    let system = restarts(test, &program).await;
    assert_eq!(program.settles().await, 2);
    let all = program.questions.lock().unwrap().clone();
    let address = |body: &String| body.split_once("/continue/").unwrap().1.to_owned();
    assert_eq!(address(&all[0]), address(&all[1]));
    system.shutdown(PATIENCE).await;
}
