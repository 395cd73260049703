//! Requests that the exam makes itself, byte by byte as it wants them.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;

/// The longest time until an answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// The most bytes of an answer that are read: a program may answer without end.
const ANSWER_MAX: usize = 4 << 20;
/// The most bytes of a body that a report shows.
const SHOWN_MAX: usize = 2_000;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &'static str, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("Content-Type", "application/json").body(body)
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Signs the body as the service does.
    pub(crate) fn signed(self, secret: &str) -> Self {
        let signature = sign(secret, &self.body);
        self.header("X-Signature", signature)
    }

    fn bytes(&self, port: u16) -> Vec<u8> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n",
            self.method, self.path
        );
        for (name, value) in &self.headers {
            // Writing to a text cannot fail.
            write!(head, "{name}: {value}\r\n").unwrap_or_default();
        }
        write!(head, "Content-Length: {}\r\n\r\n", self.body.len()).unwrap_or_default();
        let mut bytes = head.into_bytes();
        bytes.extend(&self.body);
        bytes
    }

    /// Sends it to a port of this machine.
    pub(crate) fn send(&self, port: u16) -> Exchange {
        let start = Instant::now();
        let answer = self.try_send(port).unwrap_or_else(|why| Answer {
            status: None,
            text: format!("({why})"),
        });
        let body = String::from_utf8_lossy(&self.body);
        Exchange {
            request: format!("{} {}\n{}", self.method, self.path, beginning(&body)),
            answer,
            took: start.elapsed(),
        }
    }

    fn try_send(&self, port: u16) -> std::io::Result<Answer> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER_WITHIN))?;
        stream.set_write_timeout(Some(ANSWER_WITHIN))?;
        let bytes = self.bytes(port);
        // A program may answer before it has read all: what it says counts more than the broken pipe.
        let write = stream.write_all(&bytes);
        let text = read_answer(&mut stream)?;
        if text.is_empty() {
            write?;
        }
        Ok(Answer::parse(&text))
    }
}

fn read_answer(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    let deadline = Instant::now() + ANSWER_WITHIN;
    while text.len() < ANSWER_MAX && Instant::now() < deadline {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => text.extend(buffer.iter().take(count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) if !text.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(text)
}

/// The answer to a request of the exam.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The status; `None` without an answer in HTTP.
    pub(crate) status: Option<u16>,
    /// The whole answer as text, or why there is none.
    pub(crate) text: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let first_line = text.lines().next().unwrap_or_default();
        let mut words = first_line.split(' ');
        let is_http = words.next().is_some_and(|it| it.starts_with("HTTP/"));
        let status = words.next().filter(|_| is_http);
        Self {
            status: status.and_then(|it| it.parse().ok()),
            text,
        }
    }

    /// The body, put together when it came in chunks.
    pub(crate) fn body(&self) -> String {
        let Some((head, body)) = self.text.split_once("\r\n\r\n") else {
            return String::new();
        };
        let is_chunked = head
            .to_ascii_lowercase()
            .contains("transfer-encoding: chunked");
        if is_chunked {
            chunks(body)
        } else {
            body.to_owned()
        }
    }

    pub(crate) fn is_success(&self) -> bool {
        self.status.is_some_and(|it| (200..300).contains(&it))
    }

    /// The status in words.
    pub(crate) fn shown(&self) -> String {
        self.status.map_or_else(
            || format!("gave no answer in HTTP {}", beginning(self.text.trim())),
            |status| format!("answered {status}"),
        )
    }
}

/// The text of a body in chunks, as far as it is well formed.
fn chunks(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let digits = size.split(';').next().unwrap_or_default();
        let Ok(size) = usize::from_str_radix(digits.trim(), 16) else {
            break;
        };
        let Some(chunk) = rest.get(..size).filter(|_| size > 0) else {
            break;
        };
        whole.push_str(chunk);
        body = rest
            .get(size..)
            .unwrap_or_default()
            .trim_start_matches("\r\n");
    }
    whole
}

/// A request of the exam with its answer.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) request: String,
    pub(crate) answer: Answer,
    pub(crate) took: Duration,
}

impl Exchange {
    /// The exchange as a report shows it.
    pub(crate) fn shown(&self) -> String {
        let milliseconds = self.took.as_millis();
        let answer = beginning(&self.answer.text);
        format!("> {}\n< {answer}\n  ({milliseconds} ms)", self.request)
    }
}

/// The signature of a body, as the service makes it.
pub(crate) fn sign(secret: &str, body: &[u8]) -> String {
    #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(body);
    hex::encode(mac.finalize().into_bytes())
}

/// The beginning of a text, for people.
fn beginning(text: &str) -> String {
    if text.len() <= SHOWN_MAX {
        return text.to_owned();
    }
    let end = (0..=SHOWN_MAX)
        .rev()
        .find(|end| text.is_char_boundary(*end));
    let start = text.get(..end.unwrap_or_default()).unwrap_or_default();
    format!("{start}… ({} bytes)", text.len())
}
