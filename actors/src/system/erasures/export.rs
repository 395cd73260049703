//! The export of one customer, as lines of JSON.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::system::System;
use crate::system::erasures::CustomerErasureError;
use crate::system::erasures::preview::{records, unavailable};
use switchboard_engine::store::ReadJournal;
use switchboard_erasures::CustomerTarget;
use switchboard_erasures::judges::customer::records::CustomerSurvey;
use switchboard_runtime::error::UnavailableError;

/// The number of pieces that wait for the reader.
const PIECES: usize = 16;
/// The size from which on a piece is sent.
const PIECE_BYTES: usize = 64 << 10;

/// The pieces of an export, in order. It ends early when its reader leaves.
pub type CustomerExport = mpsc::Receiver<Result<Bytes, UnavailableError>>;

impl System {
    /// Exports a customer: a line for each record that an erasure would erase.
    pub fn export_customer(&self, customer: CustomerTarget) -> CustomerExport {
        let (sender, receiver) = mpsc::channel(PIECES);
        let journal = Arc::clone(&self.kernel().reader);
        drop(spawn_blocking(move || {
            let mut piece = Vec::new();
            let send = |piece: &mut Vec<u8>| {
                let piece = Bytes::from(std::mem::take(piece));
                sender.blocking_send(Ok(piece)).is_ok()
            };
            let outcome = write(journal.as_ref(), customer, &mut |line| {
                piece.extend_from_slice(line.to_string().as_bytes());
                piece.push(b'\n');
                piece.len() < PIECE_BYTES || send(&mut piece)
            });
            match outcome {
                Ok(()) => drop(send(&mut piece)),
                Err(failure) => drop(sender.blocking_send(Err(unavailable(failure)))),
            }
        }));
        receiver
    }
}

/// Writes all lines, as long as `write_line` takes them.
fn write(
    journal: &dyn ReadJournal,
    customer: CustomerTarget,
    write_line: &mut dyn FnMut(Value) -> bool,
) -> Result<(), CustomerErasureError> {
    let mut survey = CustomerSurvey::new(customer);
    for record in records(journal) {
        survey.look(&record?)?;
    }
    let customer_records = survey.into_records();
    if !write_line(customer_records.head()) {
        return Ok(());
    }
    for record in records(journal) {
        if let Some(line) = customer_records.line(&record?)?
            && !write_line(line)
        {
            break;
        }
    }
    Ok(())
}
