//! Passes the hints since the last time to the machine.

use actix::{AsyncContext, Context};

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::delivery_queue::{QueueHead, QueueId};
use crate::domain::dispatch::endpoint::EndpointId;
use crate::domain::dispatch::event::Event;
use crate::domain::id::ScopeId;
use switchboard_runtime::shared::dispatch_shell::{Carrier, Wake};

/// The maximum number of queues examined before other work of the thread gets its turn.
const BURST: usize = 256;

impl Dispatcher {
    /// Passes on what was heard since the last time.
    pub(super) fn pass_hints(&mut self, ctx: &mut Context<Self>) {
        self.look_at_channels(ctx);
        for (scope, at) in self.hints.take_disconnected() {
            self.disconnected_at = Some(at);
            self.step(Event::GroupClosed { group: scope }, ctx);
        }
        for (scope, version) in self.hints.take_connected() {
            // An owner publishes its state beside the commit: the notice may come before it, and so may what is queued next.
            if self.version_of(&scope) != Some(version) {
                self.check_later(scope.clone(), ctx);
            }
            self.scope_moved(scope, ctx);
        }
        for queue in self.hints.take_replayed() {
            self.queue_store.found_again(queue.conversation);
            self.replay_requested(&queue, ctx);
        }
        let names = self.hints.take_queues(BURST);
        if names.overflowed {
            self.queue_store.forget_ends();
        }
        for (queue, new) in names.queues {
            self.queue_store.heard(queue.conversation, &new);
            self.queue_changed(&queue, ctx);
        }
        if self.hints.has_queues() {
            ctx.notify(Wake);
        } else {
            self.queue_store.all_heard();
        }
    }

    /// A scope may speak another version, or speak again.
    pub(super) fn scope_moved(&mut self, scope: ScopeId, ctx: &mut Context<Self>) {
        if let Some(version) = self.version_of(&scope) {
            self.kernel.shared.admission.moved(&self.kernel, &scope);
            let endpoint = EndpointId::new(&scope, version);
            let group = scope;
            self.step(Event::GroupMoved { group, endpoint }, ctx);
        }
    }

    /// The queue may have something to send.
    pub(super) fn queue_changed(&mut self, queue: &QueueId, ctx: &mut Context<Self>) {
        // A queue in memory goes on by itself.
        if self.shell.machine.head_status(queue).is_some() {
            return;
        }
        if let Some((endpoint, head)) = self.head_of(queue, ctx) {
            let queue = queue.clone();
            let event = Event::MessageQueued {
                queue,
                endpoint,
                head,
            };
            self.step(event, ctx);
        }
    }

    fn replay_requested(&mut self, queue: &QueueId, ctx: &mut Context<Self>) {
        if let Some((endpoint, head)) = self.head_of(queue, ctx) {
            let queue = queue.clone();
            let event = Event::QueueReplayed {
                queue,
                endpoint,
                head,
            };
            self.step(event, ctx);
        }
    }

    /// The head of a queue for the machine; none when there is nothing to send, or no way.
    fn head_of(
        &mut self,
        queue: &QueueId,
        ctx: &mut Context<Self>,
    ) -> Option<(EndpointId, QueueHead)> {
        let Some(version) = self.version_of(&queue.scope) else {
            self.recheck(&queue.scope, ctx);
            return None;
        };
        let head = self.queue_store.head(queue);
        let (head, _) = self.readable(head).flatten()?;
        Some((EndpointId::new(&queue.scope, version), head))
    }
}
