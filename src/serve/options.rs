//! The manner in which the service runs, apart from its settings.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::load::SettingsSource;
use crate::serve::dev_tools::DevTools;

/// The manner in which the service runs, apart from its settings.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// Keep nothing: the data lives in a directory that is removed at the end.
    pub ephemeral: bool,
    /// The file that says, once the service is ready, how to reach it.
    pub ready_file: Option<PathBuf>,
    /// The directory that has the files of the web console, instead of this program.
    pub ui_dir: Option<PathBuf>,
    /// This program may start itself again, to decode pictures in processes of their own. False when it is another
    /// program.
    pub can_start_itself: bool,
    /// The tools for the development of integrations; none in `serve`.
    pub dev: Option<DevOptions>,
    /// The sources of the settings, which SIGHUP has read again.
    pub source: SettingsSource,
}

/// The additions of `switchboard dev` to the service.
#[derive(Clone, Debug)]
pub struct DevOptions {
    /// The service stops when its standard input is closed.
    pub stop_with_stdin: bool,
    /// Its worlds and sockets.
    pub tools: Arc<dyn DevTools>,
}
