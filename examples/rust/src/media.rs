//! Files of messages. Each is fetched, as for a messenger that wants its bytes.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use switchboard_bridge_core::forms::text;
use switchboard_bridge_core::headers::media_type;
use switchboard_bridge_core::service::Service;
use thiserror::Error;
use tokio::time::timeout;

const BYTES_MAX: u64 = 20 << 20;
const WITHIN: Duration = Duration::from_secs(10);
const TRIES: u32 = 3;
/// The types that the messenger can show, with the kinds of files that they may be.
const TYPES: [(&str, &[&str]); 9] = [
    ("text", &[]),
    ("contact", &[]),
    ("location", &[]),
    ("file", &[""]),
    ("picture", &["image/"]),
    ("video", &["video/"]),
    ("voice", &["audio/", "application/ogg"]),
    ("audio", &["audio/", "application/ogg"]),
    ("sticker", &["image/", "video/"]),
];

/// The reason why a message cannot be shown.
#[derive(Debug, Error)]
pub(crate) enum MediaError {
    /// It never can: this is for the account user.
    #[error("{0}")]
    Obstacle(String),
    /// The next attempt may succeed.
    #[error("{0}")]
    Lost(String),
}

fn obstacle<T>(why: impl Into<String>) -> Result<T, MediaError> {
    Err(MediaError::Obstacle(why.into()))
}

/// Checks that the messenger can show the message.
///
/// # Errors
/// When it cannot.
pub(crate) async fn check(
    service: &Service,
    content: &Value,
    tries: u32,
) -> Result<(), MediaError> {
    let kind = text(content, "type");
    let Some((_, kinds)) = TYPES.iter().find(|(name, _)| *name == kind) else {
        return obstacle(format!(
            "This messenger has no messages of the type «{kind}»."
        ));
    };
    if kinds.is_empty() {
        return Ok(());
    }
    let url = text(content, "media");
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return obstacle("The file has no address of the web.");
    }
    if service.has(url) {
        // A file counts, but not as long as it takes.
        drop(service.pace.slot().await);
    }
    let result = timeout(WITHIN, fetch(service, url, kinds)).await;
    match result {
        Err(_) => obstacle(format!(
            "The file is not here after {} seconds.",
            WITHIN.as_secs()
        )),
        Ok(Err(MediaError::Lost(why))) if tries + 1 >= TRIES => {
            obstacle(format!("The file cannot be fetched: {why}"))
        }
        Ok(result) => result,
    }
}

async fn fetch(service: &Service, url: &str, kinds: &[&str]) -> Result<(), MediaError> {
    let request = service.client.get(url).timeout(WITHIN * 2);
    let response = request.send().await.map_err(failure)?;
    let status = response.status().as_u16();
    match status {
        0..300 => {}
        500.. => return Err(MediaError::Lost(format!("its address answers {status}"))),
        _ => return obstacle(format!("The address of the file answers {status}.")),
    }
    let media_type = media_type(response.headers());
    let is_right = kinds.iter().any(|kind| media_type.starts_with(kind));
    if media_type == "text/html" || !is_right {
        return obstacle(format!(
            "The address of the file answers with the type {media_type}."
        ));
    }
    read(response).await
}

fn failure(error: reqwest::Error) -> MediaError {
    MediaError::Lost(error.to_string())
}

async fn read(mut response: Response) -> Result<(), MediaError> {
    let mut size = response.content_length().unwrap_or_default();
    let mut count = 0;
    while size <= BYTES_MAX {
        let chunk = response.chunk().await;
        match chunk.map_err(failure)? {
            Some(bytes) => count += u64::try_from(bytes.len()).unwrap_or(BYTES_MAX),
            None => return Ok(()),
        }
        size = size.max(count);
    }
    obstacle(format!("The file is larger than {} MiB.", BYTES_MAX >> 20))
}
