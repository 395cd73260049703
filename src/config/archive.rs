//! `[archive]`: where a copy of the data is kept.

use std::collections::BTreeMap;
use std::time::Duration;

use super::archive_url::ArchiveUrl;
use super::declaration::settings;
use super::kinds::{or_none, parsed, whole};
use super::problem::{ConfigError, ConfigErrors};
use super::reader::Reader;
use super::section::Section;
use super::values::Secret;
use super::variable;

settings! {
    pub(super) struct ArchiveKeys in "archive" {
        /// Copy of everything that the service stores, for `switchboard restore`: a directory on another disk, or an object store, as
        /// in "file:///mnt/backup/switchboard", "s3://bucket/path", "gs://bucket/path" or "az://container/path". The usual variables
        /// of the environment set up the client of an object store (AWS_ACCESS_KEY_ID, AWS_REGION, AWS_ENDPOINT, ...). The copy has
        /// all secrets of the data directory. "none": there is no copy. One service at a time may use an archive.
        to: Option<ArchiveUrl>, or_none(parsed);
        /// Time for which the service collects records for one object. After the loss of the machine, the copy lacks what is younger.
        every ("every_seconds"): Duration = 1, whole(1..=3_600) => Duration::from_secs;
    }
}

/// `[archive]`, with what sets up its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// The address; `None` when there is no archive.
    pub to: Option<ArchiveUrl>,
    /// The time for which the service collects records for one object.
    pub every: Duration,
    /// The variables that set up the client of an object store.
    pub variables: StoreVariables,
}

/// The variables of the environment that set up the client of an object store, with their values.
pub type StoreVariables = Vec<(String, Secret)>;

/// The beginnings of the names of variables that set up the client of an object store.
const STORE_VARIABLES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

/// Returns whether the client of an object store may read this variable.
pub(super) fn is_store_variable(name: &str) -> bool {
    STORE_VARIABLES.iter().any(|it| name.starts_with(it))
}

/// The variables with a secret. Each may name a file with the value instead, under its name with `_FILE` behind it. The
/// others may not: `AWS_WEB_IDENTITY_TOKEN_FILE` is a variable of the clients themselves.
const SECRET_VARIABLES: [&str; 9] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_CLIENT_SECRET",
    "AZURE_STORAGE_ACCESS_KEY",
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_SAS_KEY",
    "AZURE_STORAGE_TOKEN",
    "GOOGLE_SERVICE_ACCOUNT_KEY",
];

/// Returns the variables that set up the client of an object store.
///
/// # Errors
/// Every file that a variable names and that cannot be read.
pub fn store_variables(env: &BTreeMap<String, String>) -> Result<StoreVariables, ConfigErrors> {
    let mut problems = Vec::new();
    let variables = read_store_variables(env, &mut problems);
    if problems.is_empty() {
        Ok(variables)
    } else {
        Err(ConfigErrors::new(problems))
    }
}

fn read_store_variables(
    env: &BTreeMap<String, String>,
    problems: &mut Vec<ConfigError>,
) -> StoreVariables {
    let mut variables = Vec::new();
    for (name, value) in env.iter().filter(|(name, _)| is_store_variable(name)) {
        let of_file = name.strip_suffix("_FILE");
        match of_file.filter(|secret| SECRET_VARIABLES.contains(secret)) {
            None => variables.push((name.clone(), Secret::new(value))),
            Some(secret) => match variable::read(value) {
                Ok(text) => variables.push((secret.to_owned(), Secret::new(&text))),
                Err(error) => problems.push(variable::unreadable(name, value, &error)),
            },
        }
    }
    variables
}

/// Reads the section.
pub(super) fn archive(
    reader: &mut Reader,
    root: &mut Section,
    env: &BTreeMap<String, String>,
) -> Archive {
    let ArchiveKeys { to, every } = reader.declared(root);
    Archive {
        to,
        every,
        variables: read_store_variables(env, &mut reader.problems),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(name: &str, value: &str) -> BTreeMap<String, String> {
        BTreeMap::from([(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn a_secret_of_a_store_may_be_in_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "s3cret\n").unwrap();
        let path = file.path().to_str().unwrap();
        for secret in SECRET_VARIABLES {
            let variables = store_variables(&env(&format!("{secret}_FILE"), path)).unwrap();
            let [(name, value)] = variables.as_slice() else {
                panic!("{variables:?}");
            };
            assert_eq!((name.as_str(), value.expose()), (secret, "s3cret"));
        }
    }

    #[test]
    fn files_that_clients_read_themselves_stay_theirs() {
        let name = "AWS_WEB_IDENTITY_TOKEN_FILE";
        let variables = store_variables(&env(name, "/missing")).unwrap();
        assert_eq!(variables.first().unwrap().0, name);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let errors = store_variables(&env("AWS_SECRET_ACCESS_KEY_FILE", "/missing")).unwrap_err();
        let text = errors.to_string();
        assert!(text.contains("AWS_SECRET_ACCESS_KEY_FILE"), "{text}");
        assert!(text.contains("/missing"), "{text}");
    }
}
