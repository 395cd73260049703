//! Everything in a data directory, checked: what the store has, the files, and the place in the archive.

use std::collections::BTreeSet;
use std::path::Path;

use switchboard_actors::System;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::verify::{VerifyProgress, VerifyReport};
use switchboard_media as media;
use switchboard_replication::store::IDENTITY;
use switchboard_replication::{archive, shared_log};

use super::output::CliError;
use crate::serve::erasing::attempts;

/// Checks a data directory whose lock the caller has.
pub(super) fn verify(
    directory: &Path,
    hear: &mut dyn FnMut(&VerifyProgress),
) -> Result<VerifyReport, CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::failed("cannot check", error);
    let mut media_files = BTreeSet::new();
    let mut report = System::verify_with_files(directory, &mut media_files, hear)
        .map_err(|error| failed(&error))?;
    // Another node, or the archive, has the files that this one did not need yet.
    if directory.join(shared_log::FILE).exists() {
        media_files.clear();
    }
    let files = media::verify(directory, &media_files).map_err(|error| failed(&error))?;
    report.files.extend(files);
    if directory.is_dir() {
        let disk = FileDisk::open(directory).map_err(|error| failed(&error))?;
        for position in [archive::report(&disk), shared_log::report(&disk)] {
            if let Some(position) = position.map_err(|error| failed(&error))? {
                report.files.retain(|file| file.file != position.file);
                report.files.push(position);
            }
        }
    }
    for (name, note) in attempts::FILES {
        let files = report.files.iter_mut();
        for file in files.filter(|file| file.file == name) {
            note.clone_into(&mut file.note);
        }
    }
    Ok(report)
}

/// Refuses a directory without data: what has no files has nothing that could be damaged, and a disk that is not mounted looks like
/// that.
pub(super) fn refuse_nothing(directory: &Path) -> Result<(), CliError> {
    let place = directory.display();
    let entries = std::fs::read_dir(directory)
        .map_err(|error| CliError::Failed(format!("cannot read {place}: {error}")))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let has_data = names
        .into_iter()
        .any(|name| name == IDENTITY || name.starts_with("journal-"));
    if has_data {
        return Ok(());
    }
    Err(CliError::Failed(format!(
        "there is no data in {place}: it has neither an identity nor a journal\n  help: is its disk mounted? Name the data directory \
         with --data-dir"
    )))
}
