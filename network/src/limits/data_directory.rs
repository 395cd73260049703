//! The space that the data directory takes, and the space around it.

use std::fs;
use std::path::Path;

/// The space of a data directory and of its file system, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataSpace {
    /// Free space of the file system, for users without privileges.
    pub free: u64,
    /// The size of the file system.
    pub size: u64,
    /// The files of the journal, as long as they are on disk.
    pub journal: u64,
    /// The files beside the journal that can be rebuilt from it.
    pub index: u64,
}

impl DataSpace {
    /// Reads the sizes of the files directly in `directory`, some hundreds at most. Returns `None` if it cannot be read.
    pub fn read(directory: &Path) -> Option<Self> {
        let system = rustix::fs::statvfs(directory).ok()?;
        let mut space = Self {
            free: system.f_bavail.saturating_mul(system.f_frsize),
            size: system.f_blocks.saturating_mul(system.f_frsize),
            ..Self::default()
        };
        for file in fs::read_dir(directory).ok()?.flatten() {
            let Ok(metadata) = file.metadata() else {
                // It was removed meanwhile, by a merge.
                continue;
            };
            if !metadata.is_file() {
                continue;
            }
            let name = file.file_name();
            let part = if name.to_string_lossy().starts_with("journal-") {
                &mut space.journal
            } else {
                &mut space.index
            };
            *part = part.saturating_add(metadata.len());
        }
        Some(space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_count_apart_from_what_is_rebuilt_from_them() {
        let directory = tempfile::tempdir().unwrap();
        for (name, length) in [
            ("journal-00000001", 10),
            ("journal-00000002", 5),
            ("tables", 7),
        ] {
            fs::write(directory.path().join(name), vec![0; length]).unwrap();
        }
        fs::create_dir(directory.path().join("media")).unwrap();
        let space = DataSpace::read(directory.path()).unwrap();
        assert_eq!((space.journal, space.index), (15, 7));
        assert!(space.free <= space.size && space.size > 0);
        assert_eq!(DataSpace::read(&directory.path().join("gone")), None);
    }
}
