//! The body of a call with a file: a form of several parts, whose file is not copied.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde_json::Value;

/// A file that goes along with a call.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// The parameter that is the file.
    pub field: &'static str,
    pub name: String,
    /// The type of its content.
    pub mime: String,
    pub bytes: Bytes,
}

/// The parts of a body, one after the other, with their exact size.
struct Parts(VecDeque<Bytes>);

impl Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        let sizes = self
            .0
            .iter()
            .map(|part| u64::try_from(part.len()).unwrap_or_default());
        SizeHint::with_exact(sizes.sum())
    }
}

/// A form of several parts.
pub(super) struct Form {
    pub(super) content_type: String,
    pub(super) body: reqwest::Body,
}

/// Writes the parameters of a call and its file as a form. A text stays as it is, and everything else is JSON.
pub(super) fn form(params: &Value, file: &Attachment) -> Option<Form> {
    let mut random = [0; 16];
    SysRng.try_fill_bytes(&mut random).ok()?;
    let boundary = format!("switchboard-{}", hex::encode(random));
    let mut head = Vec::new();
    for (name, value) in params.as_object().into_iter().flatten() {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let part = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{text}\r\n",
            quoted(name)
        );
        head.extend_from_slice(part.as_bytes());
    }
    let part = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"; filename=\"{}\"\r\nContent-Type: {}\r\n\r\n",
        quoted(file.field),
        quoted(&file.name),
        media_type(&file.mime),
    );
    head.extend_from_slice(part.as_bytes());
    let tail = format!("\r\n--{boundary}--\r\n");
    let parts = [Bytes::from(head), file.bytes.clone(), Bytes::from(tail)];
    Some(Form {
        content_type: format!("multipart/form-data; boundary={boundary}"),
        body: reqwest::Body::wrap(Parts(parts.into())),
    })
}

/// A name between quotation marks: no sign in it ends the header.
fn quoted(name: &str) -> String {
    let safe = name.chars().map(|letter| match letter {
        '"' | '\\' => '_',
        letter if letter.is_control() => '_',
        letter => letter,
    });
    safe.collect()
}

/// A type as a header takes it.
fn media_type(text: &str) -> &str {
    let is_sign = |it: u8| it.is_ascii_alphanumeric() || b"/+.-_".contains(&it);
    if !text.is_empty() && text.len() <= 100 && text.bytes().all(is_sign) {
        text
    } else {
        "application/octet-stream"
    }
}

#[cfg(test)]
mod tests {
    use super::{media_type, quoted};

    #[test]
    fn no_name_ends_its_header() {
        assert_eq!(quoted("a\"\r\nX: b\\.pdf"), "a___X: b_.pdf");
        assert_eq!(quoted("Отчёт.pdf"), "Отчёт.pdf");
        assert_eq!(media_type("image/svg+xml"), "image/svg+xml");
        for odd in ["", "a/b\r\nX: y", "image/png; x", &"a".repeat(101)] {
            assert_eq!(media_type(odd), "application/octet-stream");
        }
    }
}
