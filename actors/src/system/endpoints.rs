//! The addresses that callbacks go to, as an operator sees them.

use crate::dispatcher::{Enable, EndpointsStatus, GetEndpoints};
use crate::domain::audit::By;
use crate::domain::dispatch::EndpointStatus;
use crate::domain::dispatch::endpoint::{EndpointId, EndpointState};
use crate::domain::endpoint::EndpointRecord;
use crate::domain::operator::note::Note;
use crate::domain::webhook::WebhookAddress;
use crate::system::System;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// An endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointView {
    /// The health of the endpoint, and its queues in memory.
    pub endpoint_status: EndpointStatus,
    /// The stored history of the endpoint.
    pub record: EndpointRecord,
    /// The address as the channel has it; `None` when it has none for this version.
    pub address: Option<WebhookAddress>,
    /// The number of callbacks that are queued for it.
    pub queued: u64,
}

/// The rejection of an order to enable an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnableRejection {
    /// There is no such channel.
    #[error("there is no such endpoint")]
    Unknown,
    /// It was not disabled.
    #[error(
        "this endpoint was not disabled: it is used, paused with its channel, or has no address"
    )]
    NotDisabled,
}

impl System {
    /// All endpoints, by channel and version.
    ///
    /// # Errors
    /// When the dispatcher does not answer in time.
    pub async fn endpoints(&self) -> Result<Vec<EndpointView>, UnavailableError> {
        let kernel = self.kernel();
        let status = self.endpoints_status().await?;
        let channels = kernel.shared.read_cache.channels();
        let endpoints = status
            .endpoints
            .into_iter()
            .map(|(endpoint_status, record)| {
                let id = &endpoint_status.endpoint;
                let channel = channels.get(&id.channel);
                EndpointView {
                    address: channel.and_then(|it| it.template(id.version).cloned()),
                    queued: kernel.shared.admission.queued_for(id),
                    endpoint_status,
                    record,
                }
            });
        Ok(endpoints.collect())
    }

    /// The endpoints as the dispatcher sees them now, and how much it has in memory.
    pub(super) async fn endpoints_status(&self) -> Result<EndpointsStatus, UnavailableError> {
        let deadline = self.kernel().shared.config.ask_deadline;
        let answer = self.running.dispatcher.send(GetEndpoints);
        match tokio::time::timeout(deadline, answer).await {
            Ok(Ok(status)) => Ok(status),
            Ok(Err(_ended)) => Err(UnavailableError::Stopping),
            Err(_elapsed) => Err(UnavailableError::Busy),
        }
    }

    /// Uses an endpoint again that was disabled: what is held goes out, beginning with one callback to see whether it
    /// is taken.
    ///
    /// # Errors
    /// When there is no such endpoint, it was not disabled, or nothing can be stored now.
    pub async fn enable_endpoint(
        &self,
        by: By,
        id: EndpointId,
    ) -> Result<(), CommandError<EnableRejection>> {
        if self.channel(&id.channel).is_none() {
            return Err(CommandError::Rejected(EnableRejection::Unknown));
        }
        let health = self.kernel().shared.endpoint_health.health(&id);
        if !matches!(health, EndpointState::Disabled { .. }) {
            return Err(CommandError::Rejected(EnableRejection::NotDisabled));
        }
        self.note(Note {
            by,
            action: "endpoint.enable",
            object: format!("{}/{}", id.channel, id.version),
            account: None,
            changes: Vec::new(),
        })
        .await?;
        let enabled = self.running.dispatcher.send(Enable(id)).await;
        let submitted = enabled.map_err(|_ended| UnavailableError::Stopping)??;
        let Some(submitted) = submitted else {
            return Err(CommandError::Rejected(EnableRejection::NotDisabled));
        };
        self.on_disk(submitted).await?;
        Ok(())
    }
}
