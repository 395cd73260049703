//! Opens the archive that the configuration or the command line names.

use std::time::Duration;

use object_store::ObjectStoreScheme as Scheme;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, RetryConfig};

use url::Url;

use super::directory::Directory;
use super::object::ObjectStorage;
use super::objects::Store;

/// The reason for which an archive cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the archive {url}: {reason}")]
pub struct LocationError {
    url: String,
    reason: String,
}

/// The times that requests of an object store may take.
#[derive(Clone, Copy, Debug)]
pub struct RequestTimes {
    /// The time that a connection may take.
    pub connect: Duration,
    /// The time that a request may take.
    pub request: Duration,
    /// The time for which one request is tried again: the caller tries again too, and says meanwhile what is wrong.
    pub retried_for: Duration,
}

/// Those of an archive: a large file on a slow line.
const TIMES: RequestTimes = RequestTimes {
    connect: Duration::from_secs(5),
    request: Duration::from_secs(300),
    retried_for: Duration::from_secs(5),
};

/// A variable of the environment that sets up the client of an object store: its name and its value.
pub type Variable<'v> = (&'v str, &'v str);

/// The client of a store, with the variables that it knows.
macro_rules! client {
    ($builder:ty, $key:ty, $url:expr, $variables:expr, $times:expr) => {{
        let retries = RetryConfig {
            max_retries: if $times.retried_for.is_zero() { 0 } else { 2 },
            retry_timeout: $times.retried_for,
            ..RetryConfig::default()
        };
        let requests = ClientOptions::new()
            .with_connect_timeout($times.connect)
            .with_timeout($times.request);
        let mut builder = <$builder>::new()
            .with_url($url)
            .with_retry(retries)
            .with_client_options(requests);
        for (name, value) in $variables {
            if let Ok(key) = name.to_ascii_lowercase().parse::<$key>() {
                builder = builder.with_config(key, *value);
            }
        }
        let client: Box<dyn ObjectStore> = Box::new(builder.build()?);
        client
    }};
}

/// Opens the store at this address. Asks nothing of it yet.
///
/// # Errors
/// When the variables do not suffice.
pub fn open(url: &Url, variables: &[Variable<'_>]) -> Result<Box<dyn Store>, LocationError> {
    open_for(url, variables, TIMES)
}

/// As [`open`], with other times.
///
/// # Errors
/// As of [`open`].
pub fn open_for(
    url: &Url,
    variables: &[Variable<'_>],
    times: RequestTimes,
) -> Result<Box<dyn Store>, LocationError> {
    let cannot = |reason: String| LocationError {
        url: url.to_string(),
        reason,
    };
    if url.scheme() == "file" {
        let path = url
            .to_file_path()
            .map_err(|()| cannot("it names no path".to_owned()))?;
        return Ok(Box::new(Directory::at(path)));
    }
    // Its HTTP client takes what the process has installed; a second installation changes nothing.
    drop(rustls::crypto::ring::default_provider().install_default());
    let (store, root) =
        connect(url, variables, times).map_err(|error| cannot(error.to_string()))?;
    let storage =
        ObjectStorage::new(store, url.as_str(), root).map_err(|error| cannot(error.to_string()))?;
    Ok(Box::new(storage))
}

fn connect(
    url: &Url,
    variables: &[Variable<'_>],
    times: RequestTimes,
) -> Result<(Box<dyn ObjectStore>, Path), object_store::Error> {
    let (scheme, path) = Scheme::parse(url)?;
    let url = url.as_str();
    let store = if scheme == Scheme::GoogleCloudStorage {
        client!(
            GoogleCloudStorageBuilder,
            GoogleConfigKey,
            url,
            variables,
            times
        )
    } else if scheme == Scheme::MicrosoftAzure {
        client!(MicrosoftAzureBuilder, AzureConfigKey, url, variables, times)
    } else {
        client!(AmazonS3Builder, AmazonS3ConfigKey, url, variables, times)
    };
    Ok((store, path))
}
