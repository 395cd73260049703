//! The log on standard error, as text or as JSON. The token of the bot leaves it by no way: what is written passes a filter.

use std::io::{self, Write};
use std::sync::Arc;

use tracing_subscriber::fmt::MakeWriter;

use crate::settings::LogFormat;

/// The word in the place of the token.
const MASK: &str = "<token>";

/// Begins the log.
pub(crate) fn begin(format: LogFormat, token: &str) {
    let writer = Masked {
        // The part behind the colon is the secret; the number before it is the public id of the bot.
        secret: token.split_once(':').map_or(token, |(_, it)| it).into(),
    };
    let builder = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_writer(writer)
        .with_ansi(false)
        .with_target(false);
    let is_begun = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    // Another log is there already, as in a test.
    is_begun.unwrap_or_default();
    switchboard_bridge_core::log::redirect(|line| tracing::warn!("{line}"));
}

/// Standard error without the secret.
struct Masked {
    secret: Arc<str>,
}

/// A line on its way, which is written whole when it ends: a secret may come in pieces.
pub(crate) struct Line {
    secret: Arc<str>,
    bytes: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Masked {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line {
            secret: Arc::clone(&self.secret),
            bytes: Vec::new(),
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes);
        // Without standard error there is no place for a log.
        io::stderr()
            .write_all(masked(&text, &self.secret).as_bytes())
            .unwrap_or_default();
    }
}

/// Returns the text without the secret.
pub(crate) fn masked(text: &str, secret: &str) -> String {
    if secret.is_empty() {
        return text.to_owned();
    }
    text.replace(secret, MASK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_no_token_wherever_it_stands() {
        assert_eq!(
            masked("GET /bot42:SECRET/getMe and SECRET", "SECRET"),
            "GET /bot42:<token>/getMe and <token>"
        );
        assert_eq!(masked("text", ""), "text");
    }
}
