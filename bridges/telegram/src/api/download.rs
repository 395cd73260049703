//! A file on its way from Telegram.

use std::time::Duration;

use bytes::Bytes;
use reqwest::Response;
use tokio::time::timeout;

use super::error::{ApiError, describe};

/// The longest silence of a download.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// A file on its way from Telegram, which is not kept in memory.
#[derive(Debug)]
pub struct Download {
    response: Response,
    rest: u64,
}

impl Download {
    pub(super) fn new(response: Response, bytes_max: u64) -> Self {
        Self {
            response,
            rest: bytes_max,
        }
    }

    /// The size that Telegram announces; `None` when it announces none.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// Returns the next bytes; `None` at the end.
    ///
    /// # Errors
    /// When the connection breaks or is silent for 30 seconds, and when the file is larger than it may be.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, ApiError> {
        let Ok(outcome) = timeout(SILENCE_MAX, self.response.chunk()).await else {
            return Err(ApiError::Lost("the download stands still".to_owned()));
        };
        let chunk = outcome.map_err(|error| ApiError::Lost(describe(error)))?;
        let length = chunk
            .as_ref()
            .map_or(0, |bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        let Some(rest) = self.rest.checked_sub(length) else {
            return Err(ApiError::Lost(
                "the file is larger than announced".to_owned(),
            ));
        };
        self.rest = rest;
        Ok(chunk)
    }
}
