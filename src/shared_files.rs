//! The files of all nodes: in the archive, under the names that they have there.

use std::io;
use std::path::Path;
use std::time::Duration;

use switchboard_actors::system::erasures::ErasureNote;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::list;
use switchboard_replication::store::location::RequestTimes;
use switchboard_replication::store::{Store, StoreError};

use crate::archive;
use crate::config::Settings;
use crate::media_layout::FOLDER;
use switchboard_media::{SharedFiles, is_erased, mark_beside};

/// The time limits of requests: an upload, or a request for a file, waits for them.
const TIMES: RequestTimes = RequestTimes {
    connect: Duration::from_secs(3),
    request: Duration::from_secs(30),
    retried_for: Duration::from_secs(3),
};

/// The files of the nodes of a shared log.
struct ArchivedFiles {
    store: Box<dyn Store>,
    /// The erasures of this node that may be missing in the archive.
    erased: Vec<ErasureNote>,
}

/// The files of the other nodes; `None`: this machine is alone, or there is no archive.
///
/// # Errors
/// When the archive cannot be used, or the data directory.
pub(crate) fn files(settings: &Settings) -> io::Result<Option<Box<dyn SharedFiles>>> {
    let (Some(_), Some(to)) = (&settings.shared_log.node, &settings.archive.to) else {
        return Ok(None);
    };
    let variables = &settings.archive.variables;
    let store = archive::open_for(to, variables, TIMES).map_err(io::Error::other)?;
    let erasures = notes(&settings.store.path)?;
    Ok(Some(Box::new(ArchivedFiles {
        store,
        erased: erasures,
    })))
}

fn notes(directory: &Path) -> io::Result<Vec<ErasureNote>> {
    let lists = list::all(&FileDisk::open(directory)?)?;
    let note = |list: list::ErasedRecords| Ok(serde_json::from_str(&list.note)?);
    lists.into_iter().map(note).collect()
}

fn key(part: &str) -> String {
    format!("{FOLDER}/{part}")
}

fn failed(error: StoreError) -> io::Error {
    io::Error::other(error)
}

impl ArchivedFiles {
    fn is_erased(&self, part: &str, about: &[u8]) -> bool {
        let mark = mark_beside(part).unwrap_or_default();
        let about = || Ok::<_, io::Error>(Some(about.to_vec()));
        let is_erased = |note| is_erased(&mark, note, about).unwrap_or(true);
        self.erased.iter().any(is_erased)
    }
}

impl SharedFiles for ArchivedFiles {
    fn put(&self, part: &str, bytes: &[u8]) -> io::Result<()> {
        self.store.replace(&key(part), bytes).map_err(failed)
    }

    fn get(&self, part: &str) -> io::Result<Option<Vec<u8>>> {
        let bytes = self.store.get(&key(part)).map_err(failed)?;
        // A file begins with its description: without that, nothing of it is asked for.
        let is_about = mark_beside(part).is_some();
        Ok(bytes.filter(|bytes| !is_about || !self.is_erased(part, bytes)))
    }

    fn remove(&self, part: &str) -> io::Result<()> {
        self.store.remove(&key(part)).map_err(failed)
    }
}
