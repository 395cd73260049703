//! A process of this program that decodes one picture, and whose memory and time are limited by the operating system: that
//! bounds all that a decoder allocates, gives it back, and lets no picture end the service.
//!
//! The limits have to be in force before the first allocation. So the process sets them, and then begins again as the same
//! program. It reads the picture from its standard input and writes a line of JSON and the thumbnail to its standard output.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use image::ImageFormat;
use rustix::process::{
    Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit,
};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::time::timeout;

use super::decode;
use super::{Decoded, MEMORY_MAX, PictureError, ThumbnailKind, cannot_be_decoded, open};

/// The time of a processor that a picture may take.
pub(super) const CPU_SECONDS: u64 = 10;
/// The longest time of a picture on a machine that does much else.
const DEADLINE: Duration = Duration::from_secs(60);
/// The longest answer of the process.
const ANSWER_MAX: u64 = 2 << 20;
/// This program, even after another one took the place of its file.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// The argument that makes this program limit itself and begin again.
const COMMAND: &str = "picture-decoder";
/// The argument that makes this program decode.
const LIMITED: &str = "picture-decoder-limited";

/// The settings of the allocator by which only what is used counts: it takes memory from the system in large parts, which do
/// not fit the limit.
const COMMIT_ON_DEMAND: [(&str, &str); 2] = [
    ("MIMALLOC_ARENA_EAGER_COMMIT", "0"),
    ("MIMALLOC_PAGE_COMMIT_ON_DEMAND", "1"),
];

/// The head of a picture that was decoded; the thumbnail follows.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    width: u32,
    height: u32,
    thumbnail_kind: ThumbnailKind,
}

/// Decodes the picture in this file in a process of its own, which ends when the caller no longer waits.
pub(super) async fn decode(path: &Path, format: ImageFormat) -> Result<Decoded, PictureError> {
    let file = open(path)?;
    let no_decoder = |error: io::Error| PictureError::NoDecoder(error.to_string());
    let name = format.extensions_str().first().copied().unwrap_or_default();
    let mut child = Command::new(THIS_PROGRAM)
        .args([COMMAND, name])
        .env_clear()
        .stdin(Stdio::from(file))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(no_decoder)?;
    let (mut answer, mut complaint) = (Vec::new(), Vec::new());
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let reading = async {
        match output {
            Some(output) => output.take(ANSWER_MAX).read_to_end(&mut answer).await,
            None => Ok(0),
        }
    };
    let listening = async {
        match errors {
            Some(errors) => errors.take(ANSWER_MAX).read_to_end(&mut complaint).await,
            None => Ok(0),
        }
    };
    let working = async {
        tokio::try_join!(reading, listening)?;
        child.wait().await
    };
    let status = match timeout(DEADLINE, working).await {
        Ok(status) => status.map_err(no_decoder)?,
        Err(_elapsed) => return Err(PictureError::TooCostly),
    };
    match (status.code(), status.signal()) {
        (Some(0), _) => read(&answer).unwrap_or_else(|| Err(cannot_be_decoded())),
        // Out of memory is an abort, and out of time a kill.
        (None, Some(_)) => Err(PictureError::TooCostly),
        (Some(code), _) if code == i32::from(NOT_LIMITED) => {
            let complaint = String::from_utf8_lossy(&complaint);
            Err(PictureError::NoDecoder(complaint.trim().to_owned()))
        }
        (Some(_) | None, _) => Err(cannot_be_decoded()),
    }
}

/// The answer of the process; `None` when it is none.
fn read(answer: &[u8]) -> Option<Result<Decoded, PictureError>> {
    let end = memchr::memchr(b'\n', answer)?;
    let (head, thumbnail) = answer.split_at_checked(end)?;
    let head: Result<Head, PictureError> = serde_json::from_slice(head).ok()?;
    Some(head.map(|head| Decoded {
        width: head.width,
        height: head.height,
        thumbnail: thumbnail.iter().skip(1).copied().collect(),
        thumbnail_kind: head.thumbnail_kind,
    }))
}

/// The process could not limit itself, and decoded nothing.
const NOT_LIMITED: u8 = 70;

/// Decodes a picture if this process was started for that; `None` when it was not.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next()?;
    let format = arguments.next().unwrap_or_default();
    let result = match command.as_str() {
        COMMAND => begin_again(&format),
        LIMITED => answer(&format),
        _ => return None,
    };
    Some(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            writeln!(io::stderr(), "{error}").unwrap_or_default();
            ExitCode::from(NOT_LIMITED)
        }
    })
}

/// Limits this process and begins again; returns only when that fails.
fn begin_again(format: &str) -> io::Result<()> {
    // When memory runs out, this process goes before the service. Not every machine lets a process say so.
    std::fs::write("/proc/self/oom_score_adj", "1000").unwrap_or_default();
    for (resource, most) in [
        (Resource::Data, MEMORY_MAX),
        (Resource::Cpu, CPU_SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
    ] {
        let hard_limit = getrlimit(resource).maximum;
        let most = Some(hard_limit.map_or(most, |hard_limit| hard_limit.min(most)));
        let limit = Rlimit {
            current: most,
            maximum: most,
        };
        setrlimit(resource, limit).map_err(|error| {
            let why = format!("cannot limit its memory and time (setrlimit): {error}");
            io::Error::new(ErrorKind::PermissionDenied, why)
        })?;
    }
    set_parent_process_death_signal(Some(Signal::KILL))?;
    Err(std::process::Command::new(THIS_PROGRAM)
        .args([LIMITED, format])
        .envs(COMMIT_ON_DEMAND)
        .exec())
}

fn answer(format: &str) -> io::Result<()> {
    if getrlimit(Resource::Data)
        .current
        .is_none_or(|most| most > MEMORY_MAX)
    {
        return Err(io::Error::other("its memory is not limited"));
    }
    let format = ImageFormat::from_extension(format)
        .ok_or_else(|| io::Error::other(format!("{format:?} is no format of pictures")))?;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let decoded = decode::decode(file, format);
    let head = decoded.as_ref().map(|decoded| Head {
        width: decoded.width,
        height: decoded.height,
        thumbnail_kind: decoded.thumbnail_kind,
    });
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, &head)?;
    output.write_all(b"\n")?;
    if let Ok(decoded) = &decoded {
        output.write_all(&decoded.thumbnail)?;
    }
    output.flush()
}
