//! Prints the records of a journal, one line each: number, kind and id of the state, event. It reads the data of a stopped
//! service, or a copy of the files; nothing is written.
//!
//! ```sh
//! cargo run -p switchboard-engine --example journal -- data | grep lead
//! ```
//!
//! The output has what the data has: the secrets of a product and the texts of its customers.

use std::error::Error;
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use switchboard_engine::store::disk::Disk as _;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::{Position, ReadJournal as _};

/// The place behind the last byte of the newest segment.
fn end(disk: &FileDisk) -> Result<Position, Box<dyn Error>> {
    let newest = disk
        .names()?
        .into_iter()
        .filter_map(|name| name.strip_prefix("journal-")?.parse().ok())
        .max();
    let segment: u32 = newest.ok_or("there is no journal in this directory")?;
    let length = disk.open(&format!("journal-{segment:08}"))?.length()?;
    Ok(Position {
        segment,
        offset: u32::try_from(length)?,
    })
}

/// An id as text, or in hexadecimal digits where it is none.
fn id_text(id: &[u8]) -> String {
    match std::str::from_utf8(id) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        Ok(_) | Err(_) => hex::encode(id),
    }
}

/// Prints all records. A write that never finished ends the output with an error that names its place.
fn print(directory: &Path, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    if !directory.is_dir() {
        return Err(format!("there is no directory {}", directory.display()).into());
    }
    // It takes the lock of the directory: a service that runs is not disturbed.
    let disk = FileDisk::open(directory)?;
    let end = end(&disk)?;
    let reader = JournalReader::new(Arc::new(disk), Frontier::at(end));
    for record in reader.scan(None) {
        let (_, record) = record?;
        let event = String::from_utf8_lossy(&record.event);
        let (kind, id) = (record.stream.code(), id_text(record.stream.id()));
        writeln!(output, "{} {kind} {id} {event}", record.seq.0)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os()
        .nth(1)
        .map(PathBuf::from)
        .ok_or("usage: journal DIRECTORY")?;
    let mut output = BufWriter::new(stdout().lock());
    print(&directory, &mut output)?;
    output.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_form_1_is_printed_in_order() {
        let form = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/form-1/data");
        // A copy: what is under version control gets no lock file.
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(form).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
            }
        }
        let mut output = Vec::new();
        print(copy.path(), &mut output).unwrap();
        let lines = String::from_utf8(output).unwrap();
        let numbers: Vec<u64> = lines
            .lines()
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect();
        assert!(numbers.len() > 10, "{lines}");
        assert!(numbers.is_sorted());
    }
}
