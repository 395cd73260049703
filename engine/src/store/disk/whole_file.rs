//! Files that are complete or not there, such as those by which programs learn that a process is ready.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The mode of a file with a token.
pub const PRIVATE: u32 = 0o600;
/// The mode of a file without secrets.
pub const READABLE: u32 = 0o644;

/// Writes a file that is complete or not there: beside its place, with its mode before its content, and then moved. Other
/// users may be able to make files in the directory, so the file beside is made anew, and no link is followed.
///
/// # Errors
/// When the directory cannot be written, or something stands beside that cannot be removed.
pub fn write(path: &Path, content: impl AsRef<[u8]>, mode: u32) -> io::Result<()> {
    let unfinished = unfinished(path);
    let result = begin(&unfinished, mode)
        .and_then(|mut file| file.write_all(content.as_ref()))
        .map_err(|error| {
            let path_text = unfinished.display();
            io::Error::new(error.kind(), format!("cannot make {path_text}: {error}"))
        });
    result.and_then(|()| fs::rename(&unfinished, path))
}

/// Removes a file that may be there.
///
/// # Errors
/// When something stands there that cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A new file, in the place of what an interrupted process or another user has left there.
fn begin(path: &Path, mode: u32) -> io::Result<File> {
    remove(path)?;
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create_new(true)
        .mode(PRIVATE)
        .open(path)?;
    file.set_permissions(Permissions::from_mode(mode))?;
    Ok(file)
}

fn unfinished(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    beside.into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_at_and_beside_the_place_are_replaced_and_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        fs::write(at("precious"), "precious").unwrap();
        fs::set_permissions(at("precious"), Permissions::from_mode(0o640)).unwrap();
        for name in ["r.json", "r.json.part", "r.part"] {
            symlink(at("precious"), at(name)).unwrap();
        }
        write(&at("r.json"), "ready", PRIVATE).unwrap();
        assert_eq!(fs::read_to_string(at("precious")).unwrap(), "precious");
        let about = fs::symlink_metadata(at("r.json")).unwrap();
        assert!(about.is_file());
        assert_eq!(about.permissions().mode() & 0o777, PRIVATE);
        assert_eq!(fs::read_to_string(at("r.json")).unwrap(), "ready");
        let mode = fs::metadata(at("precious")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        write(&at("r.json"), "again", READABLE).unwrap();
        let mode = fs::metadata(at("r.json")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, READABLE);
        assert!(!at("r.json.part").exists());
    }

    #[test]
    fn what_stands_in_the_way_is_named() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("r.json");
        fs::create_dir(home.path().join("r.json.part")).unwrap();
        let message = write(&path, "ready", PRIVATE).unwrap_err().to_string();
        assert!(message.contains("r.json.part"), "{message}");
        assert!(!path.exists());
    }
}
