//! Disconnected scopes are cancelled beside everything else, some messages at a time.

use actix::{AsyncContext, Context, Handler, Message};

use crate::dispatcher::Dispatcher;
use crate::dispatcher::queue_store::Cancelling;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::record::CancelReason;
use crate::domain::id::ScopeId;
use crate::domain::time::UnixMillis;
use switchboard_runtime::shared::dispatch_shell::AGAIN;

/// Goes on cancelling.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
struct GoOn;

impl Dispatcher {
    /// Cancels what was queued of a scope until then, step by step.
    pub(super) fn cancel_scope(
        &mut self,
        scope: ScopeId,
        except: Vec<(QueueId, OutNumber)>,
        at: UnixMillis,
        ctx: &mut Context<Self>,
    ) {
        self.cancelling
            .push_back(Cancelling::new(scope, except, at));
        ctx.notify(GoOn);
    }

    /// Returns whether something of the scope is still to be cancelled.
    pub(super) fn is_cancelling(&self, scope: &ScopeId) -> bool {
        self.cancelling.iter().any(|it| it.scope == *scope)
    }
}

impl Handler<GoOn> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: GoOn, ctx: &mut Context<Self>) {
        let Some(mut cancelling) = self.cancelling.pop_front() else {
            return;
        };
        match self.queue_store.cancel_some(&mut cancelling) {
            Ok(true) => {
                let (scope, count) = (cancelling.scope, cancelling.count);
                for _ in 0..count {
                    self.kernel
                        .shared
                        .meters
                        .cancelled(CancelReason::Disconnected);
                }
                tracing::info!(%scope, count, "callbacks cancelled: the account was disconnected");
                // It may be connected again since.
                self.scope_moved(scope, ctx);
            }
            Ok(false) => {
                self.cancelling.push_back(cancelling);
            }
            Err(error) => {
                tracing::warn!(scope = %cancelling.scope, %error, "callbacks cannot be cancelled yet");
                self.cancelling.push_back(cancelling);
                ctx.notify_later(GoOn, AGAIN);
                return;
            }
        }
        self.watch_ends(ctx);
        if !self.cancelling.is_empty() {
            ctx.notify(GoOn);
        }
    }
}
