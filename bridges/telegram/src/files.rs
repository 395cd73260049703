//! Files of customers: fetched from Telegram when the service or an account user opens their link, and passed on as they come.

pub(crate) mod kind;
pub(crate) mod link;
mod passage;

use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, StatusCode};
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::page::{PageRequest, PageResponse, empty, text, unavailable};
use switchboard_telegram::api::{ApiError, DOWNLOAD_MAX, Download};
use tokio::time::timeout;

use self::kind::ServedKind;
use self::link::{FileLink, LinkError};
use self::passage::passage;
use crate::telegram::Telegram;

/// The files that are on their way at once.
pub(crate) const PASSAGES_MAX: usize = 32;
/// The longest wait for a place among them.
const PLACE_WITHIN: Duration = Duration::from_secs(10);
/// The seconds after which a file is asked for again.
const RETRY_SECONDS: u32 = 5;

/// Answers a request for a file.
pub(crate) async fn serve(
    bridge: &Rc<Bridge<Telegram>>,
    request: &PageRequest<'_>,
) -> PageResponse {
    if !matches!(*request.method, Method::GET | Method::HEAD) {
        return empty(StatusCode::METHOD_NOT_ALLOWED);
    }
    let telegram = &bridge.messenger;
    let link = match FileLink::parse(request.path, telegram.file_key(), unix_seconds()) {
        Ok(link) => link,
        Err(why) => return text(status(why), why.to_string()),
    };
    if *request.method == Method::HEAD {
        return with_headers(empty(StatusCode::OK), &link, None);
    }
    let places = std::sync::Arc::clone(&telegram.passages);
    let Ok(Ok(place)) = timeout(PLACE_WITHIN, places.acquire_owned()).await else {
        return unavailable(RETRY_SECONDS);
    };
    match fetch(telegram, &link.file_id).await {
        Ok(download) => {
            let size = download.size();
            if size.is_some_and(|size| size > DOWNLOAD_MAX) {
                return text(StatusCode::NOT_FOUND, "The file is larger than 20 MB.");
            }
            let response = PageResponse::new(passage(download, place).boxed());
            with_headers(response, &link, size)
        }
        Err(ApiError::Refused(refusal)) if refusal.code == 400 || refusal.code == 404 => {
            let why = "Telegram gives this file to the bot no more. It is in the customer's chat; ask the customer to send it again.";
            text(StatusCode::NOT_FOUND, why)
        }
        Err(why) => {
            tracing::warn!("a file of a customer is not fetched: {why}");
            unavailable(RETRY_SECONDS)
        }
    }
}

/// Begins a download. The address of a file may have ended just now, so it is asked for once more.
async fn fetch(telegram: &Telegram, file_id: &str) -> Result<Download, ApiError> {
    match telegram.api.download(file_id, DOWNLOAD_MAX).await {
        Err(ApiError::Refused(refusal)) if refusal.code == 404 => {
            telegram.api.download(file_id, DOWNLOAD_MAX).await
        }
        outcome => outcome,
    }
}

fn status(why: LinkError) -> StatusCode {
    match why {
        LinkError::Malformed => StatusCode::NOT_FOUND,
        LinkError::Forged => StatusCode::FORBIDDEN,
        LinkError::Over => StatusCode::GONE,
    }
}

/// Adds what keeps a browser from running anything of the file.
fn with_headers(mut response: PageResponse, link: &FileLink, size: Option<u64>) -> PageResponse {
    let kind = ServedKind::from_media_type(&link.media_type);
    let headers = response.headers_mut();
    let mut add = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    add(CONTENT_TYPE, kind.media_type);
    add(CONTENT_DISPOSITION, &kind.disposition(&link.name));
    add(X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
    add(CACHE_CONTROL, "private, max-age=3600");
    if let Some(size) = size {
        add(CONTENT_LENGTH, &size.to_string());
    }
    response
}

/// The bytes on their way, or the reason why they break off.
pub(crate) type Piece = Result<Bytes, ApiError>;
