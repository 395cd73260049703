#![doc = include_str!("../README.md")]

mod about;
mod declared;
mod directory;
mod erased;
pub mod fetch;
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
use switchboard_network::shares::{ShareLimits, Shares};
use tokio::task::spawn_blocking;

pub use self::about::{About, PREFIX, PictureAbout};
pub(crate) use self::declared::type_of;
use self::directory::MediaDirectory;
pub use self::erased::{is_erased, remove_erased};
pub use self::kept::{
    check_parts, id_of, is_kept_mark, kept_marks, mark_beside, mark_of, parts_of,
};
pub use self::name::clean;
pub use self::picture::PictureError;
use self::picture::Pictures;
pub use self::picture::{DecoderPlace, run_if_asked};
pub use self::shared::SharedFiles;
pub use self::sniff::UNKNOWN;
pub use self::upload::UploadError;
pub use self::verify::verify;

/// The limits on uploads of account users.
#[derive(Clone, Debug)]
pub struct MediaLimits {
    /// The largest file.
    pub file_bytes: u64,
    /// Uploads at once.
    pub uploads: ShareLimits,
    /// Files that are uploaded and not sent, counted since the start.
    pub unsent: ShareLimits,
    /// The age at which unsent files are removed.
    pub unsent_age: Duration,
    /// The place where pictures are decoded.
    pub decoder: DecoderPlace,
    /// Nothing is taken that would leave less free space than this.
    pub low_water_bytes: u64,
}

impl Default for MediaLimits {
    /// The limits of a service without a configuration; pictures are decoded in this process.
    fn default() -> Self {
        Self {
            file_bytes: 20 << 20,
            uploads: ShareLimits {
                all: 32,
                account: 8,
                user: 4,
            },
            unsent: ShareLimits {
                all: usize::MAX,
                account: 1_000,
                user: 200,
            },
            unsent_age: Duration::from_secs(24 * 3_600),
            decoder: DecoderPlace::default(),
            low_water_bytes: 256 << 20,
        }
    }
}

/// The files. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct MediaStore(Arc<Inner>);

struct Inner {
    place: MediaDirectory,
    limits: MediaLimits,
    uploads: Arc<Mutex<Shares>>,
    pictures: Pictures,
    /// The counts of unsent files. A thread that marks or removes a file holds the lock meanwhile.
    unsent: Mutex<Shares>,
    /// The files of other nodes.
    shared: Option<Box<dyn SharedFiles>>,
    /// The number of requests that wait for a file of another node, or copy it; and the turn among them.
    fetching: AtomicUsize,
    turn: Mutex<()>,
}

impl MediaStore {
    /// Opens the directory, which is made when it is not there. With `shared`, other nodes have the same files. Uploads that a crash cut short go.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn open(
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
    pub fn file_bytes_max(&self) -> u64 {
        self.0.limits.file_bytes
    }

    /// The number of uploads in progress, and of pictures that are decoded or wait for that.
    pub fn in_use(&self) -> (usize, usize) {
        let uploads = self
            .0
            .uploads
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .in_use();
        (uploads, self.0.pictures.in_use())
    }

    /// Returns the description of a file; `None` when there is none of this id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn about(&self, id: MediaId) -> io::Result<Option<About>> {
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
    pub async fn open_file(
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
    pub async fn keep(&self, about: &About) -> io::Result<bool> {
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
