//! Reading requests off the wire, as far as a sink has to understand them.

use std::io;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

const HEAD_MAX: usize = 64 * 1024;
const BODY_MAX: usize = 16 * 1024 * 1024;
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

/// A request as it came over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The method.
    pub method: String,
    /// The request target: path and query, or a whole URL when we are taken for a proxy.
    pub target: String,
    /// Names as written by the sender, values without surrounding blanks, in order.
    pub headers: Vec<(String, String)>,
    /// The raw body.
    pub body: Bytes,
}

impl Received {
    /// The first value of a header, whatever the case of its name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// Bytes of one connection that were received and not yet understood.
#[derive(Debug, Default)]
pub(super) struct Reader {
    buffer: BytesMut,
}

impl Reader {
    /// Waits until a request begins; false when the connection ends instead.
    pub(super) async fn begun(&mut self, wire: &mut (impl AsyncRead + Unpin)) -> io::Result<bool> {
        if !self.buffer.is_empty() {
            return Ok(true);
        }
        let mut first = [0; 1];
        let read = wire.read(&mut first).await?;
        if read > 0 {
            self.buffer.extend_from_slice(&first);
        }
        Ok(read > 0)
    }

    /// Reads one whole request.
    pub(super) async fn request(
        &mut self,
        wire: &mut (impl AsyncRead + Unpin),
    ) -> io::Result<Received> {
        let length = loop {
            let head_end = self
                .buffer
                .windows(END_OF_HEAD.len())
                .position(|window| window == END_OF_HEAD);
            match head_end {
                Some(length) => break length,
                None if self.buffer.len() > HEAD_MAX => {
                    return Err(malformed("the head is too long"));
                }
                None => self.more(wire).await?,
            }
        };
        let head = self.buffer.split_to(length);
        self.buffer.advance(END_OF_HEAD.len());
        let mut request = parse(&String::from_utf8_lossy(&head))?;
        let length = match request.header("content-length").map(str::parse) {
            None => 0,
            Some(Ok(length)) if length <= BODY_MAX => length,
            Some(_) => return Err(malformed("the length is no length")),
        };
        while self.buffer.len() < length {
            self.more(wire).await?;
        }
        request.body = self.buffer.split_to(length).freeze();
        Ok(request)
    }

    async fn more(&mut self, wire: &mut (impl AsyncRead + Unpin)) -> io::Result<()> {
        if wire.read_buf(&mut self.buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

fn parse(head: &str) -> io::Result<Received> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(malformed("the first line is not a request line"));
    };
    let headers = lines
        .map(|line| {
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| malformed("a header without a colon"))?;
            Ok((name.to_owned(), value.trim().to_owned()))
        })
        .collect::<io::Result<_>>()?;
    Ok(Received {
        method: method.to_owned(),
        target: target.to_owned(),
        headers,
        body: Bytes::new(),
    })
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
