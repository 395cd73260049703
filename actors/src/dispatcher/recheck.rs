//! Scopes that are reported as not connected before that is on disk. When the batch is rolled back, it never is: then
//! the dispatcher checks the callbacks again that it could not send meanwhile.

use actix::fut::ActorFutureExt;
use actix::{AsyncContext, Context, Handler, Message, WrapFuture};

use crate::dispatcher::Dispatcher;
use crate::domain::id::ScopeId;
use switchboard_runtime::shared::dispatch_shell::AGAIN;

/// Checks a scope again: its owner may have published its state by now.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
struct Recheck(ScopeId);

impl Dispatcher {
    /// Has the scope checked again if it turns out not to have been disconnected.
    pub(super) fn recheck(&mut self, scope: &ScopeId, ctx: &mut Context<Self>) {
        let Some(cached) = self.kernel.shared.read_cache.scope(scope) else {
            return;
        };
        if cached.connection.is_some() || !self.rechecked.insert(scope.clone()) {
            return;
        }
        let change = cached.depends_on;
        let commit = self.kernel.journal.durable(change.last, change.epoch);
        let scope = scope.clone();
        ctx.spawn(
            commit
                .into_actor(self)
                .map(move |outcome, dispatcher: &mut Self, ctx| match outcome {
                    Ok(()) => {
                        dispatcher.rechecked.remove(&scope);
                    }
                    Err(_lost) => dispatcher.check_later(scope, ctx),
                }),
        );
    }

    /// Has the scope checked again soon.
    pub(super) fn check_later(&self, scope: ScopeId, ctx: &mut Context<Self>) {
        ctx.notify_later(Recheck(scope), AGAIN);
    }
}

impl Handler<Recheck> for Dispatcher {
    type Result = ();

    fn handle(&mut self, Recheck(scope): Recheck, ctx: &mut Context<Self>) {
        self.rechecked.remove(&scope);
        if self.version_of(&scope).is_some() {
            self.scope_moved(scope, ctx);
        } else {
            self.recheck(&scope, ctx);
        }
    }
}
