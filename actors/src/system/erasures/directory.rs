//! Erasures in a data directory that no process uses.

use std::path::Path;
use std::sync::Arc;

use crate::system::System;
use crate::system::erasures::begun::PreparedErasures;
use crate::system::erasures::carry_out::{CarriedOut, Closed, ErasureSelection, carry_out};
use crate::system::verify;
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_engine::store::erasure::list;
use switchboard_engine::store::tables::TablesHome;
use switchboard_erasures::judges::certified::ErasureNote;
use switchboard_runtime::error::StartError;

impl System {
    /// Carries out the erasures that are [prepared](System::prepare_erasures) and leaves the others for later. Without such,
    /// carries out the erasures together that wait in a directory, but for these, which failed before; or the oldest one
    /// alone. The caller ensures that no other process uses the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn carry_out_erasures(
        directory: &Path,
        failed: &[u64],
        prepared: Option<PreparedErasures>,
        alone: bool,
    ) -> Result<Vec<CarriedOut>, StartError> {
        let choice = ErasureSelection {
            except: failed,
            only_begun: false,
            apart: alone,
        };
        carry_out_in(directory, choice, prepared)
    }

    /// Carries out the erasures in the directory of a standby that the owner of the shared log has carried out, or was about
    /// to: up to the same record each. The caller ensures that no other process uses the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn carry_out_begun_erasures(directory: &Path) -> Result<Vec<CarriedOut>, StartError> {
        let choice = ErasureSelection {
            except: &[],
            only_begun: true,
            apart: false,
        };
        carry_out_in(directory, choice, None)
    }

    /// The erasures to which files belong that are not removed yet. Completes an erasure that was interrupted after it
    /// counted. The caller ensures that no other process uses the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn unfinished_erasures(directory: &Path) -> Result<Vec<(u32, ErasureNote)>, StartError> {
        let (disk, _) = verify::open(directory)?;
        let start_error = |error| StartError::directory(directory, &error);
        let lists = list::unfinished(disk.as_ref()).map_err(start_error)?;
        let notes = lists.into_iter().map(|list| {
            let note = serde_json::from_str(&list.note)
                .map_err(|error| StartError::Store(error.to_string()))?;
            Ok((list.number, note))
        });
        notes.collect()
    }

    /// The files of this erasure are removed.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn finish_erasure(directory: &Path, number: u32) -> Result<(), StartError> {
        let (disk, _) = verify::open(directory)?;
        list::finish(disk.as_ref(), number)
            .map_err(|error| StartError::directory(directory, &error))
    }
}

fn carry_out_in(
    directory: &Path,
    choice: ErasureSelection<'_>,
    prepared: Option<PreparedErasures>,
) -> Result<Vec<CarriedOut>, StartError> {
    let (disk, tables) = verify::open(directory)?;
    let tables: Arc<dyn TablesHome> = Arc::new(tables);
    let closed_store = Closed {
        disk: &disk,
        tables: &tables,
    };
    carry_out(&closed_store, choice, prepared, || SystemClock.now())
        .map_err(|failure| StartError::Store(failure.to_string()))
}
