//! How the service runs, apart from its settings.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::load::SettingsSource;
use crate::serve::dev_tools::DevTools;

/// How the service runs, apart from its settings.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// Keep nothing: the data lives in a directory that is removed at the end.
    pub ephemeral: bool,
    /// Where to write, once the service is ready, how it is reached.
    pub ready_file: Option<PathBuf>,
    /// Where the files of the web console are read from, instead of this program.
    pub ui_dir: Option<PathBuf>,
    /// Whether this program may start itself again, to decode pictures in processes of their own; false when it is another one.
    pub can_start_itself: bool,
    /// What only the development of integrations needs; none in `serve`.
    pub dev: Option<DevOptions>,
    /// The sources of the settings, which SIGHUP has read again.
    pub source: SettingsSource,
}

/// What `switchboard dev` has besides the service.
#[derive(Clone, Debug)]
pub struct DevOptions {
    /// Whether the service stops when its standard input is closed.
    pub stop_with_stdin: bool,
    /// Its worlds and sockets.
    pub tools: Arc<dyn DevTools>,
}
