//! The source of the console's files: the program itself, or a directory during development.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::asset::Asset;

/// A file of the console: its name, what it is, and its content in this program.
type File = (&'static str, &'static str, &'static [u8]);

/// The files of these names, as `npm run build` in `ui` makes them.
macro_rules! files {
    ($($name:literal is $media_type:expr,)+) => {
        &[$(($name, $media_type, include_bytes!(concat!("../../../ui/dist/", $name)))),+]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PNG: &str = "image/png";

/// The files of the console: no other file is served, from a directory either.
const FILES: &[File] = files![
    "index.html" is HTML,
    "icon.svg" is "image/svg+xml",
    "icon-unread.svg" is "image/svg+xml",
    "icon-192.png" is PNG,
    "icon-512.png" is PNG,
    "icon-maskable.png" is PNG,
    "manifest.webmanifest" is "application/manifest+json",
    "worker.js" is SCRIPT,
    "start.js" is SCRIPT,
    "app.js" is SCRIPT,
    "app.css" is STYLE,
    "words-ru.js" is SCRIPT,
    "words-es.js" is SCRIPT,
    "parts.js" is SCRIPT,
    "parts.css" is STYLE,
    "work.js" is SCRIPT,
    "work.css" is STYLE,
    "setup.js" is SCRIPT,
    "setup.css" is STYLE,
    "people.js" is SCRIPT,
    "people.css" is STYLE,
    "webhooks.js" is SCRIPT,
    "oauth.js" is SCRIPT,
    "oauth.css" is STYLE,
    "operator.js" is SCRIPT,
    "operator.css" is STYLE,
    "integrations.js" is SCRIPT,
    "integrations.css" is STYLE,
    "reference.js" is SCRIPT,
    "reference.css" is STYLE,
];

/// The files of the console.
#[derive(Clone, Debug)]
pub struct Console(Source);

#[derive(Clone, Debug)]
enum Source {
    /// The files built into the program, in the order of [`FILES`].
    Embedded(Arc<[Asset]>),
    /// Read anew for every request.
    Directory(PathBuf),
}

/// A directory that lacks a file of the console.
#[derive(Debug, thiserror::Error)]
#[error(
    "--ui-dir {path}: there is no readable {name} in it; build the console with «npm run build» in ui/, and name ui/dist"
)]
pub struct ConsoleError {
    path: String,
    name: &'static str,
}

impl Console {
    /// The console in a directory, if one is named, else the one that this program was built with.
    ///
    /// # Errors
    /// When a file of the console is not in that directory.
    pub fn new(directory: Option<&Path>) -> Result<Self, ConsoleError> {
        match directory {
            None => Ok(Self::embedded()),
            Some(path) => Self::in_directory(path),
        }
    }

    fn embedded() -> Self {
        // They are compressed once for all services of the process.
        static ASSETS: OnceLock<Arc<[Asset]>> = OnceLock::new();
        let assets = ASSETS.get_or_init(|| {
            let assets = FILES.iter().map(|&(_, media_type, content)| {
                let bytes = Bytes::from_static(content);
                Asset::new(media_type, bytes)
            });
            assets.collect()
        });
        Self(Source::Embedded(Arc::clone(assets)))
    }

    /// The console as it is there at each request.
    fn in_directory(path: &Path) -> Result<Self, ConsoleError> {
        for &(name, ..) in FILES {
            if !path.join(name).is_file() {
                let path = path.display().to_string();
                return Err(ConsoleError { path, name });
            }
        }
        Ok(Self(Source::Directory(path.to_owned())))
    }

    /// The file of this name.
    pub(super) async fn find(&self, name: &str) -> Option<Asset> {
        let place = FILES.iter().position(|(known, ..)| *known == name)?;
        let &(name, media_type, _) = FILES.get(place)?;
        match &self.0 {
            Source::Embedded(assets) => assets.get(place).cloned(),
            Source::Directory(directory) => {
                let path = directory.join(name);
                let read = actix_web::web::block(move || std::fs::read(path)).await;
                let bytes = read.ok()?.ok()?;
                Some(Asset::new(media_type, bytes.into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_file_is_served() {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/dist");
        let entries = std::fs::read_dir(dist).unwrap();
        let mut files: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut names: Vec<_> = FILES.iter().map(|(name, ..)| (*name).to_owned()).collect();
        names.sort();
        assert_eq!(names, files);
    }
}
