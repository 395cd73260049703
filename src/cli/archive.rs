//! The source of the commands that read an archive, and their progress.

use clap::Args;
use switchboard_replication::store::Store;

use super::key::ConfigArgs;
use super::output::CliError;
use super::progress::Progress;
use crate::archive;
use crate::config::archive::store_variables;
use crate::config::archive_url::ArchiveUrl;
use crate::config::load::environment;

/// The address of the archive to read.
#[derive(Debug, Args)]
pub(super) struct ArchiveArgs {
    /// The archive, as in `file:///mnt/backup/switchboard` or `s3://bucket/path` [default: `archive.to` of the configuration]
    #[arg(long, value_name = "URL")]
    from: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

/// An archive.
pub(super) struct OpenedArchive {
    pub(super) store: Box<dyn Store>,
    /// The address, without secrets.
    pub(super) url: String,
}

impl ArchiveArgs {
    pub(super) fn open(&self) -> Result<OpenedArchive, CliError> {
        let from = match &self.from {
            // Not by the reader of flags, which repeats what it cannot read: a password may be in it.
            Some(from) => {
                let archive: Result<ArchiveUrl, _> = from.parse();
                Some(archive.map_err(|error| CliError::Usage(format!("--from: {error}")))?)
            }
            None => self.config.settings()?.and_then(|it| it.archive.to),
        };
        let url = from.ok_or_else(|| {
            CliError::Usage(
                "there is no archive to read\n  help: name it with --from, or set archive.to in the configuration".to_owned(),
            )
        })?;
        let store = archive::open(&url, &store_variables(&environment())?)
            .map_err(|error| CliError::Failed(error.to_string()))?;
        Ok(OpenedArchive {
            store,
            url: url.to_string(),
        })
    }
}

/// Shows how far a command is through this many bytes.
pub(super) fn progress(
    shown: &mut Option<Progress>,
    done: u64,
    total: u64,
    brief: impl FnOnce() -> String,
) {
    let progress = shown.get_or_insert_with(|| Progress::new(total));
    progress.at(done, |_elapsed| brief());
}
