use switchboard_engine::state::{Command, Moment};

use super::continue_salesbot::ContinueSalesbot;
use super::create::CreateSalesbot;
use super::delete::DeleteSalesbot;
use super::note_asked::NoteAsked;
use super::run::{NewRun, RunSalesbots};
use super::salesbot::SalesbotAction;
use super::stop::StopSalesbot;
use super::*;
use crate::audit::By;
use crate::id::{FieldId, UserId};

const START: UnixMillis = UnixMillis::from_secs(1_000_000);

/// The salesbots of an account, with the time of a test.
struct Test {
    bots: Salesbots,
    now: UnixMillis,
}

impl Test {
    /// An account with a salesbot that sends a field, 1, and one that asks a program, 2.
    fn new() -> Self {
        let account = AccountId::from_random([1; 16]);
        let mut test = Self {
            bots: Salesbots::initial(&account),
            now: START,
        };
        let address = "https://program.example/in?k=7d1f".parse().unwrap();
        for action in [
            SalesbotAction::SendField(FieldId(3)),
            SalesbotAction::AskProgram(address),
        ] {
            test.decide(create(action)).unwrap();
        }
        test
    }

    /// Decides, and applies what is stored; a rejection changes nothing.
    fn decide<C: Command<Of = Salesbots>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: self.now,
            random: &mut random,
            earlier: &[],
        };
        let decision = command.decide(&self.bots, &mut moment)?;
        for recorded in &decision.events {
            let record = serde_json::to_string(&recorded.event).unwrap();
            assert!(!record.contains("audit") || !record.contains("\"after\":\"https"));
            let event: SalesbotsEvent = serde_json::from_str(&record).unwrap();
            self.bots.apply(&event);
        }
        let json = serde_json::to_string(&self.bots).unwrap();
        let snapshot: Salesbots = serde_json::from_str(&json).unwrap();
        assert_eq!(snapshot, self.bots);
        Ok(decision.reply)
    }

    fn run(&mut self, bot: u64, lead: u64) -> Result<SalesbotRunId, SalesbotRejection> {
        let requests = vec![new(bot, lead)];
        let runs = self.decide(RunSalesbots { runs: requests })?;
        Ok(runs[0].id)
    }

    fn answer(&mut self, bot: u64, run: SalesbotRunId) -> Result<(), SalesbotRejection> {
        let bot = SalesbotId(bot);
        self.decide(ContinueSalesbot { bot, run })
    }

    fn passes(&mut self, seconds: u64) {
        self.now = self.now.plus(Duration::from_secs(seconds));
    }

    fn open(&self) -> Vec<SalesbotRunId> {
        let runs = self.bots.open_questions(self.now);
        runs.map(|run| run.id).collect()
    }
}

fn create(action: SalesbotAction) -> CreateSalesbot {
    CreateSalesbot {
        by: By::Operator,
        user: UserId(1),
        id: None,
        name: "Answer".parse().unwrap(),
        action,
    }
}

fn new(bot: u64, lead: u64) -> NewRun {
    NewRun {
        bot: SalesbotId(bot),
        lead: LeadId(lead),
    }
}

fn too_often(seconds: u64) -> SalesbotRejection {
    SalesbotRejection::TooOften {
        retry_after: Duration::from_secs(seconds),
    }
}

#[test]
fn salesbots_are_bounded_and_their_numbers_never_given_again() {
    let mut test = Test::new();
    let by = || By::Operator;
    let id = SalesbotId(2);
    test.decide(DeleteSalesbot { by: by(), id }).unwrap();
    let again = test.decide(DeleteSalesbot { by: by(), id });
    assert_eq!(again, Err(SalesbotRejection::Unknown));
    let action = SalesbotAction::SendField(FieldId(3));
    for number in 3..=101 {
        let bot = test.decide(create(action.clone())).unwrap();
        assert_eq!(bot.id, SalesbotId(number));
    }
    let result = test.decide(create(action));
    assert_eq!(result, Err(SalesbotRejection::TooMany));
    assert_eq!(test.bots.iter().count(), SALESBOTS_MAX);
}

#[test]
fn a_chosen_number_is_that_of_no_other_salesbot() {
    let mut test = Test::new();
    let action = SalesbotAction::SendField(FieldId(3));
    let mut define = |id| {
        let id = Some(SalesbotId(id));
        let create = CreateSalesbot {
            id,
            ..create(action.clone())
        };
        test.decide(create).map(|bot| bot.id)
    };
    assert_eq!(define(2), Err(SalesbotRejection::NumberTaken));
    assert_eq!(define(70_001), Ok(SalesbotId(70_001)));
    assert_eq!(define(500), Ok(SalesbotId(500)));
    let next = test.decide(create(action)).unwrap();
    assert_eq!(next.id, SalesbotId(70_002));
}

