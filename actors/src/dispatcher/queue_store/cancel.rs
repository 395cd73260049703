//! Cancels the queue of a disconnected scope in steps, so that other work does not wait.

use crate::dispatcher::queue_store::{QueueStore, RowsPage};
use crate::domain::delivery_queue::DeliveryChange;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::record::{CancelReason, DeliveryState, LoggedChange};
use crate::domain::id::{ConversationId, ScopeId};
use crate::domain::keys;
use crate::domain::time::UnixMillis;
use switchboard_engine::store::tables::KeyRange;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::hook_version::is_disconnected;

/// The number of messages that are cancelled at a time.
const STEP: usize = 256;

/// A scope whose queue is being cancelled.
#[derive(Debug)]
pub(in crate::dispatcher) struct Cancelling {
    pub(in crate::dispatcher) scope: ScopeId,
    /// The messages in flight: each is cancelled when it comes back without success.
    except: Vec<(ConversationId, OutNumber)>,
    /// The time of the order: a message that was queued later came after another connection.
    at: UnixMillis,
    range: KeyRange,
    pub(in crate::dispatcher) count: usize,
}

impl Cancelling {
    pub(in crate::dispatcher) fn new(
        scope: ScopeId,
        except: Vec<(QueueId, OutNumber)>,
        at: UnixMillis,
    ) -> Self {
        Self {
            range: KeyRange::prefix(&keys::scope_row(&scope)),
            scope,
            except: except
                .into_iter()
                .map(|(queue, number)| (queue.conversation, number))
                .collect(),
            at,
            count: 0,
        }
    }
}

impl QueueStore {
    /// Cancels some more; true when nothing is left. After an error nothing happened, and the same may be tried again.
    pub(in crate::dispatcher) fn cancel_some(
        &mut self,
        cancelling: &mut Cancelling,
    ) -> Result<bool, UnavailableError> {
        self.catch_up();
        let (scope, at) = (&cancelling.scope, cancelling.at);
        let rows = self.rows(scope.channel(), cancelling.range.clone(), STEP)?;
        let Some(RowsPage { rows, behind, .. }) = rows else {
            return Ok(true);
        };
        // While the scope is not connected, all rows found were queued before, even if a clock was set back since. The
        // connection is read after the rows, so nothing can have been queued between the two.
        let all = is_disconnected(&self.kernel, scope);
        let mut changes = Vec::new();
        for row in rows {
            let (conversation, number) = (row.conversation, row.number);
            let in_flight = cancelling.except.contains(&(conversation, number));
            let later = !all && row.since > at;
            if in_flight || later {
                continue;
            }
            let mut record = self.find(conversation, number)?;
            record.apply(&LoggedChange {
                attempt: None,
                tally: None,
                state: DeliveryState::Cancelled {
                    at,
                    why: CancelReason::Disconnected,
                },
            });
            let change = DeliveryChange {
                scope: scope.clone(),
                number,
                record,
            };
            changes.push((conversation, change.into()));
        }
        let count = changes.len();
        if count > 0 {
            self.submit(changes, Vec::new())?;
        }
        cancelling.range = behind;
        cancelling.count += count;
        Ok(false)
    }
}
