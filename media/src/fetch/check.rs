//! One look at one file: what is there, whether it is what it should be, and a copy of it when one is wanted.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Response, Url};
use switchboard_actors::System;
use switchboard_actors::domain::chat::fetch::{
    Copied, ExpectedFile, FetchOutcome, NotCopied, ReachableFile,
};
use switchboard_actors::domain::chat::fetch_code::FetchCode;
use switchboard_actors::domain::text::FetchText;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::fetches::WantedFetch;
use switchboard_network::outbound::download::Downloads;
use switchboard_network::outbound::error::{FailureKind, RequestError};
use tokio::time::timeout;

use crate::{About, MediaStore, UNKNOWN, UploadError, clean, type_of};

/// The number of first bytes that determine the type of a file.
const HEAD_BYTES: usize = 512;

/// Looks at files.
pub struct FileChecker {
    pub downloads: Downloads,
    pub system: System,
    /// The store of copies; `None` when none are kept.
    pub copies: Option<MediaStore>,
    /// The beginning of the addresses of copies.
    pub base: String,
    /// The longest time of one look, a copy included.
    pub timeout: Duration,
}

/// The result of a look.
pub(super) enum CheckResult {
    /// This is the end of it.
    Found(FetchOutcome),
    /// It is there, and a copy may be had later.
    Later(FetchOutcome),
    /// It may be there later.
    Failed {
        code: FetchCode,
        reason: String,
        trouble: Blame,
    },
}

/// The side that a failure is blamed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame {
    /// The server's: others of its files will fare no better.
    Server,
    /// This file's.
    File,
}

fn unreachable(code: FetchCode, reason: &str) -> CheckResult {
    CheckResult::Found(FetchOutcome::unreachable(code, reason))
}

fn failed(failure: &RequestError) -> CheckResult {
    match failure.kind {
        FailureKind::Forbidden | FailureKind::Invalid => {
            unreachable(FetchCode::AddressNotAllowed, &failure.outwardly())
        }
        FailureKind::Connect
        | FailureKind::Timeout
        | FailureKind::Reset
        | FailureKind::Tls
        | FailureKind::Dns
        | FailureKind::Protocol
        | FailureKind::HeadTooLarge => CheckResult::Failed {
            code: FetchCode::NoConnection,
            reason: failure.outwardly(),
            trouble: Blame::Server,
        },
    }
}

/// The head of an answer and the first bytes of its body, as far as the service needs them.
struct FileStart {
    head: Vec<u8>,
    reached: ReachableFile,
    /// The type that the server declares.
    declared: Option<String>,
    /// The compression that the server chose though none was asked for.
    compressed: Option<String>,
}

impl FileChecker {
    /// The copy that an earlier attempt finished, without the note of it.
    pub(super) async fn finished_copy(&self, wanted: &WantedFetch) -> Option<CheckResult> {
        let copies = self.copies.as_ref()?;
        let about = copies.about(wanted.copy).await.ok().flatten()?;
        Some(self.keep(copies, &about).await)
    }

    /// Looks at a file.
    pub(super) async fn look(&self, wanted: &WantedFetch) -> CheckResult {
        match timeout(self.timeout, self.ask(wanted)).await {
            Ok(look) => look,
            Err(_elapsed) => {
                let seconds = self.timeout.as_secs();
                let detail = format!("not complete within {seconds} seconds");
                failed(&RequestError::new(FailureKind::Timeout, &detail))
            }
        }
    }

    async fn ask(&self, wanted: &WantedFetch) -> CheckResult {
        let Ok(url) = Url::parse(wanted.url.as_str()) else {
            return unreachable(FetchCode::AddressNotAllowed, "the address is no URL");
        };
        let mut response = match self.downloads.get(&url, self.timeout).await {
            Ok(response) => response,
            Err(failure) => return failed(&failure),
        };
        if let Some(look) = refused(&response) {
            return look;
        }
        let start = match read_start(&mut response, wanted.name.as_str()).await {
            Ok(start) => start,
            Err(failure) => return failed(&failure),
        };
        if let Some(reason) = unexpected(wanted.expected, &start) {
            return unreachable(FetchCode::Unexpected, &reason);
        }
        match &self.copies {
            None => CheckResult::Found(FetchOutcome::Reachable(Box::new(start.reached))),
            Some(copies) => self.copy(copies, wanted, response, start).await,
        }
    }

