//! The names of the parts of files that messages refer to, for those who copy them.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::directory::{KEPT, read};

/// The parts of a file in the order in which they have to be copied: the mark that it is kept comes last.
const ENDINGS: [&str; 4] = ["", THUMBNAIL, ABOUT, KEPT];
/// The ending of thumbnails.
pub(super) const THUMBNAIL: &str = ".thumbnail";
/// The ending of descriptions.
pub(super) const ABOUT: &str = ".about";

/// Whether this name, relative to the directory of files, is the mark of a kept file.
pub(crate) fn is_kept_mark(name: &str) -> bool {
    name.ends_with(KEPT)
}

/// The marks of all kept files, relative to the directory of files.
///
/// # Errors
/// When the operating system refuses.
pub(crate) fn kept_marks(directory: &Path) -> io::Result<Vec<String>> {
    let mut marks = Vec::new();
    for shard in entries(directory)? {
        for name in entries(&directory.join(&shard))? {
            if is_kept_mark(&name) {
                marks.push(format!("{shard}/{name}"));
            }
        }
    }
    Ok(marks)
}

/// The names of the parts of the file with this mark, the mark last.
pub(crate) fn parts_of(mark: &str) -> [String; 4] {
    let stem = mark.strip_suffix(KEPT).unwrap_or(mark);
    ENDINGS.map(|ending| format!("{stem}{ending}"))
}

/// The name of the mark beside a description of this name; `None` when it is another part.
pub(crate) fn mark_beside(name: &str) -> Option<String> {
    let stem = name.strip_suffix(ABOUT)?;
    Some(format!("{stem}{KEPT}"))
}

/// Whether content is what its description says; both are bytes of the parts of one file.
///
/// # Errors
/// What is wrong.
pub(crate) fn check_content(about: &[u8], content: &[u8]) -> Result<(), String> {
    let about = read(about).map_err(|error| format!("has a damaged description: {error}"))?;
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if length == about.bytes && crc32fast::hash(content) == about.crc32 {
        Ok(())
    } else {
        Err("is not what was uploaded".to_owned())
    }
}

/// The names in a directory; none when it is not there or is no directory.
fn entries(directory: &Path) -> io::Result<Vec<String>> {
    let found = match fs::read_dir(directory) {
        Ok(found) => found,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in found {
        names.extend(entry?.file_name().into_string().ok());
    }
    Ok(names)
}
