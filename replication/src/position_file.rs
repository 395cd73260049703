//! Small files of a data directory that say up to which entry its journal has a log. Such a file may be older than the log,
//! missing or damaged: what it says stands in the log as well, and a start compares the journal with that.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use switchboard_engine::store::disk::{Disk, publish};
use switchboard_engine::store::owned_file;
use switchboard_engine::store::verify::{Damage, FileReport, FileState};

/// A file of this kind.
pub(crate) struct PositionFile {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its name while it is written.
    pub(crate) unfinished: &'static str,
    /// The beginning of its first line.
    pub(crate) heading: &'static str,
    /// The remedy for damage of it.
    pub(crate) advice: &'static str,
}

impl PositionFile {
    /// Reads the file; `None` when there is none. One that is damaged counts as none.
    pub(crate) fn read<T: DeserializeOwned>(&self, disk: &dyn Disk) -> io::Result<Option<T>> {
        match self.check(disk) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let file = disk.describe(self.name);
                tracing::warn!(file, "the file is damaged and is not used; {}", self.advice);
                Ok(None)
            }
            checked => checked,
        }
    }

    /// Reads the file; [`io::ErrorKind::InvalidData`] when it is damaged.
    fn check<T: DeserializeOwned>(&self, disk: &dyn Disk) -> io::Result<Option<T>> {
        if !self.is_on(disk)? {
            return Ok(None);
        }
        owned_file::read(disk, self.name, self.heading).map(Some)
    }

    fn is_on(&self, disk: &dyn Disk) -> io::Result<bool> {
        Ok(disk.names()?.iter().any(|name| name == self.name))
    }

    /// Writes the file. It is durable when this returns.
    pub(crate) fn write(&self, disk: &dyn Disk, content: &impl Serialize) -> io::Result<()> {
        let file = owned_file::write(disk, self.unfinished, self.heading, content)?;
        publish(disk, &*file, self.unfinished, self.name)
    }

    /// Writes the file. A power cut may undo that, or damage the file.
    pub(crate) fn write_unsynced(
        &self,
        disk: &dyn Disk,
        content: &impl Serialize,
    ) -> io::Result<()> {
        owned_file::write(disk, self.unfinished, self.heading, content)?;
        disk.rename(self.unfinished, self.name)
    }

    /// Removes the file, if it is there.
    pub(crate) fn remove(&self, disk: &dyn Disk) -> io::Result<()> {
        if self.is_on(disk)? {
            disk.remove(self.name)?;
            disk.sync_names()?;
        }
        Ok(())
    }

    /// Reports what is true of the file; `None` when there is none.
    pub(crate) fn report<T: DeserializeOwned>(
        &self,
        disk: &dyn Disk,
        note: impl FnOnce(T) -> String,
    ) -> io::Result<Option<FileReport>> {
        if !self.is_on(disk)? {
            return Ok(None);
        }
        let bytes = disk.open(self.name)?.length()?;
        let mut report = FileReport::sound(self.name, bytes, "");
        match self.check(disk) {
            Ok(content) => report.note = content.map(note).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let damage = Damage::whole(bytes, error.to_string(), self.advice);
                report.add(FileState::Rebuildable, damage);
            }
            Err(error) => return Err(error),
        }
        Ok(Some(report))
    }
}
