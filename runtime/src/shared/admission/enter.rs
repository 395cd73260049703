//! A place in the queue is promised before the message is written.

use std::sync::Arc;

use tokio::time::timeout;

use crate::error::{CommandError, UnavailableError};
use crate::shared::Kernel;
use crate::shared::admission::queue_counts::QueueTarget;
use crate::shared::admission::{Admission, AdmissionError, QUEUE_ROWS_MAX, QueuePermit};
use switchboard_domain::dispatch::endpoint::EndpointId;
use switchboard_domain::tables;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};

impl Admission {
    /// Reserves a place for one message. What was queued at the start must be counted first.
    pub async fn enter(
        kernel: &Kernel,
        place: &QueueTarget<'_>,
    ) -> Result<QueuePermit, AdmissionError> {
        let admission = &kernel.shared.admission;
        let mut counting = admission.counted.subscribe();
        let waiting = counting.wait_for(|counting| *counting);
        if !matches!(
            timeout(kernel.shared.config.ask_deadline, waiting).await,
            Ok(Ok(_))
        ) {
            return Err(UnavailableError::Busy.into());
        }
        let queue = place.queue();
        if !admission.counts().keeps(&queue) {
            // Between the counting and the keeping no row may come or go.
            kernel
                .index
                .with_commits_paused(|| {
                    let range = KeyRange::prefix(&queue);
                    let rows = kernel.index.scan(
                        tables::QUEUED,
                        &range,
                        ScanOrder::Ascending,
                        QUEUE_ROWS_MAX,
                    )?;
                    let mut counts = admission.counts();
                    if !counts.keeps(&queue) {
                        counts.keep(&queue, u64::try_from(rows.len()).unwrap_or(u64::MAX));
                    }
                    Ok::<(), ReadError>(())
                })
                .map_err(UnavailableError::from)?;
        }
        admission.reserve(kernel, place, queue)
    }

    fn reserve(
        self: &Arc<Self>,
        kernel: &Kernel,
        place: &QueueTarget<'_>,
        queue: Vec<u8>,
    ) -> Result<QueuePermit, AdmissionError> {
        let health = || {
            kernel.shared.endpoint_health.health(&EndpointId {
                channel: place.scope.channel().clone(),
                version: place.version,
            })
        };
        let now = self.clock.now();
        let reserved = self.counts().reserve(place, &self.quotas, health, now);
        match reserved {
            Ok(()) => Ok(QueuePermit {
                admission: Arc::clone(self),
                queue: Some(queue),
            }),
            Err(refusal) => {
                self.meters.refused(refusal.quota);
                Err(CommandError::Rejected(Box::new(refusal)))
            }
        }
    }
}
