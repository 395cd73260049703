//! Files of account users, fetched from the service: of bounded size, and from no other place of the network of the bridge.

use std::rc::Rc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::headers::media_type;
use switchboard_telegram::api::UPLOAD_MAX;
use switchboard_telegram::outbound::Upload;
use switchboard_telegram::outbound::status::{Report, pause};

use crate::telegram::Telegram;

/// The longest time of a download.
const WITHIN: Duration = Duration::from_secs(120);
/// The attempts before the account user learns of it.
const TRIES: u32 = 5;
/// The attempts for a file that arrives broken.
const BROKEN_TRIES: u32 = 3;

/// A file in memory.
pub(super) struct FetchedFile {
    pub(super) name: String,
    pub(super) media_type: String,
    pub(super) bytes: Bytes,
}

/// The reason why there is no file.
pub(super) enum FetchError {
    Later(Duration),
    Failed(Report),
}

/// Fetches a file, after so many attempts.
pub(super) async fn fetch(
    bridge: &Rc<Bridge<Telegram>>,
    upload: &Upload,
    tries: u32,
) -> Result<FetchedFile, FetchError> {
    let service = &bridge.service;
    let is_of_service = service.has(&upload.url);
    if !is_of_service && !upload.url.starts_with("https://") {
        return failed("The address of the file is neither one of the service nor one with https.");
    }
    if is_of_service {
        // A file counts as a request, but not for as long as it takes.
        drop(service.pace.slot().await);
    }
    let request = service.client.get(&upload.url).timeout(WITHIN);
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) => return again(tries, &error.without_url().to_string()),
    };
    match response.status().as_u16() {
        200..300 => {}
        code @ (408 | 425 | 429 | 500..) => {
            return again(tries, &format!("its address answers {code}"));
        }
        code => return failed(&format!("The address of the file answers {code}.")),
    }
    let media_type = media_type(response.headers());
    if let Some(report) = upload.refusal(&media_type) {
        return Err(FetchError::Failed(report));
    }
    let bytes = read(response, tries).await?;
    Ok(FetchedFile {
        name: upload.name.clone(),
        media_type,
        bytes,
    })
}

async fn read(mut response: Response, tries: u32) -> Result<Bytes, FetchError> {
    let size = response.content_length().unwrap_or_default();
    if size > UPLOAD_MAX {
        return too_large();
    }
    let mut bytes = BytesMut::with_capacity(usize::try_from(size).unwrap_or_default());
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(bytes.freeze()),
            Err(error) if tries >= BROKEN_TRIES => {
                let why = error.without_url();
                return failed(&format!("The file arrives broken from the service: {why}"));
            }
            Err(error) => return again(tries, &error.without_url().to_string()),
        }
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if count > UPLOAD_MAX {
            return too_large();
        }
    }
}

fn too_large<T>() -> Result<T, FetchError> {
    failed(
        "The file is larger than 50 MB, and Telegram takes no larger one from a bot. Send a smaller one, or a link.",
    )
}

fn failed<T>(why: &str) -> Result<T, FetchError> {
    Err(FetchError::Failed(Report::new(905, why)))
}

fn again<T>(tries: u32, why: &str) -> Result<T, FetchError> {
    if tries >= TRIES {
        return failed(&format!(
            "The file cannot be fetched from the service: {why}"
        ));
    }
    tracing::warn!("a file is fetched from the service again: {why}");
    Err(FetchError::Later(pause(tries)))
}