    async fn copy(
        &self,
        copies: &MediaStore,
        wanted: &WantedFetch,
        mut response: Response,
        start: FileStart,
    ) -> CheckResult {
        let limit = copies.file_bytes_max();
        if let Some(coding) = &start.compressed {
            let why = format!(
                "the response is compressed ({coding}), though the request did not allow it"
            );
            return CheckResult::Found(not_copied(start.reached, FetchCode::Compressed, &why));
        }
        if start.reached.bytes.is_some_and(|bytes| bytes > limit) {
            let why = UploadError::TooLarge(limit).to_string();
            return CheckResult::Found(not_copied(start.reached, FetchCode::TooLarge, &why));
        }
        let bytes = start.reached.bytes.unwrap_or(0);
        match self.system.has_room(wanted.account, bytes).await {
            Ok(()) => {}
            Err(CommandError::Rejected(reached)) => {
                return CheckResult::Found(not_copied(
                    start.reached,
                    FetchCode::NotStored,
                    &reached.to_string(),
                ));
            }
            Err(CommandError::Unavailable(why)) => {
                return CheckResult::Later(not_copied(
                    start.reached,
                    FetchCode::NotStored,
                    &why.to_string(),
                ));
            }
        }
        let beginning = copies.begin_copy(wanted.account, wanted.copy).await;
        let mut upload = match beginning {
            Ok(upload) => upload,
            Err(error) => return not_taken(start.reached, &error),
        };
        let mut piece = Bytes::from(start.head);
        loop {
            if let Err(error) = upload.write(piece).await {
                return not_taken(start.reached, &error);
            }
            match response.chunk().await {
                Ok(Some(next)) => piece = next,
                Ok(None) => break,
                Err(error) => return failed(&RequestError::classify(&error)),
            }
        }
        let name = clean(wanted.name.as_str()).unwrap_or_else(|| wanted.name.clone());
        let declared = start.declared.as_deref();
        match upload.finish(name, declared, self.system.now()).await {
            Ok(about) => self.keep(copies, &about).await,
            Err(error) => not_taken(start.reached, &error),
        }
    }

    /// The copy stays, because a message is going to refer to it.
    async fn keep(&self, copies: &MediaStore, about: &About) -> CheckResult {
        let reached = ReachableFile {
            content_type: Some(FetchText::shortened(&about.content_type)),
            bytes: Some(about.bytes),
            ..ReachableFile::default()
        };
        match copies.keep(about).await {
            Ok(true) => {}
            Ok(false) => {
                let why = "the copy was removed";
                return CheckResult::Later(not_copied(reached, FetchCode::NotStored, why));
            }
            Err(error) => {
                let why = format!("the copy cannot be kept: {error}");
                return CheckResult::Later(not_copied(reached, FetchCode::NotStored, &why));
            }
        }
        let url = about.url(&self.base);
        let thumbnail = format!("{url}/thumbnail");
        let (Ok(media), Ok(thumbnail)) = (url.parse(), thumbnail.parse()) else {
            return CheckResult::Found(not_copied(
                reached,
                FetchCode::NotStored,
                "the copy has no address",
            ));
        };
        CheckResult::Found(FetchOutcome::Reachable(Box::new(ReachableFile {
            copy: Some(Copied {
                media,
                thumbnail: about.picture.is_some().then_some(thumbnail),
                name: about.name.clone(),
            }),
            ..reached
        })))
    }
}

fn not_copied(mut reached: ReachableFile, code: FetchCode, why: &str) -> FetchOutcome {
    reached.not_copied = Some(NotCopied {
        code,
        reason: FetchText::shortened(why),
    });
    FetchOutcome::Reachable(Box::new(reached))
}

/// The store refuses the file, permanently or only now.
fn not_taken(reached: ReachableFile, error: &UploadError) -> CheckResult {
    let (code, later) = match error {
        UploadError::Empty => (FetchCode::Empty, false),
        UploadError::TooLarge(_) => (FetchCode::TooLarge, false),
        UploadError::Picture(_) => (FetchCode::Undecodable, false),
        UploadError::Busy
        | UploadError::TooManyOfYours(_)
        | UploadError::TooManyUnsent(_)
        | UploadError::DiskFull
        | UploadError::Failed(_) => (FetchCode::NotStored, true),
    };
    let outcome = not_copied(reached, code, &error.to_string());
    if later {
        CheckResult::Later(outcome)
    } else {
        CheckResult::Found(outcome)
    }
}

/// Returns the result of an answer that brings no file.
fn refused(response: &Response) -> Option<CheckResult> {
    let status = response.status();
    if status.is_success() {
        return None;
    }
    let reason = format!("its server answers {status}");
    let trouble = match status.as_u16() {
        429 | 503 => Blame::Server,
        408 | 425 | 500..=599 => Blame::File,
        _ => return Some(unreachable(FetchCode::Refused, &reason)),
    };
    Some(CheckResult::Failed {
        code: FetchCode::Refused,
        reason,
        trouble,
    })
}

