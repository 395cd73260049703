//! The places of files on disk: 256 directories by the first byte of the id, and one for what is being uploaded.
//!
//! Of one file there are `<id>` (its content), `<id>.thumbnail`, `<id>.about`, which makes it complete, and `<id>.kept`
//! once a message refers to it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use switchboard_actors::domain::id::MediaId;
use switchboard_engine::store::disk::private;

use super::about::{About, FORM};

/// The ending of the mark of a file that a message refers to.
pub(super) const KEPT: &str = ".kept";

/// The directory of all files.
#[derive(Debug)]
pub(super) struct MediaDirectory {
    root: PathBuf,
    parts: PathBuf,
}

impl MediaDirectory {
    /// The directory as it is.
    pub(super) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            parts: root.join("parts"),
        }
    }

    /// Opens the directory, and takes away what a crash left of uploads.
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        let parts = root.join("parts");
        private::directories().recursive(true).create(&parts)?;
        for part in fs::read_dir(&parts)? {
            fs::remove_file(part?.path())?;
        }
        if let Some(parent) = root.parent() {
            sync_names(parent)?;
        }
        sync_names(root)?;
        Ok(Self {
            root: root.to_owned(),
            parts,
        })
    }

    /// Returns the number of bytes that may still be written.
    pub(super) fn free_bytes(&self) -> io::Result<u64> {
        let space = rustix::fs::statvfs(&self.root)?;
        Ok(space.f_bavail.saturating_mul(space.f_frsize))
    }

    /// Returns the path of a file while it is uploaded.
    pub(super) fn part(&self, id: MediaId) -> PathBuf {
        self.parts.join(id.to_string())
    }

    /// Returns the directory of files with this first byte.
    pub(super) fn shard(&self, first: u8) -> PathBuf {
        self.root.join(format!("{first:02x}"))
    }

    fn named(&self, id: MediaId, ending: &str) -> PathBuf {
        let [first, ..] = id.bytes();
        self.shard(first).join(format!("{id}{ending}"))
    }

    pub(super) fn content(&self, id: MediaId) -> PathBuf {
        self.named(id, "")
    }

    pub(super) fn thumbnail(&self, id: MediaId) -> PathBuf {
        self.named(id, ".thumbnail")
    }

    pub(super) fn about_path(&self, id: MediaId) -> PathBuf {
        self.named(id, ".about")
    }

    fn kept_mark(&self, id: MediaId) -> PathBuf {
        self.named(id, KEPT)
    }

    /// Returns the description of a file; `None` when it is not there, or was not complete.
    pub(super) fn about(&self, id: MediaId) -> io::Result<Option<About>> {
        let bytes = match fs::read(self.about_path(id)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        match read(id, &bytes) {
            Ok(about) => Ok(Some(about)),
            Err(error) => Err(damaged(&self.about_path(id), &error.to_string())),
        }
    }

    /// Checks that no message refers to a file that is not here.
    ///
    /// # Errors
    /// When one does; the error names what is missing and what to do.
    pub(super) fn check_missing(&self, id: MediaId) -> io::Result<()> {
        if self.is_kept(id) {
            let path = self.about_path(id);
            return Err(damaged(&path, "it is missing, and a message refers to it"));
        }
        Ok(())
    }

    /// Moves an uploaded file to where it stays. All of it is on disk when this returns; before, none of it counts.
    pub(super) fn complete(&self, about: &About, thumbnail: Option<&[u8]>) -> io::Result<()> {
        self.complete_as(about.id, &stored(about)?, thumbnail)
    }

    /// As [`Self::complete`], with the bytes of the description.
    pub(super) fn complete_as(
        &self,
        id: MediaId,
        about: &[u8],
        thumbnail: Option<&[u8]>,
    ) -> io::Result<()> {
        let [first, ..] = id.bytes();
        let shard = self.shard(first);
        if !shard.is_dir() {
            private::directories().recursive(true).create(&shard)?;
            sync_names(&self.root)?;
        }
        let part = self.part(id);
        OpenOptions::new().write(true).open(&part)?.sync_all()?;
        fs::rename(&part, self.content(id))?;
        if let Some(thumbnail) = thumbnail {
            write(&self.thumbnail(id), thumbnail)?;
        }
        // The names of the content and the thumbnail are on disk before the name of the description, which completes
        // the file.
        sync_names(&shard)?;
        let unfinished = self.named(id, ".about.new");
        write(&unfinished, about)?;
        fs::rename(&unfinished, self.about_path(id))?;
        sync_names(&shard)
    }

    /// Marks a file as kept; false when it was before.
    pub(super) fn mark_kept(&self, id: MediaId) -> io::Result<bool> {
        let mark = self.kept_mark(id);
        let new = !mark.exists();
        if new {
            write(&mark, b"")?;
        }
        let [first, ..] = id.bytes();
        sync_names(&self.shard(first))?;
        Ok(new)
    }

    pub(super) fn is_kept(&self, id: MediaId) -> bool {
        self.kept_mark(id).exists()
    }

    /// Takes a file away that a message referred to: first what says so.
    pub(super) fn forget(&self, id: MediaId) -> io::Result<()> {
        match fs::remove_file(self.kept_mark(id)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.remove(id)
    }

    /// Makes the names of the files of this first byte durable.
    pub(super) fn sync_shard(&self, first: u8) -> io::Result<()> {
        sync_names(&self.shard(first))
    }

    /// Takes a file away: first what makes it count.
    pub(super) fn remove(&self, id: MediaId) -> io::Result<()> {
        let paths = [
            self.about_path(id),
            self.named(id, ".about.new"),
            self.thumbnail(id),
            self.content(id),
        ];
        for path in paths {
            match fs::remove_file(path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The error that names a damaged file, its damage and the remedy.
pub(super) fn damaged(path: &Path, reason: &str) -> io::Error {
    let text = format!(
        "{} is damaged: {reason}; restore it from a backup (`switchboard verify` lists what else is damaged)",
        path.display()
    );
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Returns the description of a file in its stored form: a checksum, and on the next line what it covers.
fn stored(about: &About) -> io::Result<Vec<u8>> {
    let body = serde_json::to_string(about)?;
    let crc = crc32fast::hash(body.as_bytes());
    Ok(format!("{crc:08x}\n{body}").into_bytes())
}

/// Reads what was stored of this file; [`io::ErrorKind::InvalidData`] when it is not what was written.
pub(super) fn read(id: MediaId, bytes: &[u8]) -> io::Result<About> {
    let damaged = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
    let text = std::str::from_utf8(bytes).map_err(|_other| damaged("it is not text"))?;
    let (crc, body) = text
        .split_once('\n')
        .ok_or_else(|| damaged("it is cut off"))?;
    if u32::from_str_radix(crc, 16).ok() != Some(crc32fast::hash(body.as_bytes())) {
        return Err(damaged("its checksum does not match"));
    }
    let about: About = serde_json::from_str(body)?;
    if about.form != FORM {
        return Err(damaged("another version wrote it"));
    }
    if about.id != id {
        return Err(damaged("it describes another file"));
    }
    Ok(about)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private::files()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a directory durable.
fn sync_names(directory: &Path) -> io::Result<()> {
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    File::open(directory)?.sync_all()
}
