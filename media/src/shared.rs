//! Files that the nodes of a shared log have in common: each node has its own copies, and finds those of the others in one place.

use std::io::{self, Write as _};
use std::sync::atomic::Ordering;

use switchboard_actors::domain::id::MediaId;
use switchboard_engine::store::disk::private;

use super::Inner;
use super::directory::KEPT;
use super::kept::{ABOUT, THUMBNAIL, check_content};

/// The store in which the nodes have each other's files, by the names that they have in the directory of files. Its
/// calls block.
pub trait SharedFiles: Send + Sync {
    /// Stores a part of a file. It is durable when this returns.
    ///
    /// # Errors
    /// When the place refuses.
    fn put(&self, part: &str, bytes: &[u8]) -> io::Result<()>;

    /// The bytes of a part; `None`: it is not there, or erased.
    ///
    /// # Errors
    /// When the place refuses.
    fn get(&self, part: &str) -> io::Result<Option<Vec<u8>>>;

    /// Removes a part; one that is not there is no error.
    ///
    /// # Errors
    /// When the place refuses.
    fn remove(&self, part: &str) -> io::Result<()>;
}

/// So many requests may wait for a file of another node.
const WAITING_MAX: usize = 32;

/// The name of a part in the directory of files.
fn part(id: MediaId, ending: &str) -> String {
    let [first, ..] = id.bytes();
    format!("{first:02x}/{id}{ending}")
}

impl Inner {
    /// The other nodes find a file that is complete here.
    pub(super) fn share(&self, id: MediaId) -> io::Result<()> {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        // An erasure finds by the description what an interrupted copy has left.
        for (ending, path) in [
            (ABOUT, self.place.about_path(id)),
            ("", self.place.content(id)),
            (THUMBNAIL, self.place.thumbnail(id)),
        ] {
            match std::fs::read(path) {
                Ok(bytes) => shared.put(&part(id, ending), &bytes)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The other nodes know that a message refers to a file.
    pub(super) fn share_mark(&self, id: MediaId) -> io::Result<()> {
        match &self.shared {
            Some(shared) => shared.put(&part(id, KEPT), b""),
            None => Ok(()),
        }
    }

    /// Returns whether a message refers to a file, by what another node has noted; it is noted here then.
    pub(super) fn is_kept_elsewhere(&self, id: MediaId) -> io::Result<bool> {
        let Some(shared) = &self.shared else {
            return Ok(false);
        };
        let is_kept = shared.get(&part(id, KEPT))?.is_some();
        if is_kept {
            self.place.mark_kept(id)?;
        }
        Ok(is_kept)
    }

    /// A file that was never sent goes.
    pub(super) fn unshare(&self, id: MediaId) -> io::Result<()> {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        [ABOUT, THUMBNAIL, ""]
            .iter()
            .try_for_each(|ending| shared.remove(&part(id, ending)))
    }

    /// Copies a file of another node to this one; whether there is one that is complete.
    pub(super) fn fetch(&self, id: MediaId) -> io::Result<bool> {
        let Some(shared) = &self.shared else {
            return Ok(false);
        };
        // One at a time: two that copy the same file would disturb each other.
        let waiting = self.fetching.fetch_add(1, Ordering::AcqRel);
        let turn = (waiting < WAITING_MAX).then(|| self.turn.lock());
        let is_here = match turn {
            Some(_turn) if self.place.about(id)?.is_some() => Ok(true),
            Some(_turn) => self.copy(shared.as_ref(), id),
            None => Err(io::Error::other(
                "too many files of other nodes are asked for",
            )),
        };
        self.fetching.fetch_sub(1, Ordering::AcqRel);
        is_here
    }

    fn copy(&self, shared: &dyn SharedFiles, id: MediaId) -> io::Result<bool> {
        let Some(about) = shared.get(&part(id, ABOUT))? else {
            return Ok(false);
        };
        let content = shared.get(&part(id, ""))?;
        let Some(content) = content.filter(|content| check_content(id, &about, content).is_ok())
        else {
            return Ok(false);
        };
        let thumbnail = shared.get(&part(id, THUMBNAIL))?;
        let is_kept = shared.get(&part(id, KEPT))?.is_some();
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        let minimum = self.limits.low_water_bytes.saturating_add(length);
        if self.limits.low_water_bytes > 0 && self.place.free_bytes()? < minimum {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let mut file = private::files()
            .create(true)
            .truncate(true)
            .write(true)
            .open(self.place.part(id))?;
        file.write_all(&content)?;
        self.place.complete_as(id, &about, thumbnail.as_deref())?;
        if is_kept {
            self.place.mark_kept(id)?;
        }
        Ok(true)
    }
}
