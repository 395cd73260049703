//! Hooks of deleted webhooks are cancelled beside everything else, some at a time.

use std::collections::BTreeSet;

use actix::{AsyncContext, Context, Handler, Message};

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::hooks::hook::WebhookId;
use crate::domain::hooks::routing::HookQueueId;
use crate::hooks::dispatcher::HookDispatcher;
use switchboard_runtime::shared::dispatch_shell::AGAIN;

/// A webhook whose hooks are being cancelled.
#[derive(Debug)]
pub(super) struct Cancelling {
    webhook: WebhookId,
    /// The hooks in flight: each is cancelled when it comes back without success.
    except: BTreeSet<(HookQueueId, OutNumber)>,
}

/// Goes on cancelling.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
struct GoOn;

impl HookDispatcher {
    /// Cancels what waits for a webhook, step by step.
    pub(super) fn cancel(
        &mut self,
        webhook: WebhookId,
        except: BTreeSet<(HookQueueId, OutNumber)>,
        ctx: &mut Context<Self>,
    ) {
        self.cancelling.push_back(Cancelling { webhook, except });
        ctx.notify(GoOn);
    }
}

impl Handler<GoOn> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, _: GoOn, ctx: &mut Context<Self>) {
        let Some(cancelling) = self.cancelling.pop_front() else {
            return;
        };
        match self
            .store
            .cancel_some(cancelling.webhook, &cancelling.except)
        {
            Ok(true) => {}
            Ok(false) => self.cancelling.push_back(cancelling),
            Err(error) => {
                tracing::warn!(account = %cancelling.webhook.account, webhook = cancelling.webhook.number.0, %error, "hooks cannot be cancelled yet");
                self.cancelling.push_back(cancelling);
                ctx.notify_later(GoOn, AGAIN);
                return;
            }
        }
        if !self.cancelling.is_empty() {
            ctx.notify(GoOn);
        }
    }
}
