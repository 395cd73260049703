//! The place of the files besides the journal.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use switchboard_media::{DecoderPlace, MediaLimits, MediaStore};
use switchboard_network::shares::ShareLimits;
use tempfile::TempDir;

use crate::config::Settings;
use crate::serve::options::ServeOptions;
use crate::shared_files;

/// A user may hold a fifth of the unsent uploads of an account: they stay for a day.
const UNSENT_PART: usize = 5;
/// A user may hold half of the uploads of an account that are in progress: each ends within minutes.
const UPLOADS_PART: usize = 2;

/// The directory of files: the one of the journal, or one for this run only.
pub(crate) enum Files {
    Kept(PathBuf),
    ForNow(TempDir),
}

impl Files {
    pub(super) fn open(settings: &Settings, options: &ServeOptions) -> Result<Self> {
        if options.ephemeral {
            return Self::for_now();
        }
        Ok(Self::Kept(settings.store.path.clone()))
    }

    /// A directory that is removed when this is dropped.
    fn for_now() -> Result<Self> {
        let directory = tempfile::tempdir().context("cannot make a directory for files")?;
        Ok(Self::ForNow(directory))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::ForNow(directory) => directory.path(),
        }
    }

    /// The store of files that account users send and that integrations name.
    pub(super) fn media(&self, settings: &Settings, decoder: DecoderPlace) -> Result<MediaStore> {
        let limits = limits(settings, decoder);
        let path = self.path().join("media");
        let shared =
            shared_files::files(settings).context("cannot use the files of the other nodes")?;
        MediaStore::open(&path, limits, shared)
            .with_context(|| format!("cannot use the directory of files {}", path.display()))
    }
}

/// The limits of files.
pub(super) fn limits(settings: &Settings, decoder: DecoderPlace) -> MediaLimits {
    MediaLimits {
        file_bytes: settings.media.file_bytes,
        uploads: ShareLimits {
            all: settings.media.uploads_max,
            account: settings.media.uploads_per_account_max,
            user: settings.media.uploads_per_user_max,
        }
        .with_user_part(UPLOADS_PART),
        unsent: ShareLimits {
            all: usize::MAX,
            account: settings.media.unsent_max,
            user: settings.media.unsent_per_user_max,
        }
        .with_user_part(UNSENT_PART),
        unsent_age: settings.media.unsent_age,
        decoder,
        low_water_bytes: settings.store.low_water_bytes,
    }
}
