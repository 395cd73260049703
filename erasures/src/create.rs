//! The operator creates an erasure: from then on it waits to be carried out.

use crate::{Erasure, ErasureState, Erasures, ErasuresEvent, Target};
use switchboard_domain::Decision;
use switchboard_domain::audit::{AuditEntry, By};
use switchboard_domain::notice::Notice;
use switchboard_engine::state::{Command, Moment};

/// Creates an erasure.
#[derive(Clone, Debug)]
pub struct CreateErasure {
    /// The actor, for the audit log.
    pub by: By,
    /// The target.
    pub target: Target,
}

/// The rejection of a new erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateErasureRejection {
    /// The same erasure waits.
    #[error("the same erasure waits already: it is number {0}")]
    Waits(u64),
    /// Too many wait.
    #[error(
        "{} erasures wait already; order again when one of them was carried out",
        Erasures::WAITING_MAX
    )]
    TooMany,
}

impl Command for CreateErasure {
    type Of = Erasures;
    type Reply = Erasure;
    type Rejection = CreateErasureRejection;

    fn decide(
        self,
        state: &Erasures,
        moment: &mut Moment<'_, ErasuresEvent>,
    ) -> Result<Decision<ErasuresEvent, Erasure>, CreateErasureRejection> {
        let waiting: Vec<_> = state.iter().filter(|known| known.is_waiting()).collect();
        if let Some(same) = waiting.iter().find(|known| known.target == self.target) {
            return Err(CreateErasureRejection::Waits(same.number));
        }
        if waiting.len() >= Erasures::WAITING_MAX {
            return Err(CreateErasureRejection::TooMany);
        }
        let number = state.count.saturating_add(1);
        let erasure = Erasure {
            number,
            target: self.target,
            by: self.by.clone(),
            ordered_at: moment.now,
            upto: None,
            state: ErasureState::Waiting,
        };
        let action = match &erasure.target {
            Target::Customer(_) => "customer.erase",
            Target::Account { .. } => "account.erase",
            Target::Messages { .. } => "messages.erase",
            Target::RelayedConversation { .. } => "relayed_conversation.erase",
        };
        let mut audit = AuditEntry::new(self.by, action, number, moment);
        audit.account = erasure.target.account();
        Ok(Decision {
            events: vec![
                ErasuresEvent::Ordered {
                    erasure: Box::new(erasure.clone()),
                    audit: Box::new(audit),
                }
                .into(),
            ],
            // The caller may no longer wait for the answer, but the erasure must be carried out in any case.
            notices: vec![Notice::ErasureOrdered],
            reply: erasure,
        })
    }
}
