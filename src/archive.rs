//! The archive that the configuration or the command line names.

use switchboard_replication::store::Store;
use switchboard_replication::store::location::{self, LocationError, RequestTimes, Variable};

use crate::config::archive::StoreVariables;
use crate::config::archive_url::ArchiveUrl;

/// Opens the store at this address. Asks nothing of it yet.
///
/// # Errors
/// When the variables do not suffice.
pub(crate) fn open(
    to: &ArchiveUrl,
    variables: &StoreVariables,
) -> Result<Box<dyn Store>, LocationError> {
    location::open(to.as_url(), &exposed(variables))
}

/// As [`open`], with other times.
///
/// # Errors
/// As of [`open`].
pub(crate) fn open_for(
    to: &ArchiveUrl,
    variables: &StoreVariables,
    times: RequestTimes,
) -> Result<Box<dyn Store>, LocationError> {
    location::open_for(to.as_url(), &exposed(variables), times)
}

/// The variables as the client of a store reads them.
fn exposed(variables: &StoreVariables) -> Vec<Variable<'_>> {
    let exposed = variables.iter();
    exposed
        .map(|(name, value)| (name.as_str(), value.expose()))
        .collect()
}
