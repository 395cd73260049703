//! The names of the parts of files that messages refer to, for those who copy them.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use switchboard_actors::domain::id::MediaId;

use super::directory::{KEPT, read};

/// The parts of a file in the order in which they have to be copied: the mark that it is kept comes last.
const ENDINGS: [&str; 4] = ["", THUMBNAIL, ABOUT, KEPT];
/// The ending of thumbnails.
pub(super) const THUMBNAIL: &str = ".thumbnail";
/// The ending of descriptions.
pub(super) const ABOUT: &str = ".about";

/// Returns whether this name, relative to the directory of files, is the mark of a kept file.
pub fn is_kept_mark(name: &str) -> bool {
    name.ends_with(KEPT)
}

/// The marks of all kept files, relative to the directory of files.
///
/// # Errors
/// When the operating system refuses.
pub fn kept_marks(directory: &Path) -> io::Result<Vec<String>> {
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

/// The file whose part has this name.
pub fn id_of(name: &str) -> Option<MediaId> {
    let (_, name) = name.rsplit_once('/').unwrap_or(("", name));
    name.split('.').next()?.parse().ok()
}

/// The mark of this file.
pub fn mark_of(id: MediaId) -> String {
    let [first, ..] = id.bytes();
    format!("{first:02x}/{id}{KEPT}")
}

/// The names of the parts of the file with this mark, the mark last.
pub fn parts_of(mark: &str) -> [String; 4] {
    let stem = mark.strip_suffix(KEPT).unwrap_or(mark);
    ENDINGS.map(|ending| format!("{stem}{ending}"))
}

/// The name of the mark beside a description of this name; `None` when it is another part.
pub fn mark_beside(name: &str) -> Option<String> {
    let stem = name.strip_suffix(ABOUT)?;
    Some(format!("{stem}{KEPT}"))
}

/// Checks the content against its description; both are bytes of the parts of this file.
///
/// # Errors
/// What is wrong.
pub(super) fn check_content(id: MediaId, about: &[u8], content: &[u8]) -> Result<(), String> {
    let about = read(id, about).map_err(|error| format!("has a damaged description: {error}"))?;
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if length == about.bytes && crc32fast::hash(content) == about.crc32 {
        Ok(())
    } else {
        Err("has a content that is not what was uploaded".to_owned())
    }
}

/// Checks that the parts of the file with this mark, in the order of [`parts_of`], are what was uploaded.
///
/// # Errors
/// What is wrong, as in «has no description».
pub fn check_parts(mark: &str, parts: &[Option<Vec<u8>>]) -> Result<(), String> {
    let id = id_of(mark).ok_or("has no id")?;
    let part = |at: usize| parts.get(at).and_then(Option::as_deref);
    let about = part(2).ok_or("has no description")?;
    let content = part(0).ok_or("has no content")?;
    check_content(id, about, content)?;
    let about = read(id, about).map_err(|error| error.to_string())?;
    match (about.picture, part(1)) {
        (None, _) => Ok(()),
        (Some(_), None) => Err("has no thumbnail".to_owned()),
        (Some(picture), Some(thumbnail)) => {
            let is_right = crc32fast::hash(thumbnail) == picture.thumbnail_crc32;
            let mismatch = || "has a thumbnail that is not the one that was made".to_owned();
            is_right.then_some(()).ok_or_else(mismatch)
        }
    }
}

/// The names in a directory; none when it is not there or is no directory.
fn entries(directory: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string().ok());
    }
    Ok(names)
}
