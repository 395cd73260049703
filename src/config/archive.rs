//! `[archive]`: where a copy of the data is kept.

use std::collections::BTreeMap;
use std::time::Duration;

use super::archive_url::ArchiveUrl;
use super::kinds::{NONE, or_none, parsed, whole};
use super::reader::{Reader, Section};
use super::values::Secret;

/// `[archive]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// Where it is; none when there is no archive.
    pub to: Option<ArchiveUrl>,
    /// How long the service collects records for one object of it.
    pub every: Duration,
    /// What sets up the client of an object store.
    pub variables: StoreVariables,
}

/// The variables of the environment that set up the client of an object store, with their values.
pub type StoreVariables = Vec<(String, Secret)>;

/// The beginnings of the names of variables that set up the client of an object store.
const STORE_VARIABLES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

/// Whether the client of an object store may read this variable.
pub(super) fn is_store_variable(name: &str) -> bool {
    STORE_VARIABLES.iter().any(|it| name.starts_with(it))
}

/// The variables that set up the client of an object store.
#[must_use]
pub fn store_variables(env: &BTreeMap<String, String>) -> StoreVariables {
    env.iter()
        .filter(|(name, _)| is_store_variable(name))
        .map(|(name, value)| (name.clone(), Secret::new(value)))
        .collect()
}

pub(super) fn archive(
    reader: &mut Reader,
    root: &mut Section,
    env: &BTreeMap<String, String>,
) -> Archive {
    let mut section = reader.section(root, "archive");
    let to = reader.usually(&mut section, "to", NONE.into(), or_none(parsed));
    let every = reader.or(&mut section, "every_seconds", 1, whole(1..=3_600));
    reader.close(section);
    Archive {
        to: to.flatten(),
        every: Duration::from_secs(every),
        variables: store_variables(env),
    }
}
