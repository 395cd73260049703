//! Files that a call names by their addresses: the double fetches them, as Telegram does.

use bytes::Bytes;
use serde_json::Value;

use crate::bounds::{ALBUM, FILE_BY_URL_MAX};
use crate::params::{Params, Upload};
use crate::reply::ApiError;

/// The fields that may have an address, besides `media` of albums.
const FIELDS: [&str; 8] = [
    "photo",
    "document",
    "video",
    "audio",
    "voice",
    "video_note",
    "sticker",
    "animation",
];

fn addresses(params: &Params) -> Vec<String> {
    let own = FIELDS.iter().filter_map(|field| params.text(field));
    let media = params.structure("media").ok().flatten();
    let items = media
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let parts = items.filter_map(|item| item.get("media")?.as_str().map(str::to_owned));
    let is_address = |it: &String| it.starts_with("http://") || it.starts_with("https://");
    let list = own.chain(parts).filter(is_address);
    list.take(*ALBUM.end()).collect()
}

/// Fetches what a call names by address.
pub(crate) async fn fetch(client: &reqwest::Client, params: &mut Params) {
    let mut list = addresses(params);
    list.sort_unstable();
    list.dedup();
    for address in list {
        let outcome = one(client, &address).await;
        params.fetched.insert(address, outcome);
    }
}

async fn one(client: &reqwest::Client, address: &str) -> Result<Upload, ApiError> {
    let failed = || ApiError::bad("failed to get HTTP URL content");
    let Ok(mut response) = client.get(address).send().await else {
        return Err(failed());
    };
    if !response.status().is_success() {
        return Err(failed());
    }
    let kind = response.headers().get(reqwest::header::CONTENT_TYPE);
    let mime_type = kind.and_then(|it| it.to_str().ok()).map(str::to_owned);
    let mut content = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(piece)) if content.len() + piece.len() > FILE_BY_URL_MAX => {
                return Err(ApiError::bad("file is too big"));
            }
            Ok(Some(piece)) => content.extend_from_slice(&piece),
            Ok(None) => break,
            Err(_) => return Err(failed()),
        }
    }
    let Ok(url) = url::Url::parse(address) else {
        return Err(failed());
    };
    let path = url.path();
    Ok(Upload {
        name: path.rsplit('/').next().unwrap_or_default().to_owned(),
        mime_type,
        bytes: Bytes::from(content),
    })
}
