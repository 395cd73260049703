//! The small files beside the journal and the index: who the installation is, and an erasure that was interrupted.

use std::io;
use std::sync::Arc;

use super::report::{Damage, FileReport, FileState, RESTORE};
use crate::store::disk::Disk;
use crate::store::erasure;
use crate::store::identity;
use crate::store::segment;

fn has(names: &[String], file: &str) -> bool {
    names.iter().any(|name| name == file)
}

/// The identity; nothing of a directory that has neither one nor a journal.
pub(super) fn identity(disk: &Arc<dyn Disk>, names: &[String]) -> io::Result<Vec<FileReport>> {
    let there = has(names, identity::FILE);
    let journal = names.iter().any(|name| segment::number(name).is_some());
    let bytes = if there {
        disk.open(identity::FILE)?.length()?
    } else {
        0
    };
    let mut reports = Vec::new();
    match identity::check(disk) {
        Ok(()) if there => reports.push(FileReport::sound(identity::FILE, bytes, "")),
        Err(error) if there || journal => {
            let reason = error.to_string();
            reports.push(FileReport::damaged(identity::FILE, bytes, reason));
        }
        Ok(()) | Err(_) => {}
    }
    Ok(reports)
}

/// Notes the segments that are of another installation.
pub(super) fn exchanged(disk: &dyn Disk, files: &mut [FileReport]) -> io::Result<()> {
    for number in identity::exchanged_segments(disk)? {
        let name = segment::name(number);
        let report = files.iter_mut().find(|file| file.file == name);
        if let Some(report) = report {
            let reason = "it is of another installation";
            let damage = Damage::whole(report.bytes, reason, RESTORE);
            report.add(FileState::Damaged, damage);
        }
    }
    Ok(())
}

/// The commit file of an erasure, which is damaged if it is there: one that can be read is completed before.
pub(super) fn commit(disk: &dyn Disk, names: &[String]) -> io::Result<Option<FileReport>> {
    if !has(names, erasure::COMMIT) {
        return Ok(None);
    }
    let bytes = disk.open(erasure::COMMIT)?.length()?;
    let reason = "an erasure was interrupted, and what it has to complete is unknown";
    Ok(Some(FileReport::damaged(erasure::COMMIT, bytes, reason)))
}
