//! Forms of several parts.

use bytes::Bytes;
use memchr::memmem;
use serde_json::Value;

use super::PARAMETERS_MAX;
use crate::params::{Params, Upload};
use crate::reply::ApiError;

fn refusal(why: &str) -> ApiError {
    ApiError::bad(format!("can't parse the multipart body: {why}"))
}

/// Returns a parameter of a header: `name` of `form-data; name="a"`.
fn parameter(header: &str, name: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (key, after) = rest.split_once('=')?;
        let (value, next) = value(after.trim_start())?;
        if key.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = next.trim_start().strip_prefix(';')?;
    }
}

/// Reads a value, in quotation marks or not. Returns it with the rest.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(inner) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        let (value, rest) = text.split_at_checked(end)?;
        return Some((value.trim().to_owned(), rest));
    };
    let mut value = String::new();
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some((value, letters.as_str())),
            '\\' => value.extend(letters.next()),
            _ => value.push(letter),
        }
    }
    None
}

fn find(body: &[u8], mark: &[u8], otherwise: &str) -> Result<usize, ApiError> {
    memmem::find(body, mark).ok_or_else(|| refusal(otherwise))
}

/// Reads all parts.
pub(super) fn parse(kind: &str, body: &Bytes, params: &mut Params) -> Result<(), ApiError> {
    let name = parameter(kind, "boundary").filter(|it| !it.is_empty());
    let boundary = name.ok_or_else(|| refusal("the content type has no boundary"))?;
    let first = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let start = find(body, first.as_bytes(), "the boundary is missing")?;
    let mut rest = body.slice(start + first.len()..);
    let mut count = 0;
    while !rest.starts_with(b"--") {
        if !rest.starts_with(b"\r\n") {
            return Err(refusal("a boundary ends without a line"));
        }
        let part = rest.slice(2..);
        // A part without a head begins with the blank line.
        let head_end = find(&part, b"\r\n\r\n", "a part has no end of its head")?;
        let content = part.slice(head_end + 4..);
        let end = find(&content, between.as_bytes(), "the last boundary is missing")?;
        count += 1;
        if count > PARAMETERS_MAX {
            return Err(refusal("too many parts"));
        }
        let head = String::from_utf8_lossy(&part.slice(..head_end)).into_owned();
        add(&head, content.slice(..end), params)?;
        rest = content.slice(end + between.len()..);
    }
    Ok(())
}

fn add(head: &str, content: Bytes, params: &mut Params) -> Result<(), ApiError> {
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(':'));
        let line = lines.find(|(key, _)| key.trim().eq_ignore_ascii_case(name));
        line.map(|(_, value)| value.trim().to_owned())
    };
    let disposition = header("Content-Disposition").unwrap_or_default();
    let name = parameter(&disposition, "name").ok_or_else(|| refusal("a part has no name"))?;
    match parameter(&disposition, "filename") {
        Some(file_name) => {
            let upload = Upload {
                name: file_name,
                mime_type: header("Content-Type"),
                bytes: content,
            };
            params.uploads.insert(name, upload);
        }
        None => {
            let text = String::from_utf8_lossy(&content).into_owned();
            params.values.insert(name, Value::String(text));
        }
    }
    Ok(())
}
