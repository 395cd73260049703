//! Files that account users send to customers, and copies of those that customers send: kept beside the journal, and
//! served to all clients that know their address.
//!
//! A file is complete when its description ([`About`]) is in place: content and thumbnail are on disk before, under
//! names that are on disk as well. A file is marked as kept before the message that refers to it is stored, so that no
//! crash leaves a message without its file. Files that were never marked are removed after a while.

mod about;
mod declared;
mod directory;
mod erased;
mod kept;
mod name;
mod picture;
mod shared;
mod sniff;
mod sweep;
mod upload;
mod verify;

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use switchboard_actors::domain::id::MediaId;
use tokio::task::spawn_blocking;

pub(crate) use self::about::{About, PREFIX};
pub(crate) use self::declared::type_of;
use self::directory::MediaDirectory;
pub(crate) use self::erased::{is_erased, remove_erased};
pub(crate) use self::kept::{
    check_parts, is_kept_mark, kept_marks, mark_beside, mark_of, parts_of,
};
pub(crate) use self::name::clean;
use self::picture::Pictures;
pub(crate) use self::picture::{DecoderPlace, run_if_asked};
pub(crate) use self::shared::SharedFiles;
pub(crate) use self::sniff::UNKNOWN;
pub(crate) use self::upload::UploadError;
pub(crate) use self::verify::verify;
use crate::shares::{ShareLimits, Shares};

/// What account users may upload.
#[derive(Clone, Debug)]
pub(crate) struct MediaLimits {
    /// The largest file.
    pub(crate) file_bytes: u64,
    /// Uploads at once.
    pub(crate) uploads: ShareLimits,
    /// Files that are uploaded and not sent, counted since the start.
    pub(crate) unsent: ShareLimits,
    /// The age at which unsent files are removed.
    pub(crate) unsent_age: Duration,
    /// Where pictures are decoded.
    pub(crate) decoder: DecoderPlace,
    /// Nothing is taken that would leave less free space than this.
    pub(crate) low_water_bytes: u64,
}

/// The files. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub(crate) struct MediaStore(Arc<Inner>);

struct Inner {
    place: MediaDirectory,
    limits: MediaLimits,
    uploads: Arc<Mutex<Shares>>,
    pictures: Pictures,
    /// The counts of unsent files. A thread that marks or removes a file holds the lock meanwhile.
    unsent: Mutex<Shares>,
    /// Where other nodes have their files.
    shared: Option<Box<dyn SharedFiles>>,
    /// How many requests wait for a file of another node, or copy it; and whose turn it is.
    fetching: AtomicUsize,
    turn: Mutex<()>,
}

impl MediaStore {
    /// Opens the directory, which is made when it is not there. With `shared`, other nodes have the same files. Uploads that a crash cut short go.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn open(
        directory: &Path,
        limits: MediaLimits,
        shared: Option<Box<dyn SharedFiles>>,
    ) -> io::Result<Self> {
        Ok(Self(Arc::new(Inner {
            place: MediaDirectory::open(directory)?,
            uploads: Arc::new(Mutex::new(Shares::new(limits.uploads))),
            pictures: Pictures::new(limits.decoder),
            unsent: Mutex::new(Shares::new(limits.unsent)),
            shared,
            fetching: AtomicUsize::new(0),
            turn: Mutex::default(),
            limits,
        })))
    }

    /// The largest file, in bytes.
    pub(crate) fn file_bytes_max(&self) -> u64 {
        self.0.limits.file_bytes
    }

    /// The number of uploads in progress, and of pictures that are decoded or wait for that.
    pub(crate) fn in_use(&self) -> (usize, usize) {
        let uploads = self.0.uploads.lock();
        let uploads = uploads.unwrap_or_else(PoisonError::into_inner).in_use();
        (uploads, self.0.pictures.in_use())
    }

    /// What is known about a file; `None` when there is none of this id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn about(&self, id: MediaId) -> io::Result<Option<About>> {
        let inner = Arc::clone(&self.0);
        blocking(move || match inner.place.about(id)? {
            None if inner.fetch(id)? => inner.place.about(id),
            None => inner.place.check_missing(id).map(|()| None),
            about => Ok(about),
        })
        .await
    }

    /// Opens a file, or its thumbnail, once it is known that its content is what was written.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged; the error names the file and what to do.
    pub(crate) async fn open_file(
        &self,
        about: &About,
        thumbnail: bool,
    ) -> io::Result<(std::fs::File, std::path::PathBuf)> {
        let inner = Arc::clone(&self.0);
        let about = about.clone();
        blocking(move || {
            let (path, checked) = if thumbnail {
                let path = inner.place.thumbnail(about.id);
                (path, verify::thumbnail(&inner.place, &about))
            } else {
                let path = inner.place.content(about.id);
                (path, verify::content(&inner.place, &about))
            };
            checked?.map_err(|reason| directory::damaged(&path, &reason))?;
            Ok((std::fs::File::open(&path)?, path))
        })
        .await
    }

    /// Keeps a file for ever, because a message is going to refer to it; false when it is gone. On disk when it returns.
    ///
    /// # Errors
    /// When that cannot be stored.
    pub(crate) async fn keep(&self, about: &About) -> io::Result<bool> {
        let inner = Arc::clone(&self.0);
        let (id, uploader) = (about.id, about.uploader());
        blocking(move || {
            let mut unsent = inner.unsent.lock().unwrap_or_else(PoisonError::into_inner);
            if inner.place.about(id)?.is_none() {
                return Ok(false);
            }
            inner.share_mark(id)?;
            if inner.place.mark_kept(id)?
                && let Some(uploader) = uploader
            {
                unsent.give_back(uploader);
            }
            Ok(true)
        })
        .await
    }
}

/// Disks are waited for beside the threads that serve requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests;
