//! Checks of files against what was uploaded: their lengths and checksums, one by one or all of a data directory.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crc32fast::Hasher;
use switchboard_actors::domain::id::MediaId;
use switchboard_engine::store::verify::FileReport;

use super::about::About;
use super::directory::{self, MediaDirectory};
use super::kept::mark_of;

/// The number of bytes that are read at once.
const PIECE_BYTES: usize = 256 << 10;

/// Checks that the content is what was uploaded; the inner error is the reason why it is not.
pub(super) fn content(place: &MediaDirectory, about: &About) -> io::Result<Result<(), String>> {
    same(&place.content(about.id), Some(about.bytes), about.crc32)
}

/// Checks that the thumbnail is what was made; a file without one has nothing that could be wrong.
pub(super) fn thumbnail(place: &MediaDirectory, about: &About) -> io::Result<Result<(), String>> {
    match &about.picture {
        Some(picture) => same(&place.thumbnail(about.id), None, picture.thumbnail_crc32),
        None => Ok(Ok(())),
    }
}

fn same(path: &Path, length: Option<u64>, crc32: u32) -> io::Result<Result<(), String>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Err("it is missing".to_owned()));
        }
        Err(error) => return Err(error),
    };
    let file_length = file.metadata()?.len();
    if let Some(length) = length.filter(|length| *length != file_length) {
        return Ok(Err(format!(
            "it has {file_length} bytes, expected {length}"
        )));
    }
    let mut hasher = Hasher::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            count => hasher.update(piece.get(..count).unwrap_or_default()),
        }
    }
    let computed = hasher.finalize();
    Ok(if computed == crc32 {
        Ok(())
    } else {
        Err(format!(
            "its checksum is {computed:08x}, expected {crc32:08x}"
        ))
    })
}

/// Looks at all files of a data directory that no service uses: one entry for all that are right, and one for each that
/// is not, or is missing though a record names it. Changes nothing.
///
/// # Errors
/// When the operating system refuses.
pub fn verify(directory: &Path, named: &BTreeSet<MediaId>) -> io::Result<Vec<FileReport>> {
    let root = directory.join("media");
    let mut marks = BTreeSet::new();
    let mut damages = if root.is_dir() {
        verify_files(&root, &mut marks)?
    } else {
        Vec::new()
    };
    let missing = named.iter().filter(|id| !marks.contains(id));
    damages.extend(missing.map(|id| {
        let mark = format!("media/{}", mark_of(*id));
        FileReport::damaged(mark, 0, "it is missing, and a message refers to its file")
    }));
    Ok(damages)
}

/// Looks at all files below this directory. Adds those that are marked as kept.
fn verify_files(root: &Path, marked: &mut BTreeSet<MediaId>) -> io::Result<Vec<FileReport>> {
    let place = MediaDirectory::at(root);
    let (mut right, mut bytes) = (0_u64, 0_u64);
    let mut damages = Vec::new();
    for shard in 0..=u8::MAX {
        let names = names_in(&place.shard(shard))?;
        let ids: BTreeSet<MediaId> = names
            .iter()
            .filter_map(|name| name.split('.').next()?.parse().ok())
            .collect();
        for id in ids {
            let has = |ending: &str| names.contains(&format!("{id}{ending}"));
            let name = |ending: &str| format!("media/{shard:02x}/{id}{ending}");
            if has(".kept") {
                marked.insert(id);
            }
            if !has(".about") {
                damages.push(if has(".kept") {
                    FileReport::damaged(
                        name(".about"),
                        0,
                        "it is missing, and a message refers to it",
                    )
                } else {
                    FileReport::other(name(""), 0, "an upload that was never finished")
                });
                continue;
            }
            let read = fs::read(place.about_path(id))?;
            let about = match directory::read(id, &read) {
                Ok(about) => about,
                Err(error) => {
                    let length = u64::try_from(read.len()).unwrap_or(u64::MAX);
                    damages.push(FileReport::damaged(
                        name(".about"),
                        length,
                        error.to_string(),
                    ));
                    continue;
                }
            };
            let parts = [
                ("", content(&place, &about)?),
                (".thumbnail", thumbnail(&place, &about)?),
            ];
            let before = damages.len();
            for (ending, checked) in parts {
                if let Err(reason) = checked {
                    damages.push(FileReport::damaged(name(ending), about.bytes, reason));
                }
            }
            if damages.len() == before {
                right = right.saturating_add(1);
                bytes = bytes.saturating_add(about.bytes);
            }
        }
    }
    damages.insert(
        0,
        FileReport::sound("media", bytes, format!("{right} files")),
    );
    Ok(damages)
}

/// The names of the files in a directory; none when there is no directory.
pub(super) fn names_in(directory: &Path) -> io::Result<BTreeSet<String>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error),
    };
    let mut names = BTreeSet::new();
    for entry in entries {
        // Names that are not UTF-8 are not ours.
        names.extend(entry?.file_name().into_string().ok());
    }
    Ok(names)
}
