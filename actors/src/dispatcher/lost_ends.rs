//! Ends of callbacks that were submitted and could not be written: the batch was taken back, and with it the knowledge that
//! a message arrived, was given up or cancelled. The machine has left it behind, so it has to hear of it again.

use actix::fut::ActorFutureExt;
use actix::{AsyncContext, Context, WrapFuture};

use crate::dispatcher::Dispatcher;
use switchboard_runtime::shared::hook_version;

impl Dispatcher {
    /// Waits until the ends on their way to the disk are stored, and takes up those that are lost.
    pub(super) fn watch_ends(&mut self, ctx: &mut Context<Self>) {
        if self.watching_ends {
            return;
        }
        let Some(last) = self.queue_store.last_end_on_its_way() else {
            return;
        };
        self.watching_ends = true;
        let commit = self.kernel.journal.durable(last.last, last.epoch);
        ctx.spawn(
            commit
                .into_actor(self)
                .map(|outcome, dispatcher: &mut Self, ctx| {
                    dispatcher.watching_ends = false;
                    if outcome.is_err() {
                        dispatcher.take_up_lost_ends(ctx);
                    }
                    dispatcher.watch_ends(ctx);
                }),
        );
    }

    fn take_up_lost_ends(&mut self, ctx: &mut Context<Self>) {
        for queue in self.queue_store.take_lost_ends() {
            if hook_version::is_disconnected(&self.kernel, &queue.scope) {
                if !self.is_cancelling(&queue.scope) {
                    let now = self.kernel.clock.now();
                    self.cancel_scope(queue.scope, Vec::new(), now, ctx);
                }
            } else {
                self.queue_changed(&queue, ctx);
            }
        }
    }
}
