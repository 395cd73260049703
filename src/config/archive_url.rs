//! The address of an archive.

use std::fmt;
use std::str::FromStr;

use url::Url;

/// The forms of the address, with an example each.
const EXAMPLES: &str = "\"file:///mnt/backup/switchboard\", \"s3://bucket/path\", \"gs://bucket/path\" or \"az://container/path\"";

/// The address of an archive: a directory, or a path of an object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveUrl(Url);

/// The error for a text that is not the address of an archive.
#[derive(Debug, thiserror::Error)]
#[error("write a URL without a password, as in {EXAMPLES}")]
pub struct ArchiveUrlError;

impl FromStr for ArchiveUrl {
    type Err = ArchiveUrlError;

    fn from_str(text: &str) -> Result<Self, ArchiveUrlError> {
        // With and without a slash at the end it is the same archive.
        let text = text.trim_end_matches('/');
        let url: Url = text.parse().map_err(|_not_a_url| ArchiveUrlError)?;
        let no_secret = url.username().is_empty() && url.password().is_none();
        let plain = no_secret && url.query().is_none() && url.fragment().is_none();
        let has_place = match url.scheme() {
            "file" => url.to_file_path().is_ok_and(|path| path.parent().is_some()),
            "s3" | "gs" | "az" => url.host_str().is_some_and(|host| !host.is_empty()),
            _ => false,
        };
        (plain && has_place)
            .then_some(Self(url))
            .ok_or(ArchiveUrlError)
    }
}

impl fmt::Display for ArchiveUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl ArchiveUrl {
    /// The URL.
    #[must_use]
    pub fn as_url(&self) -> &Url {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_archives_are_taken() {
        let right = [
            "file:///a/b",
            "s3://bucket",
            "s3://bucket/a",
            "gs://b/a",
            "az://c/a",
        ];
        for right in right {
            assert_eq!(right.parse::<ArchiveUrl>().unwrap().to_string(), right);
        }
        let wrong = [
            "",
            "/a/b",
            "file:///",
            "http://x/y",
            "s3://",
            "s3:///a",
            "s3://key:secret@bucket/a",
            "s3://b/a?x=1",
            "file://host/a",
        ];
        for wrong in wrong {
            assert!(wrong.parse::<ArchiveUrl>().is_err(), "{wrong}");
        }
    }
}
