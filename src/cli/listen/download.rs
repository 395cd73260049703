//! Downloads what a callback points at, within bounds, into a directory of this run's own.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::{Client, Response};

use super::super::output::CliError;
use super::super::web::{causes, client};

/// The largest file that is kept.
const FILE_BYTES_MAX: u64 = 50 << 20;
/// The time limit of one download.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The client, and the directory once there is something to put in it.
pub(super) struct FileSaver {
    client: Client,
    directory: Option<PathBuf>,
    count: u64,
}

/// A file that was kept.
pub(super) struct Saved {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

impl FileSaver {
    pub(super) fn new() -> Result<Self, CliError> {
        Ok(Self {
            client: client(TIMEOUT)?,
            directory: None,
            count: 0,
        })
    }

    /// Fetches the file; what is larger than 50 MiB is not kept.
    pub(super) async fn fetch(&mut self, url: &str, name: Option<&str>) -> Result<Saved, String> {
        let response = self
            .client
            .get(url)
            .send()
            .await
            .map_err(|error| causes(&error))?;
        if !response.status().is_success() {
            return Err(format!("answered {}", response.status().as_u16()));
        }
        let directory = self
            .directory()
            .map_err(|error| format!("no directory for it: {error}"))?;
        self.count += 1;
        let path = directory.join(format!("{}-{}", self.count, plain(name.unwrap_or("media"))));
        match write(response, &path).await {
            Ok(bytes) => Ok(Saved { path, bytes }),
            Err(why) => {
                // Half a file must not pass for one; that it is gone matters more than how.
                fs::remove_file(&path).unwrap_or_default();
                Err(why)
            }
        }
    }

    fn directory(&mut self) -> std::io::Result<PathBuf> {
        if let Some(directory) = &self.directory {
            return Ok(directory.clone());
        }
        let directory = tempfile::Builder::new()
            .prefix("switchboard-media-")
            .tempdir()?
            .keep();
        self.directory = Some(directory.clone());
        Ok(directory)
    }
}

async fn write(mut response: Response, path: &Path) -> Result<u64, String> {
    let mut file = File::create_new(path).map_err(|error| error.to_string())?;
    let mut bytes: u64 = 0;
    while let Some(chunk) = response.chunk().await.map_err(|error| causes(&error))? {
        bytes = bytes.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
        if bytes > FILE_BYTES_MAX {
            return Err("larger than 50 MiB".to_owned());
        }
        file.write_all(&chunk).map_err(|error| error.to_string())?;
    }
    Ok(bytes)
}

/// A name without anything that means something to a file system or a terminal.
fn plain(name: &str) -> String {
    let plain = |letter: char| match letter {
        letter if letter.is_alphanumeric() => letter,
        '.' | '-' | '_' => letter,
        _ => '_',
    };
    name.chars().take(80).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_the_directory() {
        assert_eq!(plain("../../etc/passwd"), ".._.._etc_passwd");
        assert_eq!(plain("a\u{1b}[2Jb"), "a__2Jb");
        assert_eq!(plain(&"x".repeat(300)).len(), 80);
    }
}
