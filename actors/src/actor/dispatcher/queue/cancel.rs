//! A disconnected scope: what is queued of it is cancelled, some at a time, so that nobody else waits.

use crate::actor::dispatcher::queue::{Queue, since};
use crate::actor::dispatcher::version::is_disconnected;
use crate::domain::dispatch::lane::OutNumber;
use crate::domain::dispatch::record::{CancelReason, DeliveryState, Entry};
use crate::domain::id::{ConversationId, ScopeId};
use crate::domain::keys;
use crate::domain::lane::Change;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::error::Unavailable;
use switchboard_engine::store::tables::{KeyRange, Order};

/// How many messages are cancelled at a time.
const STEP: usize = 256;

/// A scope whose queue is being cancelled.
#[derive(Debug)]
pub(in crate::actor::dispatcher) struct Cancelling {
    pub(in crate::actor::dispatcher) scope: ScopeId,
    /// What is in flight: it is cancelled when it comes back without success.
    except: Vec<(ConversationId, OutNumber)>,
    /// What was queued later came after another connection.
    at: UnixMillis,
    range: KeyRange,
    pub(in crate::actor::dispatcher) count: usize,
}

impl Cancelling {
    pub(in crate::actor::dispatcher) fn new(
        scope: ScopeId,
        except: Vec<(ConversationId, OutNumber)>,
        at: UnixMillis,
    ) -> Self {
        Self {
            range: KeyRange::prefix(&keys::scope_row(&scope)),
            scope,
            except,
            at,
            count: 0,
        }
    }
}

impl Queue {
    /// Cancels some more; true when nothing is left. After an error nothing happened, and the same may be tried again.
    pub(in crate::actor::dispatcher) fn cancel_some(
        &mut self,
        cancelling: &mut Cancelling,
    ) -> Result<bool, Unavailable> {
        self.forget_indexed();
        let (scope, at) = (&cancelling.scope, cancelling.at);
        let range = &cancelling.range;
        let rows = self
            .env
            .index
            .scan(tables::QUEUED, range, Order::Ascending, STEP)?;
        let Some((last, _)) = rows.last() else {
            return Ok(true);
        };
        // While the scope is not connected, all that was found was queued before, whatever a clock said that was set back
        // since. Looked at after the rows were: nothing can have been queued between the two.
        let all = is_disconnected(&self.env, scope);
        let mut changes = Vec::new();
        for (key, value) in &rows {
            let parsed = keys::parse_queue_row(scope.channel(), key);
            let Some((_, conversation, number)) = parsed else {
                continue;
            };
            let number = OutNumber(number);
            let name = (conversation, number);
            let in_flight = cancelling.except.contains(&name);
            let later = !all && since(value) > at;
            if in_flight || later || self.left.contains(&name) {
                continue;
            }
            let mut record = self.record(conversation, number)?;
            record.apply(&Entry {
                attempt: None,
                tally: None,
                state: DeliveryState::Cancelled {
                    at,
                    why: CancelReason::Disconnected,
                },
            });
            let change = Change {
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
        cancelling.range = range.clone().behind(last.clone(), Order::Ascending);
        cancelling.count += count;
        Ok(false)
    }
}