async fn read_start(response: &mut Response, name: &str) -> Result<FileStart, RequestError> {
    let (mut head, mut ended) = (Vec::new(), false);
    while head.len() < HEAD_BYTES && !ended {
        match response.chunk().await {
            Ok(Some(chunk)) => head.extend_from_slice(&chunk),
            Ok(None) => ended = true,
            Err(error) => return Err(RequestError::classify(&error)),
        }
    }
    let header = |name| {
        let value = response
            .headers()
            .get(name)?
            .to_str()
            .ok()?
            .split(';')
            .next()?
            .trim();
        (!value.is_empty()).then(|| value.to_ascii_lowercase())
    };
    let compressed = header(CONTENT_ENCODING).filter(|coding| coding != "identity");
    let declared = header(CONTENT_TYPE);
    let sniffed_type = type_of(&head, declared.as_deref(), name);
    let content_type = if is_page(&head) {
        "text/html".to_owned()
    } else if sniffed_type == UNKNOWN {
        // Neither the first bytes nor the name show the type: what is reported is what the server says, whatever that is.
        declared.clone().unwrap_or(sniffed_type)
    } else {
        sniffed_type
    };
    let length = header(CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let whole = u64::try_from(head.len()).ok().filter(|_| ended);
    Ok(FileStart {
        reached: ReachableFile {
            content_type: Some(FetchText::shortened(&content_type)),
            bytes: length.or(whole),
            copy: None,
            not_copied: None,
        },
        head,
        declared,
        compressed,
    })
}

/// Returns the reason why a file is not of the expected kind.
fn unexpected(expected: ExpectedFile, start: &FileStart) -> Option<String> {
    let what = start
        .reached
        .content_type
        .as_ref()
        .map_or("", |kind| kind.as_str());
    let (wanted, fits) = match expected {
        ExpectedFile::File => return None,
        ExpectedFile::Picture => ("a picture", what.starts_with("image/")),
        ExpectedFile::Recording => ("a recording", what != "text/html"),
    };
    if start.head.is_empty() {
        return Some(format!("{wanted} was expected, and there is nothing in it"));
    }
    // What is compressed cannot be looked into.
    (!fits && start.compressed.is_none())
        .then(|| format!("{wanted} was expected, and this is {what}"))
}

/// Returns whether these are the first bytes of a page, such as one that asks to sign in.
fn is_page(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let markup = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    markup.starts_with("<!doctype html") || markup.starts_with("<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A failure names the host that was asked for, and not the internal address behind it.
    #[test]
    fn internal_addresses_are_hidden_from_account_users() {
        for kind in [FailureKind::Forbidden, FailureKind::Dns] {
            let failure = RequestError {
                outwardly: Some("vm leads to an address that is not allowed here".to_owned()),
                ..RequestError::new(kind, "vm was refused: 10.0.0.1 is a private address")
            };
            let reason = match failed(&failure) {
                CheckResult::Found(found) => format!("{found:?}"),
                CheckResult::Failed { reason, .. } => reason,
                CheckResult::Later(_) => unreachable!("nothing was found"),
            };
            assert!(reason.contains("vm leads to"), "{reason}");
            assert!(!reason.contains("10.0.0.1"), "{reason}");
        }
    }

    #[test]
    fn a_file_that_is_no_image_is_identified_by_its_first_bytes() {
        let start = |kind: &str, head: &[u8]| FileStart {
            head: head.to_vec(),
            reached: ReachableFile {
                content_type: Some(FetchText::shortened(kind)),
                ..ReachableFile::default()
            },
            declared: None,
            compressed: None,
        };
        let page = start("text/html", b"<html>");
        let reason = unexpected(ExpectedFile::Picture, &page).unwrap();
        assert_eq!(reason, "a picture was expected, and this is text/html");
        assert!(unexpected(ExpectedFile::Recording, &page).is_some());
        assert_eq!(unexpected(ExpectedFile::File, &page), None);
        let drawing = start("image/svg+xml", b"<svg/>");
        assert_eq!(unexpected(ExpectedFile::Picture, &drawing), None);
        let nothing = start("image/png", b"");
        assert!(unexpected(ExpectedFile::Picture, &nothing).is_some());
        assert!(is_page(b"\xef\xbb\xbf\n <!DOCTYPE HTML>"));
        assert!(!is_page(b"<svg xmlns="));
    }
}
