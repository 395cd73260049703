//! Files of account users on their way to the service.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use serde_json::Value;

use super::answer::Answer;
use super::client::Client;
use super::server::TOKEN;

/// A picture of this size.
pub fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = DynamicImage::new_rgb8(width, height);
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The body of a form with one file.
pub fn form(part: &str, name: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"{name}\"\r\n\
         Content-Type: text/html\r\n\r\n"
    );
    [head.as_bytes(), bytes, b"\r\n--edge--\r\n"].concat()
}

/// Posts a form with this token.
pub async fn post(client: &Client, token: &str, body: Vec<u8>) -> Answer {
    client
        .request("POST", "/inbox/v1/media")
        .bearer(token)
        .header("Content-Type", "multipart/form-data; boundary=edge")
        .body(body)
        .send()
        .await
}

/// Uploads a file as the administrator of the first account.
pub async fn upload(client: &Client, name: &str, bytes: &[u8]) -> Answer {
    post(client, TOKEN, form("file", name, bytes)).await
}

/// As [`upload`], must work; gives the JSON.
pub async fn uploaded(client: &Client, name: &str, bytes: &[u8]) -> Value {
    upload(client, name, bytes).await.is(201).json
}
