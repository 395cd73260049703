//! The limit of files and connections that the process may open.

use anyhow::{Result, ensure};
use rustix::process::{Resource, getrlimit};

use switchboard_network::limits::machine::raise_descriptors;

/// The files of the journal, its indexes and the runtime, with some to spare.
const OF_THE_PROCESS: u64 = 32;
/// The files of each worker.
const OF_A_WORKER: u64 = 8;

/// Raises the limit to the most that the system allows, and refuses one that the service cannot start with: threads that get no descriptor fail with errors that hide the
/// cause.
///
/// # Errors
/// When the process may open too few.
pub(super) fn prepare(workers: usize) -> Result<()> {
    if let Err(error) = raise_descriptors() {
        tracing::warn!(%error, "the limit of open files cannot be raised; there will be fewer connections");
    }
    enough(getrlimit(Resource::Nofile).current, workers)
}

/// `None` is no limit at all.
fn enough(limit: Option<u64>, workers: usize) -> Result<()> {
    let of_workers = u64::try_from(workers)?.saturating_mul(OF_A_WORKER);
    let descriptors = OF_THE_PROCESS.saturating_add(of_workers);
    let limit = limit.unwrap_or(u64::MAX);
    ensure!(
        limit >= descriptors,
        "the process may open {limit} files and connections at once, and needs {descriptors} with {workers} workers, before \
         any client comes: raise the limit (ulimit -n, LimitNOFILE= of systemd), or set server.workers lower"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_descriptors_are_refused_with_a_remedy() {
        assert!(enough(Some(48), 2).is_ok());
        assert!(enough(None, 64).is_ok());
        let error = enough(Some(47), 2).unwrap_err().to_string();
        assert!(
            error.contains("47 files") && error.contains("needs 48"),
            "{error}"
        );
        assert!(error.contains("ulimit -n"), "{error}");
    }
}
