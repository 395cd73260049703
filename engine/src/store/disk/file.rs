//! A directory of the operating system.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::disk::{Disk, DiskFile, private};
use crate::store::width::wide;

/// The files of one directory. What it promises after a power cut is what `fsync` and `fdatasync` promise.
#[derive(Debug)]
pub struct FileDisk {
    path: PathBuf,
    // Kept open: its `fsync` makes names durable, and its file system is the one asked for free space.
    directory: File,
}

impl FileDisk {
    /// Opens the directory, making it for its owner alone when it is not there. A new directory's own name is durable
    /// when this returns; the directory above it must exist.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        match private::directories().create(&path) {
            Ok(()) => sync_parent(&path)?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        let directory = File::open(&path)?;
        if !directory.metadata()?.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Self { path, directory })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Disk for FileDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            // Names that are not UTF-8 are not ours: every name the store gives is ASCII.
            if let (true, Ok(name)) = (
                entry.file_type()?.is_file(),
                entry.file_name().into_string(),
            ) {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        let file = private::files()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.at(name))?;
        Ok(Arc::new(OpenFile(file)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.at(from), self.at(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.at(name))
    }

    fn sync_names(&self) -> io::Result<()> {
        self.directory.sync_all()
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let space = rustix::fs::fstatvfs(&self.directory)?;
        // What is kept back for the administrator is not for us.
        Ok(space.f_bavail.saturating_mul(space.f_frsize))
    }

    fn describe(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }
}

#[derive(Debug)]
struct OpenFile(File);

impl DiskFile for OpenFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut read_bytes = 0;
        while let Some(rest) = buffer.get_mut(read_bytes..).filter(|rest| !rest.is_empty()) {
            match self
                .0
                .read_at(rest, offset.saturating_add(wide(read_bytes)))
            {
                Ok(0) => break,
                Ok(count) => read_bytes += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(read_bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    File::open(parent)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_missing_directory_is_created_and_an_existing_one_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data");
        FileDisk::open(&path)
            .unwrap()
            .open("kept")
            .unwrap()
            .write_at(3, b"abc")
            .unwrap();

        let disk = FileDisk::open(&path).unwrap();
        let mut buffer = [9; 8];
        assert_eq!(disk.names().unwrap(), ["kept"]);
        assert_eq!(
            disk.open("kept").unwrap().read_at(1, &mut buffer).unwrap(),
            5
        );
        assert_eq!(&buffer[..5], b"\0\0abc");
        assert!(disk.describe("kept").ends_with("data/kept"));
    }

    /// New files and directories are for their owner alone, and those that are open to other users are found.
    #[test]
    fn files_are_private_to_their_owner_and_open_ones_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data");
        let disk = FileDisk::open(&path).unwrap();
        disk.open("file").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&path.join("file"))), (0o700, 0o600));
        assert!(!private::is_open_to_others(&path).unwrap());
        for open in [0o750, 0o701, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(open)).unwrap();
            assert!(private::is_open_to_others(&path).unwrap(), "{open:o}");
        }
    }

    #[test]
    fn a_file_in_the_place_of_the_directory_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data");
        std::fs::write(&path, "x").unwrap();
        assert_eq!(
            FileDisk::open(&path).unwrap_err().kind(),
            ErrorKind::NotADirectory
        );
    }

    #[test]
    fn directory_listings_are_sorted_and_contain_only_files() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a-directory")).unwrap();
        let disk = FileDisk::open(dir.path()).unwrap();
        for name in ["c", "a", "b"] {
            disk.open(name).unwrap();
        }
        disk.rename("c", "a").unwrap();
        disk.sync_names().unwrap();
        assert_eq!(disk.names().unwrap(), ["a", "b"]);
        disk.remove("a").unwrap();
        assert_eq!(disk.remove("a").unwrap_err().kind(), ErrorKind::NotFound);
        assert!(disk.free_bytes().unwrap() > 0);
    }
}