#[test]
fn runs_of_a_lead_are_bounded_and_others_are_not_affected() {
    let mut test = Test::new();
    for _ in 0..RUNS_MAX {
        test.run(1, 7).unwrap();
        test.passes(3);
    }
    // The first one was 30 s ago.
    assert_eq!(test.run(2, 7), Err(too_often(30)));
    test.run(1, 8).unwrap();
    test.passes(29);
    assert_eq!(test.run(1, 7), Err(too_often(1)));
    test.passes(1);
    test.run(1, 7).unwrap();
    assert_eq!(test.run(1, 7), Err(too_often(3)));
    // Two more would have to wait for two.
    let runs = vec![new(1, 7), new(1, 7), new(1, 9)];
    assert_eq!(test.decide(RunSalesbots { runs }), Err(too_often(6)));
    let runs = vec![new(1, 9); RUNS_MAX + 1];
    assert_eq!(test.decide(RunSalesbots { runs }), Err(too_often(60)));
    test.run(1, 9).unwrap();
    // Leads without a run in the last minute take no memory.
    test.passes(61);
    test.run(1, 10).unwrap();
    assert_eq!(test.bots.recent.len(), 1);
}

#[test]
fn of_several_runs_all_begin_or_none() {
    let mut test = Test::new();
    let runs = vec![new(1, 7), new(9, 7)];
    let result = test.decide(RunSalesbots { runs });
    assert_eq!(result, Err(SalesbotRejection::Unknown));
    let requests = vec![new(1, 7), new(2, 7)];
    let runs = test.decide(RunSalesbots { runs: requests }).unwrap();
    let questions: Vec<_> = runs.iter().map(|run| (run.id.0, run.question)).collect();
    assert_eq!(questions, [(1, None), (2, Some(Question::Open))]);
    assert_eq!(test.open(), [SalesbotRunId(2)]);
}

#[test]
fn a_question_takes_one_answer_at_its_own_salesbot() {
    let mut test = Test::new();
    let run = test.run(2, 7).unwrap();
    assert_eq!(test.answer(1, run), Err(SalesbotRejection::NothingWaits));
    // The program may answer before its receipt is noted.
    test.answer(2, run).unwrap();
    assert_eq!(test.answer(2, run), Err(SalesbotRejection::NothingWaits));
    let is_taken = true;
    test.decide(NoteAsked { run, is_taken }).unwrap();
    assert!(test.open().is_empty());
    let message_run = test.run(1, 7).unwrap();
    assert_eq!(
        test.answer(1, message_run),
        Err(SalesbotRejection::NothingWaits)
    );
}

#[test]
fn a_question_is_open_until_it_is_taken_or_given_up() {
    let mut test = Test::new();
    let run = test.run(2, 7).unwrap();
    assert_eq!(test.open(), [run]);
    let is_taken = true;
    test.decide(NoteAsked { run, is_taken }).unwrap();
    assert!(test.open().is_empty());
    // What is noted later changes nothing.
    let is_taken = false;
    test.decide(NoteAsked { run, is_taken }).unwrap();
    test.answer(2, run).unwrap();
    let run = test.run(2, 7).unwrap();
    test.decide(NoteAsked { run, is_taken }).unwrap();
    assert_eq!(test.answer(2, run), Err(SalesbotRejection::NothingWaits));
}

#[test]
fn a_new_run_a_stop_a_deletion_and_a_day_end_a_run() {
    let mut test = Test::new();
    let first = test.run(2, 7).unwrap();
    let second = test.run(2, 7).unwrap();
    let other = test.run(2, 8).unwrap();
    assert_eq!(test.open(), [second, other]);
    assert_eq!(test.answer(2, first), Err(SalesbotRejection::NothingWaits));
    let (bot, lead) = (SalesbotId(2), LeadId(7));
    test.decide(StopSalesbot { bot, lead }).unwrap();
    assert_eq!(test.open(), [other]);
    test.decide(StopSalesbot { bot, lead }).unwrap();
    let bot = SalesbotId(9);
    let result = test.decide(StopSalesbot { bot, lead });
    assert_eq!(result, Err(SalesbotRejection::Unknown));
    test.passes(86_399);
    assert_eq!(test.open(), [other]);
    test.passes(1);
    assert!(test.open().is_empty());
    assert_eq!(test.answer(2, other), Err(SalesbotRejection::NothingWaits));
    let last = test.run(2, 9).unwrap();
    assert_eq!(
        test.bots.waiting.len(),
        1,
        "what has waited for a day is gone"
    );
    let (by, id) = (By::Operator, SalesbotId(2));
    test.decide(DeleteSalesbot { by, id }).unwrap();
    assert!(test.open().is_empty());
    assert_eq!(test.answer(2, last), Err(SalesbotRejection::NothingWaits));
}

#[test]
fn the_runs_that_wait_are_bounded() {
    let mut test = Test::new();
    for lead in 1..=1_000 {
        test.run(2, lead).unwrap();
    }
    assert_eq!(test.run(2, 1_001), Err(SalesbotRejection::TooManyWait));
    // One that takes the place of another needs none, nor does one that asks nothing.
    test.run(2, 1_000).unwrap();
    test.run(1, 1_001).unwrap();
    let bot = SalesbotId(2);
    let lead = LeadId(1);
    test.decide(StopSalesbot { bot, lead }).unwrap();
    test.run(2, 1_001).unwrap();
    test.passes(86_400);
    test.run(2, 1_002).unwrap();
}
