//! One callback sent for an operator who wants to see what comes.

use actix::{Context, Handler};

use crate::dispatcher::Dispatcher;
use switchboard_runtime::port::Attempt;
use switchboard_runtime::shared::test_attempt::TestAttempt;

impl Handler<TestAttempt<Attempt>> for Dispatcher {
    type Result = ();

    fn handle(&mut self, test: TestAttempt<Attempt>, ctx: &mut Context<Self>) {
        test.make(ctx, |attempt| self.sender.send(attempt));
    }
}
