//! The state that handlers share in a world and in a test: the settings of a service without a configuration, and files
//! in a directory of its own.

use std::io;

use anyhow::{Context as _, Result};
use switchboard_actors::System;
use switchboard_http::console::source::Console;
use switchboard_http::state::{AppState, HttpSettings};
use switchboard_media::{MediaLimits, MediaStore};
use tempfile::TempDir;

/// A directory of files that is removed when this is dropped.
pub(crate) struct Files(TempDir);

impl Files {
    /// Makes the directory.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn for_now() -> io::Result<Self> {
        tempfile::tempdir().map(Self)
    }

    /// Returns the state that handlers share, with these settings.
    ///
    /// # Errors
    /// When there is no place for files.
    pub(crate) fn state(&self, system: &System, settings: HttpSettings) -> Result<AppState> {
        let media = MediaStore::open(&self.0.path().join("media"), MediaLimits::default(), None)
            .context("cannot use the directory of files")?;
        let console = Console::new(None)?;
        Ok(AppState::new(system.clone(), settings, media, console))
    }
}
